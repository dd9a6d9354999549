"""What the measurements share: a folder, a database with accounts, and the programs over it."""

import itertools
import os
import shutil
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor

from .programs import Program, binary
from .wire import Client

CLIENT_ID = "1234567890-bench.apps.googleusercontent.com"
PASSWORD = "correct horse battery"
SCOPE = " ".join(["openid", "https://www.googleapis.com/auth/userinfo.email",
                  "https://www.googleapis.com/auth/userinfo.profile", "https://www.googleapis.com/auth/gmail.readonly"])
ACCOUNTS = 200


class Stage:
    """A temporary folder with a data directory in it. Accounts are made once, through the API."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="paypulse-benchmarks-")
        self.sessions: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name: str) -> str:
        """A path that nothing has yet."""
        return os.path.join(self.folder, f"{next(self._numbers):03d}-{name}")

    def server_command(self, google: str | None = None) -> list[str]:
        """The server over the data directory, without limits."""
        command = [binary("paypulse-server"), "serve", "--listen", "127.0.0.1:0", "--no-rate-limits",
                   "--data-dir", os.path.join(self.folder, "data"), "--google-client-id", CLIENT_ID]
        return command + (["--google-base-url", google] if google else [])

    def server(self, google: str | None = None, log: str | None = None) -> Program:
        """A running server; its log goes to a file, as in production."""
        return Program(self.server_command(google), log or self.path("server.log"))

    def emulator(self) -> Program:
        """Google, without latency."""
        return Program([binary("google-emulator"), "--listen", "127.0.0.1:0", "--client-id", CLIENT_ID])

    def sign_up(self) -> None:
        """Makes the accounts, as many at once as there are processors to hash their passwords."""
        emails = [f"person{number:03d}@example.com" for number in range(ACCOUNTS)]
        with self.server() as server, ThreadPoolExecutor(8) as pool:
            for email, session in zip(emails, pool.map(lambda email: _sign_up(server.port, email), emails)):
                self.sessions[email] = session

    def connect(self, server: Program, emulator: Program, email: str) -> None:
        """Connects one account's Gmail."""
        tokens = Minting(emulator).mint(email)
        reply = Client(server.port).post("/v1/auth/gmail-tokens", tokens, self.sessions[email])
        assert reply.status == 201, reply


class Minting:
    """Makes Google tokens without a sign-in."""

    def __init__(self, emulator: Program):
        self.client = Client(emulator.port)

    def mint(self, email: str) -> dict:
        """The body of an upload with a fresh pair of tokens."""
        self.client.post("/_emulator/accounts", {"email": email, "name": "Ada Example"})
        return self.again(email)

    def again(self, email: str) -> dict:
        """The same for an account that exists."""
        reply = self.client.post("/_emulator/tokens", {"email": email, "client_id": CLIENT_ID, "scope": SCOPE})
        assert reply.status == 200, reply
        tokens = reply.json
        return {"access_token": tokens["access_token"], "refresh_token": tokens["refresh_token"], "expires_in": 3600,
                "scope": SCOPE.split(" "), "email": email}


def _sign_up(port: int, email: str) -> str:
    reply = Client(port).post("/v1/auth/signup", {"email": email, "name": "Ada Example", "password": PASSWORD})
    assert reply.status in (200, 201), reply
    return reply.json["data"]["access_token"]


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
