"""The profile while 200 people sign in at once: hashing passwords must not hold it up."""

import asyncio
import time

from . import load
from .report import Report, percentile
from .stage import PASSWORD, Stage
from .wire import request

RATE = 64
WANTED = 50


def measure(stage: Stage, report: Report, rounds: int) -> None:
    session = next(iter(stage.sessions.values()))
    profile = request("GET", "/v1/user/me", session=session)
    logins = [[request("POST", "/v1/auth/login", {"email": email, "password": PASSWORD})] for email in stage.sessions]
    median, tail, busy, took = [], [], [], []
    with stage.server() as server:
        for _ in range(rounds):
            paced, steady, seconds = asyncio.run(_round(server.port, profile, logins))
            median.append(percentile(paced, 0.5) * 1000)
            tail.append(percentile(paced, 0.99) * 1000)
            busy.append(percentile(steady, 0.99) * 1000)
            took.append(seconds)
    report.add("profile during 200 sign-ins: p50", median, "ms")
    report.add("profile during 200 sign-ins: p99", tail, "ms", below=WANTED, beside=f"{RATE} requests/s")
    report.add("profile during 200 sign-ins: p99 of a busy connection", busy, "ms", below=WANTED)
    report.add("200 sign-ins at once", took, "s", beside="bcrypt of cost 12 on every processor")


async def _round(port: int, profile: bytes, logins: list[list[bytes]]) -> tuple[list[float], list[float], float]:
    """The latencies of the paced profiles and of the busy connection, and how long the sign-ins took."""
    begin = time.perf_counter()
    signing_in = asyncio.create_task(load.at_once(port, logins, 200))
    steady = asyncio.create_task(_busy(port, profile, signing_in))
    paced = await _paced(port, profile, signing_in)
    await signing_in
    return paced, await steady, time.perf_counter() - begin


async def _paced(port: int, profile: bytes, until: asyncio.Task) -> list[float]:
    """Requests that begin at their appointed times, whether those before were answered or not."""
    exchanges = [await load.connection(port) for _ in range(RATE)]
    sent, number, begin = [], 0, time.perf_counter()
    while not until.done():
        sent.append(asyncio.create_task(exchanges[number % RATE].send(profile)))
        number += 1
        await asyncio.sleep(max(0, begin + number / RATE - time.perf_counter()))
    replies = await asyncio.gather(*sent)
    assert all(status == 200 for status, _ in replies)
    return [latency for _, latency in replies]


async def _busy(port: int, profile: bytes, until: asyncio.Task) -> list[float]:
    """One request after the other."""
    exchange, latencies = await load.connection(port), []
    while not until.done():
        status, latency = await exchange.send(profile)
        assert status == 200
        latencies.append(latency)
    return latencies
