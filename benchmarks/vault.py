"""The vault's durable stores from 64 writers, beside SQLite that commits every write by itself."""

import os
import statistics
import sys
import time

from . import in_process
from .plain_sqlite import commits_per_second
from .report import Report
from .stage import Stage

WANTED = 5
# A network disk syncs in 0.5 to 1 ms, a local one of a virtual machine often in less than 0.1.
SLOWER_MICROSECONDS = 500


def measure(stage: Stage, report: Report, rounds: int) -> None:
    ours, plain, syncs = [], [], []
    for _ in range(rounds):
        syncs.append(_sync_seconds(stage.path("sync")))
        plain.append(commits_per_second(stage.path("plain.sqlite")))
        ours.append(in_process.run("vault-writes", stage.path("vault.sqlite")))
    sync = statistics.median(syncs)
    _add(report, "durable stores, 64 writers: of one commit each", ours, plain)
    report.add("durable stores in the time of one sync: the floor is 1", [rate * sync for rate in ours], "",
               beside=f"a sync takes {sync * 1e6:,.0f} µs")
    _measure_slower(stage, report, rounds)


def _measure_slower(stage: Stage, report: Report, rounds: int) -> None:
    """The same on a disk whose syncs take longer."""
    ours, plain = [], []
    with_delay = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", os.devnull, "-e", "trace=fsync,fdatasync",
                  "-e", f"inject=fsync,fdatasync:delay_exit={SLOWER_MICROSECONDS}"]
    for _ in range(rounds):
        plain.append(in_process.rate([*with_delay, sys.executable, "-m", "benchmarks.plain_sqlite", stage.path("plain.sqlite")]))
        ours.append(in_process.rate([*with_delay, *in_process.command("vault-writes", stage.path("vault.sqlite"))]))
    _add(report, f"the same where a sync takes {SLOWER_MICROSECONDS / 1000} ms longer", ours, plain)


def _add(report: Report, name: str, ours: list[float], plain: list[float]) -> None:
    beside = f"{statistics.median(ours):,.0f}/s, one commit each {statistics.median(plain):,.0f}/s"
    report.add(name, [group / single for group, single in zip(ours, plain)], "times", at_least=WANTED, beside=beside)


def _sync_seconds(path: str) -> float:
    """The median time that the disk takes for one small write."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    times = []
    for _ in range(200):
        os.write(file, b"x" * 4096)
        begin = time.perf_counter()
        os.fdatasync(file)
        times.append(time.perf_counter() - begin)
    os.close(file)
    return statistics.median(times)
