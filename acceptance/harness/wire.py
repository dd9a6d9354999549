"""HTTP as bytes and as replies, over connections of its own: nothing retries and nothing is hidden."""

import http.client
import json
import socket
import ssl
import urllib.parse


class Reply:
    """A status, fields and a body."""

    def __init__(self, status: int, fields: list[tuple[str, str]], body: bytes):
        self.status, self.fields, self.body = status, fields, body

    def header(self, name: str) -> str | None:
        """The field's only value."""
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else None

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def data(self):
        return self.json["data"]

    @property
    def error(self) -> dict:
        return self.json["error"]

    @property
    def code(self) -> str:
        return self.error["code"]

    @property
    def reason(self) -> str | None:
        return self.error.get("reason")

    def __repr__(self) -> str:
        return f"<{self.status} {self.body[:400]!r}>"


class Address:
    """Where a program listens."""

    def __init__(self, url: str):
        parts = urllib.parse.urlsplit(url)
        self.url, self.scheme, self.host, self.port = url, parts.scheme, parts.hostname, parts.port

    def request(self, method: str, path: str, body: bytes = b"", headers=(), *, trust=None, timeout=40) -> Reply:
        """One request on a connection of its own. `headers` is a dict or a list of pairs."""
        if self.scheme == "https":
            context = ssl.create_default_context(cafile=trust)
            link = http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=context)
        else:
            link = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            link.putrequest(method, path, skip_accept_encoding=True)
            for name, value in headers.items() if isinstance(headers, dict) else headers:
                link.putheader(name, value)
            if body or method in ("POST", "PUT", "PATCH"):
                link.putheader("Content-Length", str(len(body)))
            link.endheaders(body or None)
            answer = link.getresponse()
            return Reply(answer.status, answer.getheaders(), answer.read())
        finally:
            link.close()

    def open(self, timeout: float = 20) -> "RawConnection":
        """A bare connection."""
        return RawConnection(socket.create_connection((self.host, self.port), timeout))

    def exchange(self, sent: bytes, timeout: float = 20) -> bytes:
        """Sends bytes, closes the sending half, and reads until the other side closes."""
        with self.open(timeout) as link:
            link.send(sent)
            link.finish()
            return link.read_all()


class RawConnection:
    """A socket for what no HTTP library would send."""

    def __init__(self, link: socket.socket):
        self.socket = link

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, sent: bytes) -> None:
        try:
            self.socket.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            pass  # A server may refuse before it has read everything.

    def finish(self) -> None:
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def read_all(self) -> bytes:
        """Everything until the other side closes."""
        received = b""
        while True:
            try:
                piece = self.socket.recv(65536)
            except ConnectionResetError:
                return received
            if not piece:
                return received
            received += piece

    def read_reply(self) -> Reply:
        """One response; the connection stays open."""
        answer = http.client.HTTPResponse(self.socket)
        answer.begin()
        return Reply(answer.status, answer.getheaders(), answer.read())
