"""AWS on a bad day: stands between the function and `moto`, and fails what a test says."""

import contextlib
import http.client
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urlsplit

READS = {"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems", "GetSecretValue", "DescribeSecret", "Decrypt"}


class Call(NamedTuple):
    """What the function asks AWS for: `DynamoDB_20120810`, `GetItem`, and the request's JSON as text."""

    service: str
    action: str
    body: str

    @property
    def writes(self) -> bool:
        return self.action not in READS

    def names(self, table: str) -> bool:
        return self.service.startswith("DynamoDB") and f'"{table}"' in self.body


class FaultyAWS:
    """An endpoint for all services, which passes on what is not to fail, and counts."""

    def __init__(self, upstream: str):
        parts = urlsplit(upstream)
        self._upstream = (parts.hostname, parts.port)
        self._fault: Callable[[Call], bool] | None = None
        self._watch: Callable[[Call], None] | None = None
        self.calls: list[Call] = []
        self._links = threading.local()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @contextlib.contextmanager
    def failing(self, which: Callable[[Call], bool]):
        """Such calls end with a failure on AWS's side meanwhile."""
        self._fault = which
        try:
            yield
        finally:
            self._fault = None

    @contextlib.contextmanager
    def watching(self, watch: Callable[[Call], None]):
        """Is told of each call that AWS has carried out, before the function hears of it."""
        self._watch = watch
        try:
            yield
        finally:
            self._watch = None

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _send(self, method: str, path: str, body: bytes, headers: dict) -> tuple[int, list[tuple[str, str]], bytes]:
        if not hasattr(self._links, "link"):
            self._links.link = http.client.HTTPConnection(*self._upstream, timeout=60)
        link = self._links.link
        link.request(method, path, body, headers)
        answer = link.getresponse()
        return answer.status, answer.getheaders(), answer.read()

    def _handler(aws):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                service, _, action = self.headers.get("X-Amz-Target", "").partition(".")
                call = Call(service, action, body.decode("utf-8", "replace"))
                aws.calls.append(call)
                if aws._fault and aws._fault(call):
                    status, fields, content = 500, [], b'{"__type":"InternalServerError","message":"fault"}'
                else:
                    status, fields, content = aws._send(self.command, self.path, body, dict(self.headers))
                    if aws._watch:
                        aws._watch(call)
                self.send_response(status)
                for name, value in fields:
                    if name.lower() not in ("content-length", "connection", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                try:
                    self.end_headers()
                    self.wfile.write(content)
                    self.wfile.flush()
                except (BrokenPipeError, ConnectionResetError):
                    pass  # Whoever asked is gone.

            def log_message(self, *_):
                pass

        return Handler
