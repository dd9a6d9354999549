"""`gmail_connection.status` as the profile shows it (DESIGN 3.3; H2, H7, I-27)."""

import time

import pytest

from harness.waiting import until


@pytest.fixture
def home(new_server, google):
    """A server of the test's own, and someone connected whose token needs a refresh at each use."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    user.connect(google)
    return server, user


def test_33_limited_works_until_its_access_token_ends_and_then_reads_as_not_existing_at_once(new_server, google):
    """3.3 `limited`: true, then false; `needs_reconnect`, reason `access_expired`; the sweep deletes the secret."""
    server = new_server()
    user = server.someone()
    google.lifetime(3)
    user.connect(google, refresh=False)
    connection = user.connection
    assert (connection["status"], user.profile["gmail_account_connected"]) == ("limited", True)
    assert "reason" not in connection and connection["works_until"]
    assert server.check_connection(user).returncode == 0, "used up to its end, without a refresh"
    until(lambda: user.status == "needs_reconnect", "the access token to end", within=6)
    profile = user.profile
    assert profile["gmail_account_connected"] is False
    assert profile["gmail_connection"]["reason"] == "access_expired"
    assert profile["gmail_connection"]["google_email"] == user.gmail, "the identity stays"
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 1
    assert calls["token"] == 0
    server.sweep()
    until(lambda: not server.has_secret(user), "the sweep to delete the secret")
    assert user.status == "needs_reconnect"


@pytest.mark.parametrize("oauth_error", ["admin_policy_enforced", "access_denied"])
def test_33_blocked_keeps_the_secret_and_the_next_use_tries_again(home, google, oauth_error):
    """An admin policy for a day: afterwards it works with nobody reconnecting."""
    server, user = home
    google.oauth_fault(oauth_error, status=403 if oauth_error == "access_denied" else 400, times=2)
    for _ in range(2):
        assert server.check_connection(user).returncode == 1
        profile = user.profile
        assert profile["gmail_account_connected"] is True
        assert (profile["gmail_connection"]["status"], profile["gmail_connection"]["reason"]) == ("blocked", oauth_error)
    assert server.check_connection(user).returncode == 0
    connection = user.connection
    assert connection["status"] == "connected" and "reason" not in connection


def test_33_after_an_admin_policy_of_a_day_the_sweep_finds_that_it_works_again(home, google):
    """`blocked`: the sweep tries again, so that nobody has to do anything."""
    server, user = home
    google.oauth_fault("admin_policy_enforced", times=2)
    assert server.check_connection(user).returncode == 1
    for expected in ("blocked", "connected"):
        server.stop()
        server.make_uses_due()
        server.sweep()
        until(lambda: server.next_use(user) > 1, "the sweep to use the grant")
        assert user.status == expected


@pytest.mark.parametrize("more, reason", [({}, "invalid_grant"), ({"error_subtype": "invalid_rapt"}, "invalid_rapt")])
def test_33_needs_reconnect_after_the_grant_died(home, google, more, reason):
    """The secret leaves its name at once; identity, reason and times stay."""
    server, user = home
    before = user.connection
    google.oauth_fault("invalid_grant", **more)
    result = server.check_connection(user)
    assert result.returncode == 1 and reason in result.stderr, result
    profile = user.profile
    connection = profile["gmail_connection"]
    assert profile["gmail_account_connected"] is False
    assert (connection["status"], connection["reason"]) == ("needs_reconnect", reason)
    for kept in ("google_email", "scope", "connected_at", "last_refreshed_at"):
        assert connection[kept] == before[kept]


def test_h2_a_dead_grant_is_asked_about_once(home, google):
    """H2: invalid_grant, then 10 reads: exactly one token call; further reads fail fast until a new upload."""
    server, user = home
    google.revoke(user.gmail)
    with google.counting() as calls:
        assert server.check_connection(user, "--concurrent", "10").returncode == 1
        for _ in range(3):
            assert server.check_connection(user).returncode == 1
    assert calls["token"] == 1, calls
    assert user.upload(google.mint(user.gmail)).status == 201
    assert server.check_connection(user).returncode == 0


def test_33_connections_restore_puts_back_what_was_set_aside(home, google):
    """The ciphertext is kept aside for 7 days: `connections restore EMAIL`."""
    server, user = home
    google.oauth_fault("invalid_grant")
    assert server.check_connection(user).returncode == 1
    assert user.status == "needs_reconnect"
    result = server.command("connections", "restore", user.email)
    assert result.returncode == 0, result
    assert user.status == "connected" and user.profile["gmail_account_connected"] is True
    assert server.check_connection(user).returncode == 0


def test_33_restore_says_why_there_is_nothing_to_restore(home, google):
    server, user = home
    for email in (user.email, server.someone().email, "nobody@home.example"):
        result = server.command("connections", "restore", email)
        assert result.returncode == 1 and result.stderr.strip(), result
    assert user.status == "connected"


def test_33_what_is_aside_is_destroyed_after_7_days(home, google):
    """The sweep, with what is aside made eight days old behind its back."""
    server, user = home
    google.revoke(user.gmail)
    server.check_connection(user)
    server.stop()
    assert server.count("asides") == 1
    server.age_asides(8 * 86400)
    server.sweep()
    until(lambda: server.count("asides") == 0, "the sweep")
    assert server.command("connections", "restore", user.email).returncode == 1
    assert user.status == "needs_reconnect"


def test_connections_lists_everyone_without_secrets(home, google):
    server, user = home
    other = server.someone()
    lines = server.command("connections").stdout.splitlines()
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in lines[1:]}
    assert rows[user.email][0] == "connected" and user.gmail in rows[user.email]
    assert rows[other.email][0] == "not_connected"


def test_34_the_daily_use_finds_a_dead_grant_within_a_day(home, google):
    """A sweep uses every grant at least once a day; here its time has come, by what the store says."""
    server, user = home
    assert 19 * 3600 < server.next_use(user) - time.time() <= 24 * 3600
    server.stop()
    google.revoke(user.gmail)
    server.make_uses_due()
    with google.counting() as calls:
        server.sweep()
        until(lambda: user.status == "needs_reconnect", "the sweep to use the grant")
    assert calls["token"] == 1 and calls["gmail"] == 0


def test_34_the_daily_use_keeps_a_live_grant_alive(home, google):
    """H6: a live grant never reaches Google's six idle months, for it is used daily."""
    server, user = home
    server.stop()
    server.make_uses_due()
    with google.counting() as calls:
        server.sweep()
        until(lambda: google.counts()["token"] > 1, "the sweep to use the grant")
    assert calls["token"] == 1
    until(lambda: server.next_use(user) > 1, "the next use to be planned")
    assert user.status == "connected"


def test_h6_six_idle_months_end_a_grant_like_any_other_death(home, google):
    server, user = home
    google.advance(183 * 86400)
    assert server.check_connection(user).returncode == 1
    assert (user.status, user.connection["reason"]) == ("needs_reconnect", "invalid_grant")


def test_works_until_tells_when_google_ends_a_time_limited_grant(new_server, google):
    """`works_until` when known: `refresh_token_expires_in` of a project in testing mode."""
    server = new_server()
    user = server.someone()
    google.settings(testing_mode=True)
    user.connect(google)
    import datetime
    end = datetime.datetime.fromisoformat(user.connection["works_until"])
    days = (end - datetime.datetime.now(datetime.UTC)).total_seconds() / 86400
    assert 6.9 < days <= 7.01
