"""Refreshes that meet other refreshes, uploads, disconnects (DESIGN 3.4, 3.1 rule 6; group E of the cases)."""

import json
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.emulator import subject
from harness.waiting import until

EXPIRED, FRESH = 30, 3599
MINUTE = 60_000_000


@pytest.fixture
def home(new_server, google, recorder):
    """Someone whose token needs a refresh at each use; Google is watched, and can be made to answer late."""
    server = new_server(recorder.url)
    user = server.someone()
    google.lifetime(EXPIRED)
    tokens = user.connect(google)
    return server, user, tokens


def stored(server):
    """What names the newest write of the only connection."""
    return server.sql("SELECT version, revision, status, google_sub FROM connections")


@pytest.mark.parametrize("leaving_out", [..., None, ""])
def test_31_6_a_reconnect_without_a_refresh_token_while_a_rotating_refresh_is_in_the_air(home, google, recorder, leaving_out):
    """Never lost: Google has rotated R1 away, and only the answer in the air knows R2."""
    server, user, _ = home
    google.settings(rotate_refresh_tokens=True)
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    reply = user.upload(google.mint(user.gmail), refresh_token=leaving_out)
    assert reply.status == 201 and reply.data["message"] == "Same Google account or first connection"
    held.release()
    assert program.wait() == 0
    assert user.status == "connected"
    for _ in range(2):
        assert server.check_connection(user).returncode == 0, "R2 was kept"
    assert user.status == "connected"


def test_e2_the_reconnect_lands_first_and_the_lost_race_is_no_death(home, google, recorder):
    """E2: an upload with a new refresh token while the old one's refresh fails: the new one is what counts."""
    server, user, _ = home
    held = recorder.hold("/token")
    google.oauth_fault("invalid_grant")
    program = server.begin("check-connection", user.email)
    held.wait()
    assert user.upload(google.mint(user.gmail)).status == 201
    held.release()
    assert program.wait() == 0, "it looks again and finds the new grant"
    assert user.status == "connected"


def test_34_a_refresh_that_ends_after_a_disconnect_is_dropped(home, google, recorder):
    server, user, _ = home
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    assert user.disconnect().data == {"revoked": True}
    held.release()
    assert program.wait() == 1
    assert user.connection == {"status": "not_connected"}
    assert server.sql("SELECT count(*) FROM secrets") == [(0,)]


def test_34_a_refresh_that_ends_after_the_account_was_deleted_is_dropped(home, google, recorder):
    server, user, _ = home
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    assert user.delete().status == 200
    held.release()
    assert program.wait() == 1
    assert [server.sql(f"SELECT count(*) FROM {table}") for table in ("users", "connections", "secrets", "leases")] == [[(0,)]] * 4


@pytest.mark.parametrize("refresh", [True, False])
def test_34_a_refresh_that_ends_after_a_switch_is_dropped(home, google, recorder, refresh):
    """E, A10: the old account's fresh token must not end up with the new account."""
    server, user, _ = home
    other = "other-" + user.gmail
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    google.lifetime(FRESH)
    user.connect(google, other, refresh=refresh)
    after = stored(server)
    held.release()
    program.wait()
    assert stored(server) == after and after[0][3] == subject(other)
    result = server.check_connection(user)
    assert result.returncode == 0 and result.stdout.startswith(other), result


def test_34_a_refresh_that_ends_after_a_new_grant_is_dropped(home, google, recorder):
    """A9: an upload with a refresh token of the same account is a new grant; B keeps the newest."""
    server, user, _ = home
    google.settings(rotate_refresh_tokens=True)
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    google.lifetime(FRESH)
    user.connect(google)
    after = stored(server)
    held.release()
    assert program.wait() == 0
    assert stored(server) == after


def test_34_a_process_that_lost_its_lease_writes_nothing_over_the_one_that_took_over(home, google, recorder):
    """SIGSTOP inside a refresh; the lease's end is moved up in the database; another takes over; SIGCONT."""
    server, user, _ = home
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    program.signal(signal.SIGSTOP)
    held.release()
    assert server.sql("UPDATE leases SET expires_at = expires_at - ? RETURNING fence", MINUTE + 1) == [(1,)]
    google.lifetime(FRESH)
    assert server.check_connection(user).returncode == 0
    after = stored(server)
    program.signal(signal.SIGCONT)
    assert program.wait() == 0
    assert stored(server) == after, "the late result was written over the newer one"
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 0
    assert calls["token"] == 0, "the fresh token of the one that took over is still there"


