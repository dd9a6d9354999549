"""Waiting for something to become true, with a deadline and no fixed sleeps."""

import time
from collections.abc import Callable


def until(condition: Callable[[], object], what: str, within: float = 10.0, every: float = 0.02):
    """Gives the condition's first true value; fails when there is none in time."""
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"waited {within} s in vain: {what}"
        time.sleep(every)
