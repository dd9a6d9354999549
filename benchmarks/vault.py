"""The vault's durable stores from 64 writers, beside SQLite that commits every write by itself."""

import os
import sqlite3
import statistics
import time

from . import in_process
from .report import Report
from .stage import Stage

SECONDS = 2
WANTED = 5
# What the vault seals for one connection comes to about as much.
VALUE_BYTES = 900


def measure(stage: Stage, report: Report, rounds: int) -> None:
    ours, plain, syncs = [], [], []
    for _ in range(rounds):
        syncs.append(_sync_seconds(stage.path("sync")))
        plain.append(_commits_per_second(stage.path("plain.sqlite")))
        ours.append(in_process.run("vault-writes", stage.path("vault.sqlite")))
    sync = statistics.median(syncs)
    beside = f"{statistics.median(ours):,.0f}/s, one commit each {statistics.median(plain):,.0f}/s"
    ratios = [group / single for group, single in zip(ours, plain)]
    report.add("durable stores, 64 writers: of one commit each", ratios, "times", at_least=WANTED, beside=beside)
    report.add("durable stores in the time of one sync: the floor is 1", [rate * sync for rate in ours], "",
               beside=f"a sync takes {sync * 1e6:,.0f} µs")


def _commits_per_second(path: str) -> float:
    """SQLite itself: a prepared INSERT in a transaction of its own, in a plain loop."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT")
    value, count, begin = os.urandom(VALUE_BYTES), 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        database.execute("INSERT OR REPLACE INTO secrets VALUES (?, ?)", (f"gmail/user/{count % 64}", value))
        count += 1
    rate = count / (time.perf_counter() - begin)
    database.close()
    return rate


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
