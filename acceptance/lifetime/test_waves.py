"""A wave of false deaths (DESIGN 3.3): nobody loses their connection to a mistake of Google's or an operator's."""

import pytest

from harness.waiting import until

CROWD = 12


@pytest.fixture
def crowd(new_server, google):
    server = new_server()
    google.lifetime(30)
    users = [server.someone() for _ in range(CROWD)]
    for user in users:
        user.connect(google)
    return server, users


def check_all(server, users):
    return [server.check_connection(user).returncode for user in users]


def wave(server, google):
    """Every grant's daily use falls due, and Google says `invalid_grant` to all of them; then it is well again.
    The server that runs now sweeps again in half a minute."""
    google.oauth_fault("invalid_grant", times=1000)
    server.stop()
    server.sql("UPDATE connections SET next_use_at = 1")
    before = google.counts()["token"]
    server.start()
    # The sweep tries each once, and then one of those that it had set aside before it grew doubtful.
    until(lambda: google.counts()["token"] - before == CROWD + 1, "the sweep to use every grant")
    until(lambda: server.sql("SELECT count(*) FROM asides") == [(4,)], "its last trial to end")
    google.clear("token")


def test_33_after_a_wave_of_false_invalid_grant_everyone_works_with_nobody_reconnecting(crowd, google):
    """At least 5 users and over 20 %: nothing more is deleted, one alert; a success restores what was set aside."""
    server, users = crowd
    wave(server, google)
    statuses = [user.status for user in users]
    assert statuses.count("needs_reconnect") == 4, statuses
    assert statuses.count("connected") == CROWD - 4, statuses
    assert [line["event"] for line in server.events(level="alert")] == ["wave_of_invalid_grant"]
    assert set(check_all(server, users)) == {0}
    assert [user.status for user in users] == ["connected"] * CROWD
    assert server.sql("SELECT count(*) FROM asides") == [(0,)]


def test_33_one_success_brings_back_what_the_wave_took_and_it_is_tried_once(crowd, google):
    """What was set aside is restored and tried once: whoever is really dead then stays so."""
    server, users = crowd
    wave(server, google)
    gone = [user for user in users if user.status == "needs_reconnect"]
    google.revoke(gone[0].gmail)
    survivor = next(user for user in users if user.status == "connected")
    assert server.check_connection(survivor).returncode == 0
    assert [user.status for user in gone] == ["connected"] * 4
    server.restart()  # They are due for a use; the sweep of a start tries them.
    until(lambda: gone[0].status == "needs_reconnect", "the really dead one to be believed")
    assert [user.status for user in gone[1:]] == ["connected"] * 3


def test_33_the_sweep_of_a_start_ends_the_doubt_by_itself(crowd, google):
    """Nobody has to come by: one of those set aside is tried each round."""
    server, users = crowd
    wave(server, google)
    server.restart()
    until(lambda: all(user.status == "connected" for user in users), "the sweep to restore everyone")


def test_33_few_deaths_are_believed_at_once(crowd, google):
    """Four users, or a fifth at most: people do leave."""
    server, users = crowd
    for user in users[:4]:
        google.revoke(user.gmail)
    assert check_all(server, users) == [1] * 4 + [0] * (CROWD - 4)
    assert [user.status for user in users[:4]] == ["needs_reconnect"] * 4
    assert server.events(level="alert") == []