def test_34_a_late_success_revives_what_a_newer_flight_took_for_dead(home, google, recorder):
    """The one exception: a process that was stopped while Google rotated the token alone has the new one."""
    server, user, _ = home
    google.settings(rotate_refresh_tokens=True)
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    program.signal(signal.SIGSTOP)
    server.sql("UPDATE leases SET expires_at = expires_at - ?", MINUTE + 1)
    assert server.check_connection(user).returncode == 1, "R1 was rotated away: invalid_grant"
    assert user.status == "needs_reconnect"
    held.release()
    program.signal(signal.SIGCONT)
    assert program.wait() == 0
    assert user.status == "connected" and user.profile["gmail_account_connected"] is True
    assert server.check_connection(user).returncode == 0
    assert server.sql("SELECT count(*) FROM asides") == [(0,)]


def test_34_a_late_success_does_not_revive_what_was_disconnected_meanwhile(home, google, recorder):
    server, user, _ = home
    google.settings(rotate_refresh_tokens=True)
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    server.sql("UPDATE leases SET expires_at = expires_at - ?", MINUTE + 1)
    assert server.check_connection(user).returncode == 1
    user.disconnect()
    held.release()
    assert program.wait() == 1
    assert user.connection == {"status": "not_connected"}


def test_34_a_lease_far_in_the_future_counts_as_past(home, google):
    """A wrong clock: an expiry more than 120 s ahead holds nobody off."""
    server, user, _ = home
    assert server.check_connection(user).returncode == 0
    server.sql("UPDATE leases SET expires_at = expires_at + ?", 3600 * 1_000_000)
    assert server.check_connection(user, timeout=15).returncode == 0


def test_34_a_killed_process_leaves_a_lease_that_ends_by_itself(home, google, recorder):
    """Until then others wait; afterwards they refresh."""
    server, user, _ = home
    held = recorder.hold("/token")
    program = server.begin("check-connection", user.email)
    held.wait()
    program.kill()
    held.release()
    waiting = server.begin("check-connection", user.email)
    with google.counting() as calls:
        until(lambda: len(recorder.calls) > 0 and waiting.process.poll() is None, "the other to wait")
        server.sql("UPDATE leases SET expires_at = expires_at - ?", MINUTE + 1)
        assert waiting.wait() == 0
    assert calls["token"] == 1


def test_34_two_servers_and_a_command_share_one_flight(home, google, recorder):
    """Safe together: the flight of one process is waited for by the others."""
    server, user, _ = home
    beside = server.beside()
    google.lifetime(FRESH)
    held = recorder.hold("/token")
    calls = len(recorder.to("/token"))
    programs = [server.begin("check-connection", user.email, "--concurrent", "5") for _ in range(4)]
    held.wait()
    assert user.status == "connected" and beside.get("/v1/user/me", token=user.token).status == 200
    held.release()
    assert [program.wait() for program in programs] == [0] * 4
    assert len(recorder.to("/token")) - calls == 1
    beside.stop()


@pytest.mark.slow
def test_e1_1000_requests_over_8_processes_cause_exactly_one_refresh(new_server, google):
    """Never lost: 1,000 concurrent token requests on one expired connection."""
    server = new_server()
    user = server.someone()
    google.lifetime(EXPIRED)
    user.connect(google)
    google.lifetime(FRESH)
    google.fault("token", delay_ms=3000)  # All are there before the first answer.
    with google.counting() as calls:
        programs = [server.begin("check-connection", user.email, "--concurrent", "125") for _ in range(8)]
        assert [program.wait(60) for program in programs] == [0] * 8
    assert (calls["token"], calls["gmail"]) == (1, 1000), calls


@pytest.mark.slow
def test_e5_with_rotation_on_200_racing_refreshes_lose_no_connection(new_server, google):
    """Every use needs a refresh, and each refresh ends the token of the one before."""
    server = new_server()
    google.settings(rotate_refresh_tokens=True)
    google.lifetime(EXPIRED)
    users = [server.someone() for _ in range(10)]
    for user in users:
        user.connect(google)
    before = google.counts()["token"]
    with ThreadPoolExecutor(10) as pool:
        results = list(pool.map(server.check_connection, users * 20))
    assert [result.returncode for result in results] == [0] * 200, [result.stderr for result in results if result.returncode]
    assert google.counts()["token"] - before >= 100, "they really did refresh"
    for user in users:
        assert user.status == "connected"
        assert server.check_connection(user).returncode == 0
    assert server.sql("SELECT count(*) FROM asides") == [(0,)]
    assert json.dumps(server.events(level="alert")) == "[]"
