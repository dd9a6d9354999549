"""Many requests at once from one thread: a list of connections, each with requests to send in turn."""

import asyncio
import time

from .wire import content_length


class Exchange(asyncio.Protocol):
    """One connection; a request at a time. It does as little as it can: it is not what is measured."""

    def __init__(self):
        self.pending = b""
        self.waiting: asyncio.Future | None = None

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.pending += data
        end = self.pending.find(b"\r\n\r\n") + 4
        if end > 3 and len(self.pending) >= end + content_length(self.pending[:end]):
            reply, self.pending = self.pending, b""
            self.waiting.set_result(reply)

    def connection_lost(self, _) -> None:
        if self.waiting and not self.waiting.done():
            self.waiting.set_exception(ConnectionError("the server closed the connection"))

    async def send(self, message: bytes) -> tuple[int, float]:
        """The status of the reply, and the seconds until it was there."""
        self.waiting = asyncio.get_running_loop().create_future()
        start = time.perf_counter()
        self.transport.write(message)
        reply = await self.waiting
        return int(reply[9:12]), time.perf_counter() - start

    def close(self) -> None:
        self.transport.close()


async def connection(port: int) -> Exchange:
    """A new connection."""
    return (await asyncio.get_running_loop().create_connection(Exchange, "127.0.0.1", port))[1]


async def in_turn(port: int, messages: list[bytes], status: int) -> list[float]:
    """Sends messages one after the other over one connection; how long each took, in seconds."""
    exchange = await connection(port)
    latencies = []
    for message in messages:
        found, latency = await exchange.send(message)
        assert found == status, f"status {found} instead of {status}"
        latencies.append(latency)
    exchange.close()
    return latencies


async def at_once(port: int, batches: list[list[bytes]], status: int) -> list[float]:
    """Every batch over a connection of its own, all at the same time."""
    found = await asyncio.gather(*(in_turn(port, batch, status) for batch in batches))
    return [latency for latencies in found for latency in latencies]
