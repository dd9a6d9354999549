"""A runtime API of the tests' own, for what AWS's emulator cannot do: many processes of one function at once."""

import json
import queue
import socket
import subprocess
import threading
import time
import uuid
from concurrent.futures import Future

from .emulated_lambda import Failed
from .programs import Program, binary


class FunctionProcess:
    """One process of the function. It takes one invocation at a time, as on Lambda."""

    def __init__(self, environment: dict[str, str], *, name: str = "paypulse-lambda", path: str | None = None):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._waiting: queue.Queue = queue.Queue()
        self._current: tuple[str, Future] | None = None
        self.ready = threading.Event()
        self.started_at = time.perf_counter()
        self.program = Program(path or name, [], environment=environment | {
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self._listener.getsockname()[1]}",
            "AWS_LAMBDA_FUNCTION_NAME": name})
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, event, seconds: float = 60) -> Future:
        """Hands an event over, which the process has `seconds` for; its result comes later, or `Failed`."""
        future: Future = Future()
        self._waiting.put((json.dumps(event).encode() if not isinstance(event, bytes) else event, seconds, future))
        return future

    def invoke(self, event, seconds: float = 60):
        """The result of an event."""
        return self.begin(event, seconds).result(seconds + 10)

    def stop(self) -> None:
        self._waiting.put(None)
        self.program.kill()
        self._listener.close()

    # The wire

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        stream = link.makefile("rb")
        try:
            while request := self._read(stream):
                path, body = request
                status, fields, content = self._next() if path.endswith("/invocation/next") else self._take(path, body)
                head = [f"HTTP/1.1 {status} -", f"Content-Length: {len(content)}", "Content-Type: application/json", *fields]
                link.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)
        except (OSError, ValueError):
            pass
        finally:
            link.close()
            if self._current and self._has_ended():
                self._current[1].set_exception(Failed("the process ended"))
                self._current = None

    def _has_ended(self) -> bool:
        """Whether the process is gone, as when its connection closes in the middle of an invocation."""
        try:
            self.program.process.wait(2)
        except subprocess.TimeoutExpired:
            return False
        return True

    @staticmethod
    def _read(stream) -> tuple[str, bytes] | None:
        line = stream.readline()
        if not line:
            return None
        length = 0
        while (field := stream.readline()) not in (b"\r\n", b""):
            name, _, value = field.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return line.split(b" ")[1].decode(), stream.read(length)

    def _next(self):
        self.ready.set()
        work = self._waiting.get()
        if work is None:
            raise OSError("stopped")
        event, seconds, future = work
        name = str(uuid.uuid4())
        self._current = (name, future)
        return 200, [f"Lambda-Runtime-Aws-Request-Id: {name}",
                     f"Lambda-Runtime-Deadline-Ms: {int((time.time() + seconds) * 1000)}",
                     "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-west-1:123456789012:function:paypulse",
                     "Lambda-Runtime-Trace-Id: Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0"], event

    def _take(self, path: str, body: bytes):
        """An answer: of the present invocation, or of the start."""
        *_, name, kind = path.split("/")
        if kind == "error" and name == "init":
            while not self._waiting.empty():
                if work := self._waiting.get():
                    work[2].set_exception(Failed(body.decode()))
        elif self._current is None or self._current[0] != name:
            return 400, [], b'{"errorType":"InvalidRequestID"}'
        elif kind == "response":
            self._current[1].set_result(json.loads(body))
            self._current = None
        else:
            self._current[1].set_exception(Failed(body.decode()))
            self._current = None
        return 202, [], b'{"status":"OK"}'
