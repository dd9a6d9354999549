"""The `paypulse` command as a person uses it: passwords by standard input, a session of its own."""

import os

from . import scratch
from .programs import run


class Cli:
    """A device that runs the command line."""

    def __init__(self, server: str):
        self.server = server
        self.home = scratch.folder("device")

    def __call__(self, *arguments: str, input: str | None = None, timeout: float = 60):
        environment = {"XDG_CONFIG_HOME": self.home, "HOME": self.home}
        return run("paypulse", ["--server", self.server, *arguments], input=input, environment=environment,
                   timeout=timeout)

    @property
    def session_path(self) -> str:
        return os.path.join(self.home, "paypulse", "session.json")
