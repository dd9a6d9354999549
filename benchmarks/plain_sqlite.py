"""SQLite itself: a prepared INSERT in a transaction of its own, in a plain loop. As a program: `FILE`, to print the rate."""

import os
import sqlite3
import sys
import time

SECONDS = 2
# What the vault seals for one connection comes to about as much.
VALUE_BYTES = 900


def commits_per_second(path: str) -> float:
    """How many writes a second become durable, one after the other."""
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


if __name__ == "__main__":
    print(commits_per_second(sys.argv[1]))
