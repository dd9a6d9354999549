"""The PayPulse server: started, stopped, killed and started again over the same data."""

import contextlib
import os
import sqlite3

from . import scratch
from .backend import Backend
from .emulator import IOS_CLIENT
from .programs import Program, run
from .users import User
from .wire import Address


class Server(Backend):
    """A server with a data directory of its own, unless it is given another's."""

    every: list["Server"] = []

    def __init__(self, google: str | None, *, clients=(IOS_CLIENT,), data=None, flags=(), environment=None,
                 listen="127.0.0.1:0", limits=False, descriptors=None, start=True, breakable=False):
        self.data = data or os.path.join(scratch.folder("server"), "data")
        self.google, self.clients, self.extra = google, tuple(clients), list(flags)
        self.listen, self.limits, self.environment = listen, limits, environment
        self.descriptors = descriptors
        self.program: Program | None = None
        self.programs: list[Program] = []
        self.command_logs: list[str] = []
        self.every.append(self)
        if start:
            self.start()

    # Running

    @property
    def flags(self) -> list[str]:
        """The flags that every command of this installation shares."""
        flags = ["--data-dir", self.data]
        for client in self.clients:
            flags += ["--google-client-id", client]
        if self.google:
            flags += ["--google-base-url", self.google]
        return flags + ([] if self.limits else ["--no-rate-limits"]) + self.extra

    def launch(self) -> Program:
        """Starts the program without waiting for it to listen."""
        self.program = Program(
            "paypulse-server", ["serve", "--listen", self.listen, *self.flags], environment=self.environment,
            descriptors=self.descriptors)
        self.programs.append(self.program)
        return self.program

    def start(self) -> "Server":
        self.address = Address(self.launch().address())
        self.url = self.address.url
        if os.path.exists(self.key("jwt-secret.key")):
            scratch.remember(self.jwt_secret)
            with open(self.key("wrapping.key"), encoding="ascii") as file:
                scratch.remember(file.read().strip())
        return self

    def stop(self) -> int:
        return self.program.stop()

    def kill(self) -> None:
        self.program.kill()

    def restart(self) -> "Server":
        self.stop()
        return self.start()

    def beside(self, **changes) -> "Server":
        """A second server on the same data directory."""
        options = {"clients": self.clients, "data": self.data, "flags": self.extra, "limits": self.limits}
        return Server(self.google, **(options | changes))

    def command(self, *arguments: str, input: str | None = None, timeout: float = 60):
        """Runs an operator's command of this installation."""
        result = run("paypulse-server", [*arguments, *self.flags], input=input, timeout=timeout,
                     environment=self.environment)
        self.command_logs.append(result.stderr)
        return result

    def begin(self, *arguments: str) -> Program:
        """Starts an operator's command, and does not wait for its end."""
        program = Program("paypulse-server", [*arguments, *self.flags], environment=self.environment)
        self.programs.append(program)
        return program

    def check_connection(self, user: User, *more: str, timeout: float = 60):
        """Has a valid access token asked for, and the mailbox read with it."""
        return self.command("check-connection", user.email, *more, timeout=timeout)

    def put_in(self, id: str, email: str, name: str, password_hash: str, created: int) -> None:
        """Puts a user into the database."""
        self.sql("INSERT INTO users (id, email, email_folded, name, password_hash, created_at) VALUES (?,?,?,?,?,?)",
                 id, email, email, name, password_hash, created * 1_000_000)

    # Time that passes, and a store that breaks: each done behind the program's back

    def sweep(self) -> None:
        """A round of what is done without anyone asking: a start begins with one."""
        if self.program.process.poll() is None:
            self.stop()
        self.start()

    def make_uses_due(self) -> None:
        """The day is over: each grant is to be used."""
        self.sql("UPDATE connections SET next_use_at = 1")

    def make_revocations_due(self, older_by: int = 0) -> int:
        """The pause after a failed attempt is over, and `older_by` seconds have passed; how many are owed."""
        return len(self.sql("UPDATE revocations SET next_attempt_at = 0, queued_at = queued_at - ? RETURNING google_sub",
                            older_by * 1_000_000))

    def age_asides(self, seconds: int) -> None:
        """What is set aside is so much older."""
        self.sql("UPDATE asides SET set_aside_at = set_aside_at - ?", seconds * 1_000_000)

    @contextlib.contextmanager
    def unwritable(self):
        """Nobody can write the database meanwhile."""
        link = sqlite3.connect(self.database, isolation_level=None, timeout=10, check_same_thread=False)
        link.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            link.execute("ROLLBACK")
            link.close()

    @contextlib.contextmanager
    def unreadable(self, table: str):
        """A table cannot be read meanwhile, as in a damaged database."""
        self.sql(f"ALTER TABLE {table} RENAME TO away")
        try:
            yield
        finally:
            self.sql(f"ALTER TABLE away RENAME TO {table}")

    # Looking at it

    def next_use(self, user: User) -> float:
        """When the user's grant is to be used, in seconds since 1970."""
        [(due,)] = self.sql("SELECT next_use_at FROM connections JOIN users ON id = user_id WHERE email = ?", user.email)
        return due / 1e6

    def has_secret(self, user: User) -> bool:
        """Whether tokens of the user's are stored under their name."""
        [(count,)] = self.sql("SELECT count(*) FROM secrets JOIN users ON id = user_id WHERE email = ?", user.email)
        return count > 0

    def count(self, what: str) -> int:
        """How many there are of `users`, `revocations` (owed), `asides` or `leases`."""
        [(count,)] = self.sql(f"SELECT count(*) FROM {what}")
        return count

    def dump(self) -> str:
        """Everything that is stored, as text."""
        self.stop()
        return "\n".join(sqlite3.connect(self.database).iterdump())

    def key(self, name: str) -> str:
        return os.path.join(self.data, name)

    @property
    def database(self) -> str:
        return os.path.join(self.data, "paypulse.sqlite")

    @property
    def jwt_secret(self) -> str:
        with open(self.key("jwt-secret.key"), encoding="ascii") as file:
            return file.read().rstrip("\r\n")

    def sql(self, statement: str, *values) -> list[tuple]:
        """Looks into the database, or changes it behind the server's back."""
        connection = sqlite3.connect(self.database, timeout=10)
        try:
            with connection:
                return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    @property
    def log(self) -> str:
        """What all the programs of this installation logged."""
        return "".join([program.log for program in self.programs] + self.command_logs)
