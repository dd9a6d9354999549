"""A Lambda runtime API over plain sockets, for one process: when it is asked, when it answers, what it takes."""

import os
import socket
import subprocess
import time

from .programs import clean_environment

_TICKS = os.sysconf("SC_CLK_TCK")


class FunctionProcess:
    """A runtime process from its start to its end. Times are in milliseconds."""

    def __init__(self, command: list[str], environment: dict[str, str], log: str = os.devnull):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(60)
        self._links: list[_Link] = []
        self._number = 0
        place = f"127.0.0.1:{self._listener.getsockname()[1]}"
        with open(log, "ab") as output:
            self.started = time.perf_counter()
            self.process = subprocess.Popen(
                command, env=clean_environment() | environment | {"AWS_LAMBDA_RUNTIME_API": place},
                stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        self._waiting = self._next_request()

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        for link in self._links:
            link.socket.close()
        self._listener.close()

    def invoke(self, event: bytes) -> tuple[float, bytes]:
        """How long the process takes to answer an event, and what it answers."""
        self._number += 1
        deadline = int(time.time() * 1000) + 30_000
        head = (f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLambda-Runtime-Aws-Request-Id: {self._number:032x}\r\n"
                f"Lambda-Runtime-Deadline-Ms: {deadline}\r\nLambda-Runtime-Trace-Id: Root=1-5759e988-bd862e3fe1be46a9;Sampled=0\r\n"
                "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-1:123456789012:function:bench\r\n"
                f"Content-Length: {len(event)}\r\n\r\n").encode()
        begin = time.perf_counter()
        self._waiting.socket.sendall(head + event)
        link, path, body = self._read()
        took = (time.perf_counter() - begin) * 1000
        assert path.endswith("/response"), (path, body)
        link.socket.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        self._waiting = self._next_request()
        return took, body

    def first(self, event: bytes) -> tuple[float, bytes]:
        """The first answer, and how long after the start of the process it was there."""
        _, body = self.invoke(event)
        return (self._answered - self.started) * 1000, body

    @property
    def peak_kilobytes(self) -> int:
        """The most memory it had in RAM so far (VmHWM)."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))

    @property
    def cpu_seconds(self) -> float:
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    # The wire

    def _next_request(self) -> "_Link":
        link, path, body = self._read()
        assert path.endswith("/invocation/next"), (path, body)
        return link

    def _read(self) -> tuple["_Link", str, bytes]:
        """A request, from whichever connection has one: a runtime may open more than one."""
        import select
        while True:
            sockets = [self._listener, *(link.socket for link in self._links)]
            ready, _, _ = select.select(sockets, [], [], 60)
            assert ready, "the process says nothing"
            for each in ready:
                if each is self._listener:
                    self._links.append(_Link(self._listener.accept()[0]))
                    continue
                link = next(link for link in self._links if link.socket is each)
                request = link.read()
                self._answered = time.perf_counter()
                if request is None:
                    self._links.remove(link)
                    continue
                return link, *request


class _Link:
    def __init__(self, connection: socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket, self._pending = connection, b""

    def read(self) -> tuple[str, bytes] | None:
        """Path and body of the next request; None at the end."""
        while (end := self._pending.find(b"\r\n\r\n")) < 0:
            if not self._receive():
                return None
        head, length = self._pending[:end], 0
        for line in head.split(b"\r\n"):
            if line[:15].lower() == b"content-length:":
                length = int(line[15:])
        while len(self._pending) < end + 4 + length:
            if not self._receive():
                return None
        body, self._pending = self._pending[end + 4:end + 4 + length], self._pending[end + 4 + length:]
        return head.split(b" ", 2)[1].decode(), body

    def _receive(self) -> bool:
        received = self.socket.recv(65536)
        self._pending += received
        return bool(received)
