"""The zip: it starts, and answers, where there is no library and no loader but its own."""

import json
import os
import re
import ssl
import subprocess
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

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

# Enough to start without any request to AWS.
ENVIRONMENT = {
    "AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "a secret key",
    "AWS_SESSION_TOKEN": "a token", "PAYPULSE_JWT_SECRET": "a session key of more than thirty-two bytes",
    "PAYPULSE_GOOGLE_CLIENT_IDS": "1234567890-abc.apps.googleusercontent.com",
}


class Peer(ThreadingHTTPServer):
    """A server on a port of its own, whose clients may be ended at any moment."""

    daemon_threads = True

    def __init__(self, handler, context: ssl.SSLContext | None = None):
        super().__init__(("127.0.0.1", 0), handler)
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class Runtime(Peer):
    """Lambda's side of the runtime API: hands out one event, and keeps what comes back."""

    def __init__(self):
        self.posted: list[tuple[str, dict]] = []
        self.answered, self.handed_out = threading.Event(), threading.Semaphore(1)
        super().__init__(Invocations)


class Invocations(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        # There is no second event: whoever asks for one waits until it is ended.
        self.server.handed_out.acquire(timeout=600)
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


class Secrets(BaseHTTPRequestHandler):
    """Secrets Manager, as far as a start asks for it, over TLS."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked["SecretId"])
        body = json.dumps({"Name": asked["SecretId"], "VersionId": "v" * 36, "SecretString": "a value of a secret"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_it_trusts_the_authorities_that_it_carries(archive, tmp_path):
    """Where they are is told by a variable: Amazon Linux keeps its own elsewhere than Debian's libcurl looks."""
    unpack(archive, tmp_path)
    authority, key = tmp_path / "authority.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", authority], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, key)
    secrets = Peer(Secrets, context)
    secrets.asked = []
    carried = tmp_path / "var" / "task" / "lib" / "ca-certificates.crt"
    carried.write_bytes(carried.read_bytes() + authority.read_bytes())
    runtime = Runtime()
    environment = {name: value for name, value in ENVIRONMENT.items() if not name.startswith("PAYPULSE_")}
    program = subprocess.Popen(
        [tmp_path / "var" / "task" / "bootstrap"], stderr=subprocess.PIPE, env=environment | {
            "AWS_LAMBDA_RUNTIME_API": runtime.address, "LAMBDA_TASK_ROOT": str(tmp_path / "var" / "task"),
            "AWS_ENDPOINT_URL": f"https://{secrets.address}"})
    try:
        assert runtime.answered.wait(30), program.poll()
    finally:
        program.kill()
    assert set(secrets.asked) == {"PayPulseAppJWTSecret", "Google-OAuth-Client-ID"}
    assert runtime.posted[0][1]["statusCode"] == 200


def test_it_carries_this_systems_authorities_and_no_other(archive):
    with zipfile.ZipFile(archive) as file:
        assert file.read("lib/ca-certificates.crt") == Path("/etc/ssl/certs/ca-certificates.crt").read_bytes()


def test_the_image_has_the_libraries_that_the_program_is_linked_to():
    """The packages of those that the program names itself; what those need, Debian's packages bring."""
    named = re.findall(r"NEEDED +(\S+)", subprocess.run(
        ["objdump", "-p", binary("paypulse-lambda")], capture_output=True, text=True, check=True).stdout)
    found = dict(re.findall(r"(\S+) => (\S+)", subprocess.run(
        ["ldd", binary("paypulse-lambda")], capture_output=True, text=True, check=True).stdout))
    packages = set()
    for library in named:
        owner = subprocess.run(
            ["dpkg-query", "--search", f"*/{library}"], capture_output=True, text=True).stdout.split(":")[0]
        # Swift's own libraries are no package's, and in a release build a part of the program.
        if owner and not found.get(library, "").startswith(os.path.dirname(found.get("libswiftCore.so", "//"))):
            packages.add(owner)
    in_image = {"libc6", "libgcc-s1"} | set(re.findall(r"[a-z0-9+.-]+", re.search(
        r"--no-install-recommends ([^\\]*)", (FOLDER / "Dockerfile").read_text())[1]))
    assert packages <= in_image
    assert "libcurl4" in packages


def test_the_same_program_makes_the_same_zip(archive, tmp_path):
    package(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()
