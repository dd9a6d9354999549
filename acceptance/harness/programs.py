"""The built programs as processes whose output is kept and whose end is certain."""

import atexit
import os
import shutil
import signal
import subprocess

from . import scratch
from .waiting import until

_repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_running: set["Program"] = set()


def binary(name: str) -> str:
    """The path of a built program."""
    folder = os.environ.get("PAYPULSE_BIN_DIR", os.path.join(_repository, ".build", "debug"))
    return os.path.join(folder, name)


def clean_environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment without any PayPulse setting of the person who runs the tests."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PAYPULSE_")}
    return kept | (extra or {})


def _guarded(command: list[str], descriptors: int | None) -> list[str]:
    """The command so that it dies with its parent, and perhaps with few file descriptors."""
    if descriptors is not None:
        command = ["prlimit", f"--nofile={descriptors}:{descriptors}", *command]
    return ["setpriv", "--pdeathsig", "KILL", *command] if shutil.which("setpriv") else command


class Program:
    """A program that runs until it is told to stop: a built one by its name, any other by its path. Both its outputs
    go to files of their own."""

    def __init__(self, name: str, arguments: list[str], *, environment=None, descriptors=None):
        stem = os.path.join(scratch.root(), f"{scratch.number():04d}-{os.path.basename(name)}")
        self.name, self.output_path, self.log_path = name, stem + ".out", stem + ".err"
        with open(self.output_path, "wb") as output, open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                _guarded([binary(name), *arguments], descriptors), stdin=subprocess.DEVNULL, stdout=output,
                stderr=log, env=clean_environment(environment))
        _running.add(self)

    @property
    def output(self) -> str:
        with open(self.output_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def log(self) -> str:
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def address(self) -> str:
        """The address that the program prints once it listens."""
        def printed():
            lines = [line for line in self.output.splitlines() if line.startswith("listening on ")]
            if lines:
                return lines[0].removeprefix("listening on ")
            assert self.process.poll() is None, f"{self.name} ended at its start: {self.output}{self.log}"
            return None
        return until(printed, f"{self.name} to listen", within=20, every=0.01)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self, timeout: float = 30) -> int:
        """Waits for the end; gives the exit code."""
        code = self.process.wait(timeout)
        _running.discard(self)
        return code

    def stop(self, timeout: float = 30) -> int:
        """Asks it to end (SIGTERM); gives the exit code."""
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait(timeout)

    def kill(self) -> None:
        """Ends it at once (SIGKILL)."""
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.wait()


def run(name: str, arguments: list[str], *, input: str | None = None, environment=None, timeout: float = 60):
    """Runs a program to its end. Its outputs are kept like any other's."""
    result = subprocess.run(
        _guarded([binary(name), *arguments], None), input=input if input is not None else "", text=True,
        capture_output=True, timeout=timeout, env=clean_environment(environment))
    stem = os.path.join(scratch.root(), f"{scratch.number():04d}-{name}")
    for suffix, text in ((".out", result.stdout), (".err", result.stderr)):
        with open(stem + suffix, "w", encoding="utf-8") as file:
            file.write(text)
    return result


@atexit.register
def _kill_all() -> None:
    for program in list(_running):
        program.kill()
