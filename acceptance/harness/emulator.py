"""The Google emulator and its control interface."""

import contextlib
import hashlib
import json

from . import scratch
from .programs import Program
from .wire import Address

IOS_CLIENT = "1234567890-ios.apps.googleusercontent.com"
OTHER_IOS_CLIENT = "1234567890-ios2.apps.googleusercontent.com"
DESKTOP_CLIENT = "1234567890-desktop.apps.googleusercontent.com"
FOREIGN_CLIENT = "9876543210-foreign.apps.googleusercontent.com"

GMAIL = "https://www.googleapis.com/auth/gmail.readonly"
EMAIL = "https://www.googleapis.com/auth/userinfo.email"
PROFILE = "https://www.googleapis.com/auth/userinfo.profile"
SCOPES = f"openid {EMAIL} {PROFILE} {GMAIL}"


def subject(email: str) -> str:
    """The `sub` that the tests give to an account: 21 digits, as Google's are."""
    return str(int(hashlib.sha256(email.lower().encode()).hexdigest(), 16))[:21]


class Emulator:
    """Google, as far as this project needs it."""

    def __init__(self):
        arguments = ["--listen", "127.0.0.1:0"]
        for client in (IOS_CLIENT, OTHER_IOS_CLIENT, FOREIGN_CLIENT, DESKTOP_CLIENT + ":desktop"):
            arguments += ["--client-id", client]
        self.program = Program("google-emulator", arguments)
        self.address = Address(self.program.address())
        self.url = self.address.url

    def control(self, path: str, body: dict | None = None) -> dict:
        """A call of the control interface, which has to succeed."""
        method = "GET" if body is None else "POST"
        reply = self.address.request(
            method, "/_emulator/" + path, b"" if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"})
        assert 200 <= reply.status < 300, f"/_emulator/{path}: {reply}"
        return reply.json if reply.body else {}

    def account(self, email: str, name: str | None = None, **more) -> None:
        self.control("accounts", {"email": email, "name": name or "Ada Example", "sub": subject(email)} | more)

    def mint(self, email: str, *, scope: str = SCOPES, client: str = IOS_CLIENT, **fixed) -> dict:
        """A token pair of an account, which is made if need be."""
        self.account(email)
        tokens = self.control("tokens", {"email": email, "client_id": client, "scope": scope} | fixed)
        scratch.remember(tokens["access_token"])
        scratch.remember(tokens.get("refresh_token"))
        return tokens

    def fault(self, endpoint: str, status=None, body=None, *, headers=None, times=1, delay_ms=None) -> None:
        """The endpoint's next calls get this answer, or are only late."""
        fields = {"status": status, "body": body, "headers": headers, "times": times, "delay_ms": delay_ms}
        self.control("faults", {"endpoint": endpoint} | {k: v for k, v in fields.items() if v is not None})

    def oauth_fault(self, error: str, status: int = 400, times: int = 1, **more) -> None:
        """The token endpoint refuses with this OAuth error."""
        self.fault("token", status, json.dumps({"error": error, "error_description": "Bad Request"} | more), times=times)

    def clear(self, endpoint: str) -> None:
        self.control("faults", {"endpoint": endpoint, "times": 0})

    def settings(self, **settings) -> None:
        self.control("settings", settings)

    def lifetime(self, seconds: int) -> None:
        """How long new access tokens live. Under 60 s, PayPulse has to refresh before each use."""
        self.settings(access_token_lifetime_seconds=seconds)

    def advance(self, seconds: float) -> None:
        self.control("clock", {"advance_seconds": seconds})

    def revoke(self, email: str) -> None:
        """The person withdraws the grant in their Google account."""
        self.control("grants/revoke", {"email": email})

    def counts(self) -> dict[str, int]:
        return self.control("requests")

    @contextlib.contextmanager
    def counting(self):
        """Fills the given dict with the calls that were made inside the block."""
        before, calls = self.counts(), {}
        yield calls
        calls.update({name: count - before.get(name, 0) for name, count in self.counts().items()})

    def reset(self) -> None:
        self.control("reset", {})

    def refreshes(self, refresh_token: str, client: str = IOS_CLIENT) -> bool:
        """Whether Google honours a refresh token."""
        return self.token_error(refresh_token, client) is None

    def token_error(self, refresh_token: str, client: str = IOS_CLIENT) -> str | None:
        """The OAuth error that a refresh with this token ends in; none when it works."""
        from urllib.parse import urlencode
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": client}
        reply = self.address.request(
            "POST", "/token", urlencode(form).encode(), {"Content-Type": "application/x-www-form-urlencoded"})
        return None if reply.status == 200 else reply.json["error"]

    def stop(self) -> None:
        self.program.stop()
