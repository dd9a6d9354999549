"""Reads of a valid access token in the process that uses it, and the floor of every authenticated request."""

from . import in_process
from .report import Report
from .stage import Stage

WANTED = 100_000


def measure(stage: Stage, report: Report, rounds: int) -> None:
    reads, verified, sealed = [], [], []
    for _ in range(rounds):
        reads.append(in_process.run("token-reads", stage.path("tokens.sqlite")))
        verified.append(1e6 / in_process.run("session-checks"))
        sealed.append(1e6 / in_process.run("hmac"))
    report.add("valid access tokens, 64 readers", reads, "/s", at_least=WANTED)
    report.add("checking a session token", verified, "µs")
    report.add("the HMAC in it: the floor", sealed, "µs")
