"""Memory of a server that has nothing to do, and of 5,000 connections that have nothing to say."""

import time

from .report import Report
from .stage import Stage
from .wire import Client, request

CONNECTIONS = 5000
WANTED_IDLE = 30
WANTED_MORE = 10


def measure(stage: Stage, report: Report, rounds: int) -> None:
    session = next(iter(stage.sessions.values()))
    idle, more = [], []
    for _ in range(rounds):
        with stage.server() as server:
            assert Client(server.port).get("/v1/user/me", session).status == 200
            time.sleep(0.2)
            before = server.resident_kilobytes()
            clients = [_used_connection(server.port) for _ in range(CONNECTIONS)]
            time.sleep(0.2)
            idle.append(before / 1024)
            more.append((server.resident_kilobytes() - before) / 1024)
            assert clients[0].send(request("GET", "/healthz")).status == 200, "it was still open"
    report.add("memory of an idle server", idle, "MB", below=WANTED_IDLE)
    beside = f"{sorted(more)[rounds // 2] * 1024 / CONNECTIONS:.2f} KB each"
    report.add("memory of 5,000 idle connections", more, "MB", below=WANTED_MORE, beside=beside)


def _used_connection(port: int) -> Client:
    """One that has had a reply and stays open."""
    client = Client(port)
    assert client.send(request("GET", "/healthz")).status == 200
    return client
