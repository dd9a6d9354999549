"""HTTP/1.1 over one plain socket: enough to ask these servers, and cheap enough to time them."""

import json
import socket
from dataclasses import dataclass


@dataclass
class Reply:
    """One response."""

    status: int
    head: bytes
    body: bytes

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def size(self) -> int:
        """Bytes on the wire."""
        return len(self.head) + len(self.body)


def request(method: str, path: str, body: dict | None = None, session: str | None = None) -> bytes:
    """A request as bytes."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if session:
        lines.append("Authorization: Bearer " + session)
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + content


def content_length(head: bytes) -> int:
    """What a response's head says of its body."""
    for line in head.split(b"\r\n"):
        if line[:15].lower() == b"content-length:":
            return int(line[15:])
    return 0


class Client:
    """A connection that stays open."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.pending = b""

    def send(self, message: bytes) -> Reply:
        """Sends a request and waits for its whole reply."""
        self.socket.sendall(message)
        while (end := self.pending.find(b"\r\n\r\n")) < 0:
            self._receive()
        head = self.pending[:end + 4]
        size = len(head) + content_length(head)
        while len(self.pending) < size:
            self._receive()
        body, self.pending = self.pending[len(head):size], self.pending[size:]
        return Reply(int(head[9:12]), head, body)

    def _receive(self) -> None:
        received = self.socket.recv(65536)
        if not received:
            raise ConnectionError("the server closed the connection")
        self.pending += received

    def get(self, path: str, session: str | None = None) -> Reply:
        return self.send(request("GET", path, session=session))

    def post(self, path: str, body: dict, session: str | None = None) -> Reply:
        return self.send(request("POST", path, body, session))
