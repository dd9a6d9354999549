"""`POST /v1/auth/gmail-tokens` from 64 people at once, against an emulator without latency."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import load
from .report import Report, percentile
from .stage import Minting, Stage
from .wire import request

CONNECTIONS = 64
UPLOADS = 25
PROCESSES = 2
WANTED_CPU = 0.5


def measure(stage: Stage, report: Report, rounds: int) -> None:
    cpu, median, tail, rates = [], [], [], []
    emails = list(stage.sessions)[:CONNECTIONS]
    with stage.emulator() as emulator, stage.server(f"http://127.0.0.1:{emulator.port}") as server:
        minting = Minting(emulator)
        for email in emails:
            minting.mint(email)
        with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
            for _ in range(rounds):
                batches = [[_upload(minting, email, stage.sessions[email]) for _ in range(UPLOADS)] for email in emails]
                before = server.cpu_seconds()
                parts = pool.map(_send, [server.port] * PROCESSES, [batches[n::PROCESSES] for n in range(PROCESSES)])
                results = list(parts)
                cpu.append((server.cpu_seconds() - before) / (CONNECTIONS * UPLOADS) * 1000)
                latencies = [latency * 1000 for latencies in results for latency in latencies]
                median.append(percentile(latencies, 0.5))
                tail.append(percentile(latencies, 0.99))
                rates.append(CONNECTIONS / (sum(latencies) / len(latencies)) * 1000)
    report.add("connect Gmail: our processor time", cpu, "ms", below=WANTED_CPU, beside="3 calls to Google and 1 write")
    report.add("connect Gmail, 64 at once: p50", median, "ms")
    report.add("connect Gmail, 64 at once: p99", tail, "ms")
    report.add("connect Gmail, 64 at once: rate", rates, "/s", beside="on the processors that the emulator runs on too")


def _upload(minting: Minting, email: str, session: str) -> bytes:
    return request("POST", "/v1/auth/gmail-tokens", minting.again(email), session)


def _send(port: int, batches: list[list[bytes]]) -> list[float]:
    return asyncio.run(load.at_once(port, batches, 201))
