"""The function on AWS, beside small Python handlers over boto3 that do the same work on the same machine."""

import json
import os
import signal
import statistics
import sys
import time

import jwt

from acceptance.harness.aws_faults import FaultyAWS
from acceptance.harness.gateway import event
from acceptance.harness.moto import CLIENT_ID_SECRET, JWT_SECRET, USERS, World

from .programs import REPOSITORY, Program, binary
from .report import Report, percentile
from .stage import CLIENT_ID, Minting, Stage
from .stopwatch import FunctionProcess
from .wire import Client

STARTS, WARM = 4, 60
START, MEMORY, CANNED, OVER_MOTO = 40, 30, 2, 1
USER, EMAIL = "user_0b7c0d3e-1111-4222-8333-944445555666", "ada@example.com"
SESSION_KEY = "the session key of the benchmarks, of a good length"
PYTHON = {name: [sys.executable, os.path.join(REPOSITORY, "benchmarks", "handlers", name + ".py")]
          for name in ("profile", "store_tokens")}


def measure(stage: Stage, report: Report, rounds: int) -> None:
    with stage.emulator() as google:
        world = _world()
        pairs = [Minting(google).mint("ada@gmail.example") for _ in range(2)]
        events = {"profile": [_event("GET", "/v1/user/me", None)],
                  # In turn: an upload that is repeated is answered without asking Google.
                  "store_tokens": [_event("POST", "/v1/auth/gmail-tokens", pair) for pair in pairs]}
        environment = world.environment | {"PAYPULSE_GOOGLE_BASE_URL": f"http://127.0.0.1:{google.port}", "PAYPULSE_NO_RATE_LIMITS": "true"}
        ours = [binary("paypulse-lambda")]
        with FunctionProcess(ours, environment) as process:
            for each in events["store_tokens"]:
                _check(process.invoke(each)[1])
        for name, both in events.items():
            words = name.replace("_", " ")
            moto = _measure(ours, environment, both, rounds), _measure(PYTHON[name], environment, both, rounds)
            with _Canned(world, stage) as canned:
                memory = []
                for command in (ours, PYTHON[name]):
                    canned.record()
                    told = environment | {"AWS_ENDPOINT_URL": canned.url}
                    with FunctionProcess(command, told) as process:
                        for each in both * 2:
                            _check(process.invoke(each)[1])
                    canned.replay()
                    memory.append(_measure(command, told, both, rounds))
            _report(report, words, moto, memory)
        beyond, alone = _beyond_moto(world, environment, ours, events["profile"][0], rounds)
        report.add("function, profile: warm, beyond moto's own time", beyond, "ms", below=OVER_MOTO,
                   beside=f"{statistics.median(alone):.1f} ms of moto's")


class Measured:
    """What the processes of one command took."""

    def __init__(self):
        self.starts: list[float] = []
        self.memory: list[float] = []
        self.warm: list[float] = []
        self.cpu: list[float] = []


def _measure(command: list[str], environment: dict[str, str], events: list[bytes], rounds: int) -> Measured:
    found = Measured()
    for _ in range(rounds):
        for _ in range(STARTS):
            with FunctionProcess(command, environment) as process:
                took, body = process.first(events[0])
                _check(body)
                found.starts.append(took)
                found.memory.append(process.peak_kilobytes / 1024)
        with FunctionProcess(command, environment) as process:
            for each in events * 3:
                _check(process.invoke(each)[1])
            cpu = process.cpu_seconds
            for number in range(WARM):
                took, body = process.invoke(events[number % len(events)])
                _check(body)
                found.warm.append(took)
            found.cpu.append((process.cpu_seconds - cpu) / WARM * 1000)
            found.memory.append(process.peak_kilobytes / 1024)
    return found


def _check(body: bytes) -> None:
    assert json.loads(body)["statusCode"] in (200, 201), body


