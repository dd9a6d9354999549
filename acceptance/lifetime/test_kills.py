"""Killed at any moment: what was answered 2xx is there after each restart, and no revocation is forgotten."""

import random
import subprocess

import pytest

from harness.waiting import until

from load import Load

KILLS = 55


def connection(user) -> str | None:
    """The Google account that the user is connected to."""
    profile = user.profile
    assert profile["gmail_account_connected"] is (profile["gmail_connection"]["status"] == "connected")
    return profile["gmail_connection"].get("google_email")


def check(load, seen: int) -> int:
    """Everything that was answered before the kill; gives how many sign-ups are checked now."""
    assert load.problems == []
    for person in load.people:
        found = connection(person.user)
        assert found in person.possible, (found, person.possible)
        load.settle(person, found)
    for user in load.signed_up[seen:]:
        assert user.profile["email"] == user.email
    return len(load.signed_up)


@pytest.mark.slow
def test_everything_answered_2xx_survives_55_kills_and_no_owed_revocation_is_forgotten(new_server, google):
    server = new_server()
    google.lifetime(30)
    steady = [server.someone() for _ in range(6)]
    for user in steady:
        user.connect(google)
    google.fault("revoke", 503, times=1_000_000)
    load = Load(server, google, people=18, seed=7)
    chance, seen, refreshing = random.Random(11), 0, []
    try:
        for round in range(KILLS):
            if len(refreshing) < 2:
                refreshing.append((steady[round % 3], server.begin("check-connection", steady[round % 3].email)))
            load.run_until(answers=chance.randrange(2, 16), sign_ups=round % 5 == 0, seconds=3)
            server.kill()
            load.pause()
            # Three of the grants are due for their daily use: the next server begins with refreshing them.
            for user in steady[3:]:
                server.sql("UPDATE connections SET next_use_at = 1 WHERE user_id = ?", user.id)
            server.start()
            seen = check(load, seen)
            refreshing = [each for each in refreshing if ended_well(*each)]
    finally:
        load.end()
    assert load.answered > KILLS * 2 and seen >= 5 and len(load.owed) >= 10, (load.answered, seen, len(load.owed))
    for user, program in refreshing:
        assert program.wait(60) == 0, program.log
    check_refreshes(server, google, steady)
    check_revocations(server, google, load)


def ended_well(user, program) -> bool:
    """Whether the command is still at work; one that has ended must have succeeded."""
    code = program.process.poll()
    if code is None:
        return True
    assert program.wait() == 0, (user.email, program.log)
    return False


def check_refreshes(server, google, steady) -> None:
    """Nobody lost a connection to a refresh that was killed in the air. Its lease ends by itself; here at once."""
    server.sql("UPDATE leases SET expires_at = 0")
    for user in steady:
        try:
            result = server.check_connection(user)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(user.email) from late
        assert result.returncode == 0, result
        assert user.status == "connected"


def check_revocations(server, google, load) -> None:
    """After the last restart every account that was let go of is revoked, and none that is held."""
    google.clear("revoke")

    def paid() -> bool:
        server.stop()
        # A minute passes: the next attempts are due, and revokers that were killed at it count as dead.
        server.sql("UPDATE revocations SET next_attempt_at = 0")
        server.sql("UPDATE revocation_marks SET started_at = started_at - 60000001 WHERE ended_at IS NULL")
        before = server.sql("SELECT count(*) FROM revocations")[0][0]
        server.start()  # Each sweep pays fifty.
        until(lambda: server.sql("SELECT count(*) FROM revocations")[0][0] <= max(0, before - 50), "a sweep to pay")
        return before <= 50

    until(paid, "all debts to be paid", within=60)
    for email, refresh_token in load.owed:
        assert google.token_error(refresh_token) == "invalid_grant", email
    for person in load.people:
        if person.current:
            assert server.check_connection(person.user).returncode == 0
