"""Starts a built binary and waits until it says where it listens."""

import os
import pathlib
import queue
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_TIMEOUT_SECONDS = 30
STOP_TIMEOUT_SECONDS = 30


def binary(name):
    """The path of a built executable: in PAYPULSE_BIN_DIR, else in the debug build."""
    directory = os.environ.get("PAYPULSE_BIN_DIR") or ROOT / ".build" / "debug"
    path = (ROOT / directory / name).resolve()
    if not path.exists():
        raise FileNotFoundError(f"{path} is not built: run `swift build --product {name}`")
    return path


class ListeningProcess:
    """A server binary that prints `listening on http://HOST:PORT` when it is ready.

    `lines` holds everything it printed on either stream so far; `url` is where it listens.
    """

    def __init__(self, name, *arguments, env=None):
        self.command = [str(binary(name)), *map(str, arguments)]
        self.env = {**os.environ, **(env or {})}
        self.lines = []
        self.url = None
        self._process = None
        self._ready = queue.Queue()

    def start(self):
        self._process = subprocess.Popen(
            self.command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.url = self._ready.get(timeout=START_TIMEOUT_SECONDS)
        except queue.Empty:
            self.url = None
        if self.url is None:
            self.kill()
            raise RuntimeError(f"{self.command[0]} did not start:\n" + "".join(self.lines))
        return self

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line)
            if line.startswith("listening on "):
                self._ready.put(line.removeprefix("listening on ").strip())
        self._ready.put(None)

    @property
    def pid(self):
        return self._process.pid

    def terminate(self):
        """Asks it to end, and gives its exit status."""
        if self._process is None:
            return None
        self._process.terminate()
        try:
            return self._process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self):
        """Ends it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self._process is not None and self._process.poll() is None:
            self.terminate()


def wait_until(condition, seconds=10, what="the condition"):
    """The first true value of `condition()`, asked again and again for at most `seconds`."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true within {seconds} s")
        time.sleep(0.02)
