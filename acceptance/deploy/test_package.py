"""The zip: it starts, and answers, where there is no library and no loader but its own."""

import json
import os
import subprocess
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.programs import binary
from .terraform import FOLDER

EVENT = {
    "version": "2.0", "routeKey": "GET /healthz", "rawPath": "/healthz", "rawQueryString": "", "headers": {},
    "isBase64Encoded": False,
    "requestContext": {
        "accountId": "123456789012", "apiId": "a", "domainName": "a.example", "domainPrefix": "a", "requestId": "r",
        "routeKey": "GET /healthz", "stage": "$default", "time": "", "timeEpoch": 0,
        "http": {"method": "GET", "path": "/healthz", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1",
                 "userAgent": "test"},
    },
}


class Runtime(ThreadingHTTPServer):
    """Lambda's side of the runtime API: hands out one event, and keeps what comes back."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Invocations)
        self.posted: list[tuple[str, dict]] = []
        self.answered = threading.Event()
        self.handed_out = False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Invocations(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.server.handed_out:
            self.server.answered.wait(60)
        self.server.handed_out = True
        self._reply(200, json.dumps(EVENT).encode(), {
            "Lambda-Runtime-Aws-Request-Id": "11111111-2222-3333-4444-555555555555",
            "Lambda-Runtime-Deadline-Ms": "99999999999999",
            "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-west-1:123456789012:function:paypulse-api",
        })

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.path, json.loads(body)))
        self.server.answered.set()
        self._reply(202, b'{"status":"OK"}', {})

    def _reply(self, status, body, fields):
        self.send_response(status)
        for name, value in fields.items() | {"Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def package(archive) -> None:
    run = subprocess.run(
        [FOLDER / "package-zip.sh", binary("paypulse-lambda"), archive], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("package") / "paypulse-lambda.zip"
    package(path)
    return path


def unpack(archive, root) -> None:
    """As Lambda does: into /var/task, with the modes that the zip names."""
    task = root / "var" / "task"
    with zipfile.ZipFile(archive) as file:
        for entry in file.infolist():
            os.chmod(file.extract(entry, task), entry.external_attr >> 16 & 0o777)


def enter(root, environment, *command) -> subprocess.Popen:
    """Runs `command` with `root` for its whole file system."""
    change = ["chroot", root] if os.getuid() == 0 else ["unshare", "--map-root-user", f"--root={root}"]
    path = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    return subprocess.Popen([*change, *command], env=path | environment, stderr=subprocess.PIPE, text=True)


def test_it_answers_where_there_is_nothing_but_it(archive, tmp_path):
    unpack(archive, tmp_path)
    runtime = Runtime()
    # What `bootstrap` does, without the shell that an empty root does not have.
    program = enter(
        tmp_path, ENVIRONMENT | {"AWS_LAMBDA_RUNTIME_API": runtime.address}, "/var/task/lib/ld.so",
        "--inhibit-cache", "--library-path", "/var/task/lib", "/var/task/program")
    try:
        assert runtime.answered.wait(30), program.poll()
    finally:
        program.kill()
    [(path, reply)] = runtime.posted
    assert path.endswith("/response"), (path, reply)
    assert reply["statusCode"] == 200


def test_bootstrap_starts_that_very_command(archive, tmp_path):
    unpack(archive, tmp_path)
    bootstrap = (tmp_path / "var" / "task" / "bootstrap").read_text()
    assert 'exec "$task/lib/ld.so" --inhibit-cache --library-path "$task/lib" "$task/program"' in bootstrap
    runtime = Runtime()
    program = subprocess.Popen(
        [tmp_path / "var" / "task" / "bootstrap"], stderr=subprocess.PIPE,
        env=ENVIRONMENT | {"AWS_LAMBDA_RUNTIME_API": runtime.address, "LAMBDA_TASK_ROOT": str(tmp_path / "var" / "task")})
    try:
        assert runtime.answered.wait(30), program.poll()
    finally:
        program.kill()
    assert runtime.posted[0][1]["statusCode"] == 200


def test_the_same_program_makes_the_same_zip(archive, tmp_path):
    package(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()
