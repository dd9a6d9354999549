"""From starting the process to its first verified replies, over a database that exists."""

import subprocess
import time

from .programs import Program
from .report import Report
from .stage import Stage
from .wire import Client

STARTS = 5
WANTED = 20


def measure(stage: Stage, report: Report, rounds: int) -> None:
    session = next(iter(stage.sessions.values()))
    command, log = stage.server_command(), stage.path("server.log")
    starts, floors = [], []
    for _ in range(rounds * STARTS):
        starts.append(_start(command, log, session))
        floors.append(_run([command[0], "help"]))
    floor = sorted(floors)[len(floors) // 2]
    report.add("start to the first verified profile", starts, "ms", below=WANTED,
               beside=f"{floor:.1f} ms for the program alone")


def _start(command: list[str], log: str, session: str) -> float:
    begin = time.perf_counter()
    with Program(command, log) as server:
        client = Client(server.port)
        assert client.get("/healthz").status == 200
        reply = client.get("/v1/user/me", session)
        took = time.perf_counter() - begin
        assert reply.json["data"]["email"], reply
    return took * 1000


def _run(command: list[str]) -> float:
    """A program that starts, prints its help and ends."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000
