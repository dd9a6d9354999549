"""`GET /v1/user/me` with its database reads, beside nginx with a static reply of the same size."""

import os
import re
import subprocess
from dataclasses import dataclass
from statistics import median

from .nginx import Nginx
from .programs import Program
from .report import Report
from .stage import Stage
from .wire import Client

CONNECTIONS = (64, 512)
SECONDS = 3
WANTED = 0.35


@dataclass
class Run:
    """What one run of wrk found."""

    requests_per_second: float
    cpu_microseconds: float


def measure(stage: Stage, report: Report, rounds: int) -> None:
    email, session = next(iter(stage.sessions.items()))
    with stage.emulator() as emulator, stage.server(f"http://127.0.0.1:{emulator.port}") as server:
        stage.connect(server, emulator, email)
    with stage.server() as server, stage.server(log=os.devnull) as silent:
        reply = Client(server.port).get("/v1/user/me", session)
        assert reply.json["data"]["gmail_account_connected"] is True, reply
        with Nginx(stage, len(reply.body)) as nginx:
            for connections in CONNECTIONS:
                runs: dict[str, list[Run]] = {"nginx": [], "server": [], "silent": []}
                for _ in range(rounds):
                    runs["nginx"].append(wrk(nginx, "/", None, connections))
                    runs["server"].append(wrk(server, "/v1/user/me", session, connections))
                    runs["silent"].append(wrk(silent, "/v1/user/me", session, connections))
                _report(report, runs, connections)


def _report(report: Report, runs: dict[str, list[Run]], connections: int) -> None:
    def rates(name: str) -> list[float]:
        return [run.requests_per_second for run in runs[name]]

    def ratios(name: str) -> list[float]:
        return [ours / floor for ours, floor in zip(rates(name), rates("nginx"))]

    def cost(name: str) -> list[float]:
        return [run.cpu_microseconds for run in runs[name]]

    name = f"profile, {connections} connections"
    report.add(f"{name}: requests/s of nginx's", ratios("server"), "times", at_least=WANTED,
               beside=f"{median(rates('server')):,.0f}/s, nginx {median(rates('nginx')):,.0f}/s")
    report.add(f"{name}: the same without a log", ratios("silent"), "times",
               beside=f"{median(rates('silent')):,.0f}/s")
    report.add(f"{name}: processor time of a request", cost("server"), "µs",
               beside=f"nginx {median(cost('nginx')):.1f} µs")


def wrk(program: Program, path: str, session: str | None, connections: int) -> Run:
    """Loads a program with as much as it takes."""
    command = ["wrk", "-t2", f"-c{connections}", f"-d{SECONDS}s", f"http://127.0.0.1:{program.port}{path}"]
    if session:
        command += ["-H", "Authorization: Bearer " + session]
    before = program.cpu_seconds()
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = program.cpu_seconds() - before
    assert "Non-2xx" not in output and "Socket errors" not in output, output
    requests = int(re.search(r"(\d+) requests in", output)[1])
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return Run(rate, used / requests * 1e6)
