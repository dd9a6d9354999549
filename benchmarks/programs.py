"""The programs under measurement, each a process of its own that ends with this one."""

import os
import re
import resource
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_TICKS = os.sysconf("SC_CLK_TCK")


def allow_many_descriptors() -> None:
    """Raises the limit on open files as far as it goes; the programs inherit it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def binary(name: str) -> str:
    """The path of a built program."""
    folder = os.environ.get("PAYPULSE_BIN_DIR", os.path.join(REPOSITORY, ".build", "release"))
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        sys.exit(f"{path} is missing: run `make bench`, which builds it first.")
    return path


def clean_environment() -> dict[str, str]:
    """The environment without any PayPulse setting of the person who measures."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PAYPULSE_")}


class Program:
    """A program that runs until it is stopped, and says on its first lines where it listens."""

    def __init__(self, command: list[str], log: str = os.devnull, prints_address: bool = True):
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=clean_environment())
        self.port = self._port() if prints_address else 0

    def _port(self) -> int:
        for line in self.process.stdout:
            if found := re.match(rb"listening on http://.*:(\d+)$", line.rstrip()):
                return int(found[1])
        raise RuntimeError(f"{self.process.args[0]} ended before it listened")

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def processes(self) -> list[int]:
        """This process and its children."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return [pid, *map(int, children.read().split())]

    def cpu_seconds(self) -> float:
        """The processor time that it has used, its children included."""
        ticks = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                fields = file.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / _TICKS

    def resident_kilobytes(self) -> int:
        """The memory that it has in RAM (VmRSS)."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
