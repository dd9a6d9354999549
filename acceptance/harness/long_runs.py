"""What takes real time: it happens beside the other tests, with an emulator and a server of its own."""

import signal
import time

from . import scratch
from .emulator import Emulator
from .server import Server
from .waiting import until

EXPIRED, FRESH = 30, 3599


def _expired_connection():
    google = Emulator()
    server = Server(google.url)
    user = server.someone()
    google.lifetime(EXPIRED)
    user.connect(google)
    google.lifetime(FRESH)
    return google, server, user


def a_token_endpoint_that_takes_30_seconds() -> None:
    """1,000 requests over 8 processes wait for one refresh, and it is one."""
    google, server, user = _expired_connection()
    google.fault("token", delay_ms=30_000)
    with google.counting() as calls:
        programs = [server.begin("check-connection", user.email, "--concurrent", "125") for _ in range(8)]
        codes = [program.wait(120) for program in programs]
    assert codes == [0] * 8, [program.log for program in programs]
    assert (calls["token"], calls["gmail"]) == (1, 1000), calls
    assert server.stop() == 0
    google.stop()


def a_process_that_is_stopped_for_more_than_its_lease() -> None:
    """Stopped inside its refresh; another takes over when the 60 s are over; then the first wakes up."""
    google, server, user = _expired_connection()
    google.fault("token", delay_ms=1500)
    before, start = google.counts()["token"], time.monotonic()
    sleeper = server.begin("check-connection", user.email)
    until(lambda: google.counts()["token"] > before, "the refresh to be in the air")
    sleeper.signal(signal.SIGSTOP)
    other = server.begin("check-connection", user.email)
    assert other.wait(150) == 0, other.log
    assert time.monotonic() - start > 59, "nobody takes a lease that is still live"
    stored = server.sql("SELECT version, revision FROM connections")
    sleeper.signal(signal.SIGCONT)
    assert sleeper.wait(100) == 0, sleeper.log
    assert server.sql("SELECT version, revision FROM connections") == stored
    assert google.counts()["token"] - before == 2
    assert user.status == "connected" and server.check_connection(user).returncode == 0
    assert server.stop() == 0
    google.stop()


def a_sender_who_never_gets_done() -> None:
    """10 s to send a request, however its bytes trickle in; 408, or just the end; others are served meanwhile."""
    server = Server(None)
    trickle = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"a" * 200
    body = b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 200\r\n\r\n" + b" " * 150
    start = time.monotonic()
    links = [(server.address.open(30), iter(trickle)), (server.address.open(30), iter(body)), (server.address.open(30), iter(b"G"))]
    ended: dict[int, float] = {}
    while len(ended) < 3:
        assert time.monotonic() - start < 20, ended
        for number, (link, rest) in enumerate(links):
            if number in ended:
                continue
            piece = next(rest, None)
            if piece is not None:
                link.send(bytes([piece]))
            link.socket.settimeout(0.05)
            try:
                received = link.socket.recv(65536)
                assert received == b"" or received.startswith(b"HTTP/1.1 408 "), received
                ended[number] = time.monotonic() - start
            except TimeoutError:
                pass
            except ConnectionResetError:
                ended[number] = time.monotonic() - start
        assert server.get("/healthz").status == 200
    assert all(9 < seconds < 13 for seconds in ended.values()), ended
    for link, _ in links:
        link.socket.close()
    assert server.stop() == 0


def a_session_key_that_is_changed() -> None:
    """A function reads its settings again when a token does not verify, though not within 30 s of the last time."""
    from .lambda_server import LambdaServer
    from .moto import JWT_SECRET
    server = LambdaServer(None)
    user = server.someone()
    assert user.me().status == 200
    started = time.monotonic()
    server.jwt_secret = scratch.remember("the second session key, which is long enough too")
    server.world.put_secret(JWT_SECRET, server.jwt_secret)
    now = int(time.time())
    token = server.sign({"user_id": user.id, "email": user.email, "iat": now, "exp": now + 3600})
    assert server.get("/v1/user/me", token=token).status == 401, "read only just now"
    time.sleep(max(0.0, 31 - (time.monotonic() - started)))
    assert server.get("/v1/user/me", token=token).status == 200
    assert user.me().status == 401, "and the old key is none any more"
    server.stop()


ALL = {run.__name__: run for run in (
    a_token_endpoint_that_takes_30_seconds, a_process_that_is_stopped_for_more_than_its_lease,
    a_sender_who_never_gets_done,
    a_session_key_that_is_changed)}
