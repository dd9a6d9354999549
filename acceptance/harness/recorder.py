"""Stands between PayPulse and the emulator: writes down what is asked, and can keep an answer back."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit


class Call(NamedTuple):
    """One request as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


class Recorder:
    """Google's address for a server that is watched. What happens at Google happens at once; only the
    answer can be held."""

    def __init__(self, upstream: str):
        parts = urlsplit(upstream)
        self.upstream = (parts.hostname, parts.port)
        self.calls: list[Call] = []
        self._held: dict[str, list[Held]] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def hold(self, path: str) -> "Held":
        """The next answer under this path waits until it is released."""
        held = Held()
        with self._lock:
            self._held.setdefault(path, []).append(held)
        return held

    def to(self, path: str) -> list[Call]:
        return [call for call in self.calls if urlsplit(call.path).path == path]

    def close(self) -> None:
        for helds in self._held.values():
            for held in helds:
                held.release()
        self._server.shutdown()
        self._server.server_close()

    def _take(self, path: str):
        with self._lock:
            waiting = self._held.get(path)
            return waiting.pop(0) if waiting else None

    def _handler(recorder):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                recorder.calls.append(Call(self.command, self.path, dict(self.headers), body))
                held = recorder._take(urlsplit(self.path).path)
                link = http.client.HTTPConnection(*recorder.upstream, timeout=60)
                link.request(self.command, self.path, body or None, dict(self.headers))
                answer = link.getresponse()
                content = answer.read()
                link.close()
                if held:
                    held.arrived.set()
                    held.released.wait(60)
                try:
                    self.send_response(answer.status)
                    for name, value in answer.getheaders():
                        if name.lower() not in ("content-length", "connection", "date", "server", "transfer-encoding"):
                            self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # Whoever asked is gone.

            do_GET = do_POST = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        return Handler


class Held:
    """An answer that is kept back."""

    def __init__(self):
        self.arrived, self.released = threading.Event(), threading.Event()

    def wait(self) -> "Held":
        """Until Google has done its work and only the answer is missing."""
        assert self.arrived.wait(20), "the call never came"
        return self

    def release(self) -> None:
        self.released.set()
