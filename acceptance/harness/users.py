"""A person with a PayPulse account, and their device."""

import json

from . import scratch
from .wire import Reply

TOKENS_PATH = "/v1/auth/gmail-tokens"
# A bcrypt hash of the least cost, as some other backend might have stored it: checking it takes a millisecond.
CHEAP_PASSWORD = "a cheap password"
CHEAP_HASH = "$2b$04$abcdefghijklmnopqrstuuh.IIqO53BMp.RAbC1562zSMYCIYNpqS"


class User:
    """A signed-up user: what they know, and what they do."""

    def __init__(self, server, email: str, name: str, password: str, token: str):
        self.server, self.email, self.name, self.password = server, email, name, password
        self.token = scratch.remember(token)
        self.gmail = f"mail-{scratch.number()}@gmail.example"

    @staticmethod
    def fresh(**fields) -> dict:
        """The body of a sign-up that nobody made before."""
        number = scratch.number()
        body = {"email": f"ada-{number}@home.example", "name": f"Ada {number}",
                "password": f"correct horse {number} battery"} | fields
        scratch.remember(body["password"])
        return body

    @classmethod
    def sign_up(cls, server, **fields) -> "User":
        body = cls.fresh(**fields)
        reply = server.post("/v1/auth/signup", body)
        assert reply.status == 201, reply
        return cls(server, body["email"], body["name"], body["password"], reply.data["access_token"])

    @classmethod
    def put_in(cls, server) -> "User":
        """A user put into the store as an older backend could have left it: no password hash to wait for."""
        import time
        import uuid
        body, id, now = cls.fresh(), f"user_{uuid.uuid4()}", int(time.time())
        server.put_in(id, body["email"], body["name"], CHEAP_HASH, now)
        token = server.sign({"user_id": id, "email": body["email"], "iat": now, "exp": now + 86400})
        return cls(server, body["email"], body["name"], CHEAP_PASSWORD, token)

    @property
    def id(self) -> str:
        return claims(self.token)["user_id"]

    def log_in(self) -> Reply:
        reply = self.server.post("/v1/auth/login", {"email": self.email, "password": self.password})
        if reply.status == 200:
            self.token = scratch.remember(reply.data["access_token"])
        return reply

    def me(self) -> Reply:
        return self.server.get("/v1/user/me", token=self.token)

    @property
    def profile(self) -> dict:
        reply = self.me()
        assert reply.status == 200, reply
        return reply.data

    @property
    def connection(self) -> dict:
        """How Gmail is connected, as the profile tells it."""
        return self.profile["gmail_connection"]

    @property
    def status(self) -> str:
        return self.connection["status"]

    def upload(self, tokens: dict, *, path=TOKENS_PATH, **changes) -> Reply:
        """Posts tokens as a device does; a change of `...` leaves a member out."""
        body = {key: tokens[key] for key in ("access_token", "refresh_token") if tokens.get(key)}
        body = {key: value for key, value in (body | changes).items() if value is not ...}
        return self.server.post(path, body, token=self.token)

    def connect(self, google, email: str | None = None, *, refresh=True, **mint) -> dict:
        """Connects a Google account; gives the tokens of it."""
        tokens = google.mint(email or self.gmail, **mint)
        reply = self.upload(tokens) if refresh else self.upload(tokens, refresh_token=...)
        assert reply.status == 201, reply
        return tokens

    def disconnect(self) -> Reply:
        return self.server.delete(TOKENS_PATH, token=self.token)

    def delete(self) -> Reply:
        return self.server.delete("/v1/user/me", token=self.token)


def claims(token: str) -> dict:
    """What a JWT says, unverified."""
    from base64 import urlsafe_b64decode
    payload = token.split(".")[1]
    return json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
