"""What answers PayPulse's API, wherever it runs: how the tests talk to it."""

import json

import jwt

from . import scratch
from .users import User
from .wire import Address, Reply

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


class Backend:
    """An installation of PayPulse. Where it runs is a subclass's matter, which gives `address`, `log` and
    `jwt_secret`."""

    address: Address
    log: str
    jwt_secret: str

    def request(self, method: str, path: str, body=None, *, token: str | None = None, headers=None, type=JSON,
                **more) -> Reply:
        """One request. A `body` of bytes is sent as it is, anything else as JSON."""
        fields = list((headers or {}).items()) if isinstance(headers, dict) or headers is None else list(headers)
        if token is not None:
            fields.append(("Authorization", "Bearer " + token))
        if body is not None and type:
            fields.append(("Content-Type", type))
        content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.address.request(method, path, content, fields, **more)

    def get(self, path: str, **more) -> Reply:
        return self.request("GET", path, **more)

    def post(self, path: str, body=None, **more) -> Reply:
        return self.request("POST", path, body, **more)

    def delete(self, path: str, **more) -> Reply:
        return self.request("DELETE", path, **more)

    def user(self, **fields) -> User:
        """A newly signed-up user."""
        return User.sign_up(self, **fields)

    def someone(self) -> User:
        """A user who was there already, for tests to which signing up does not matter."""
        return User.put_in(self)

    def sign(self, claims: dict, *, algorithm="HS256", key=None, headers=None) -> str:
        """A session token that PyJWT makes."""
        token = jwt.encode(claims, key if key is not None else self.jwt_secret, algorithm=algorithm, headers=headers)
        return scratch.remember(token)

    def events(self, name: str | None = None, level: str | None = None) -> list[dict]:
        """The log's lines as objects."""
        lines = [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]
        return [line for line in lines
                if (name is None or line["event"] == name) and (level is None or line["level"] == level)]