def _report(report: Report, name: str, moto, canned) -> None:
    def add(what, kind, pick, unit, **wanted):
        ours, python = pick(kind[0]), pick(kind[1])
        report.add(f"function, {name}: {what}", ours, unit, beside=f"Python {statistics.median(python):.1f}", **wanted)
    profile = name == "profile"
    add("start to the first reply, on moto", moto, lambda each: each.starts, "ms", **({"below": START} if profile else {}))
    add("peak memory", moto, lambda each: each.memory, "MB", below=MEMORY)
    add("warm, on moto", moto, lambda each: each.warm, "ms")
    add("warm, AWS answering at once", canned, lambda each: each.warm, "ms", **({"below": CANNED} if profile else {}))
    add("the same, p95", canned, lambda each: [percentile(each.warm, 0.95)], "ms")
    add("the same, processor time", canned, lambda each: each.cpu, "ms")


def _world() -> World:
    """An AWS with a user in it."""
    world = World()
    world.put_secret(JWT_SECRET, SESSION_KEY)
    world.put_secret(CLIENT_ID_SECRET, CLIENT_ID)
    world.dynamodb.put_item(TableName=USERS, Item={
        "UserID": {"S": USER}, "Email": {"S": EMAIL}, "Name": {"S": "Ada Example"}, "Password": {"S": "-"},
        "CreatedOn": {"S": "2025-07-01"}, "CreatedAt": {"S": "12:34:56.000000"}})
    return world


def _event(method: str, path: str, body: dict | None) -> bytes:
    now = int(time.time())
    session = jwt.encode({"user_id": USER, "email": EMAIL, "iat": now, "exp": now + 86400}, SESSION_KEY, algorithm="HS256")
    fields = [("Authorization", "Bearer " + session), ("Content-Type", "application/json"), ("User-Agent", "bench"), ("Accept", "*/*")]
    return json.dumps(event(method, path, fields, b"" if body is None else json.dumps(body).encode())).encode()


class _Canned:
    """AWS's answers out of memory, learned from `moto`."""

    def __init__(self, world: World, stage: Stage):
        self.world, self.stage = world, stage
        self.program: Program | None = None

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        if self.program:
            self.program.__exit__()

    def record(self) -> None:
        """Begins anew: what one program asked says nothing to the other."""
        self.__exit__()
        self.program = Program([sys.executable, os.path.join(REPOSITORY, "benchmarks", "canned.py"), self.world.endpoint])

    def replay(self) -> None:
        self.program.process.send_signal(signal.SIGUSR1)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.program.port}"


def _beyond_moto(world: World, environment: dict[str, str], command: list[str], made: bytes, rounds: int) -> tuple[list[float], list[float]]:
    """What an invocation takes beyond the time that `moto` takes for its requests, and that time: each invocation is
    followed by the same requests over plain sockets."""
    requests = _requests(world, environment, command, made)
    beyond, alone = [], []
    with FunctionProcess(command, environment) as process:
        for number in range(rounds * WARM + 10):
            took, body = process.invoke(made)
            _check(body)
            begin = time.perf_counter()
            for each in requests:
                # It closes each connection after one reply.
                client = Client(int(world.endpoint.rsplit(":", 1)[1]))
                assert client.send(each).status == 200
                client.socket.close()
            floor = (time.perf_counter() - begin) * 1000
            if number >= 10:
                alone.append(floor)
                beyond.append(took - floor)
    return beyond, alone


def _requests(world: World, environment: dict[str, str], command: list[str], made: bytes) -> list[bytes]:
    """What an invocation asks of AWS."""
    watched = FaultyAWS(world.endpoint)
    with FunctionProcess(command, environment | {"AWS_ENDPOINT_URL": watched.url}) as process:
        _check(process.invoke(made)[1])
        watched.calls.clear()
        _check(process.invoke(made)[1])
    watched.close()
    return [_raw(world, call) for call in watched.calls]


def _raw(world: World, call) -> bytes:
    service = "dynamodb" if call.service.startswith("Dynamo") else "secretsmanager"
    version = "1.0" if service == "dynamodb" else "1.1"
    scope = f"Credential=AKIAIOSFODNN7EXAMPLE/20260101/{world.region}/{service}/aws4_request"
    body = call.body.encode()
    return (f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-amz-json-{version}\r\n"
            f"X-Amz-Target: {call.service}.{call.action}\r\n"
            f"Authorization: AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=0\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
