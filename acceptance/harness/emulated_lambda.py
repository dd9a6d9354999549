"""A function under AWS's runtime interface emulator, which cannot take two invocations at once."""

import http.client
import json
import os
import platform
import socket
import threading

from . import scratch
from .programs import Program, binary

_repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_architecture = {"x86_64": "x86_64", "aarch64": "arm64"}[platform.machine()]
EMULATOR = os.path.join(_repository, ".venv", "rie", f"aws-lambda-rie-{_architecture}")
PATH = "/2015-03-31/functions/function/invocations"


def free_port() -> int:
    """A port that nobody listens on now. The emulator cannot pick one itself."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class EmulatedLambda:
    """The emulator and the function's process, which it starts with the first invocation."""

    def __init__(self, environment: dict[str, str], *, name: str = "paypulse-lambda", timeout: int = 60):
        self._lock = threading.Lock()
        self.port, runtime_port = free_port(), free_port()
        scratch_environment = {"AWS_LAMBDA_FUNCTION_TIMEOUT": str(timeout), "AWS_LAMBDA_FUNCTION_NAME": name}
        self.program = Program(
            EMULATOR, ["--log-level", "warn",
                       "--runtime-interface-emulator-address", f"127.0.0.1:{self.port}",
                       "--runtime-api-address", f"127.0.0.1:{runtime_port}", binary(name)],
            environment=environment | scratch_environment)
        self._wait()

    def _wait(self) -> None:
        from .waiting import until

        def listens():
            with socket.socket() as link:
                return link.connect_ex(("127.0.0.1", self.port)) == 0
        until(listens, "the runtime interface emulator to listen")

    def invoke(self, event):
        """The function's result; raises ``Failed`` when there is none."""
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        with self._lock:
            link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            try:
                link.request("POST", PATH, body)
                answer = link.getresponse()
                content = answer.read()
            finally:
                link.close()
        return result(answer.status, content)

    def answer(self, event):
        """The function's result, or None when it failed: what a gateway makes 500 of."""
        try:
            return self.invoke(event)
        except Failed:
            return None

    def stop(self) -> int:
        """Ends it. Lambda kills processes between invocations too."""
        self.program.kill()
        return 0


class Failed(Exception):
    """An invocation that ended without a result."""

    def __init__(self, text: str):
        super().__init__(text)
        try:
            told = json.loads(text)
        except ValueError:
            told = {}
        self.type, self.message = told.get("errorType"), told.get("errorMessage", text)


def result(status: int, content: bytes):
    """What the emulator's reply says; raises ``Failed`` where that is a failure."""
    text = content.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except ValueError:
        raise Failed(text) from None
    if status != 200 or isinstance(value, dict) and "errorMessage" in value and "errorType" in value:
        raise Failed(text)
    return value
