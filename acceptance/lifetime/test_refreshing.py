"""Giving out access tokens (DESIGN 3.4): when it is refreshed, with what, and what each failure means."""

import json
import time

import pytest

from harness.emulator import FOREIGN_CLIENT, IOS_CLIENT, OTHER_IOS_CLIENT
from harness.waiting import until

EXPIRED, AGEING, FRESH = 30, 200, 3599  # Seconds of life: under 60, under 360, and more.
HTML = "<html>Sorry... automated queries</html>"


@pytest.fixture
def home(new_server, google):
    """A server of the test's own, and someone whose token is no longer good enough to be given out."""
    server = new_server()
    user = server.someone()
    google.lifetime(EXPIRED)
    user.connect(google)
    return server, user


def test_34_a_fresh_token_is_given_out_without_asking_google(new_server, google):
    """Remaining life at least `validFor` + 5 min: returned without a lock."""
    server = new_server()
    user = server.someone()
    user.connect(google)
    with google.counting() as calls:
        result = server.check_connection(user, "--concurrent", "20")
    assert result.returncode == 0 and result.stdout == f"{user.gmail}: 0 messages\n"
    assert (calls["token"], calls["gmail"]) == (0, 20)
    assert server.count("leases") == 0


def test_34_an_expired_token_is_refreshed_once_for_all(home, google):
    server, user = home
    google.lifetime(FRESH)
    with google.counting() as calls:
        assert server.check_connection(user, "--concurrent", "50").returncode == 0
    assert (calls["token"], calls["gmail"]) == (1, 50)


@pytest.mark.self_hosted("a function refreshes no token behind its caller: it may be frozen")
def test_34_none_waits_while_the_old_token_is_still_valid(new_server, google):
    """At least `validFor`: returned at once, refreshed behind the caller. The command ends after its flight."""
    server = new_server()
    user = server.someone()
    google.lifetime(AGEING)
    user.connect(google)
    google.fault("token", delay_ms=2500)
    before, start = google.counts()["token"], time.monotonic()
    program = server.begin("check-connection", user.email, "--concurrent", "20")
    until(lambda: f"{user.gmail}: 0 messages" in program.output, "the mailbox to be read")
    answered = time.monotonic() - start
    assert program.process.poll() is None, "a command ends only after its flights have"
    assert program.wait() == 0
    assert answered < 2.4 < time.monotonic() - start
    assert google.counts()["token"] - before == 1


def test_34_the_refresh_sends_three_members_and_no_token_in_any_address(new_server, google, recorder):
    """3.4: `grant_type`, `refresh_token`, `client_id`, nothing else; B13: no scope. D5: nothing in a URL. B9: `me`."""
    server = new_server(recorder.url)
    user = server.someone()
    google.lifetime(EXPIRED)
    tokens = user.connect(google)
    assert server.check_connection(user, "--show-latest").returncode == 0
    user.disconnect()
    for call in recorder.to("/token"):
        assert call.form == {
            "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": IOS_CLIENT}
    assert len(recorder.to("/token")) == 2
    assert [call.method for call in recorder.to("/tokeninfo")] == ["POST"]
    assert [call.method for call in recorder.to("/revoke")] == ["POST"], "H12"
    assert recorder.to("/revoke")[0].form == {"token": tokens["refresh_token"]}, "H14: by the refresh token"
    for call in recorder.calls:
        assert "ya29" not in call.path and "1//" not in call.path and "1%2F%2F" not in call.path
        assert "?" not in call.path or call.path.startswith("/gmail/v1/")
        assert not call.path.startswith("/gmail/") or call.path.startswith("/gmail/v1/users/me/")


def test_a7_a_reply_without_a_refresh_token_keeps_ours(home, google):
    server, user = home
    for _ in range(3):
        assert server.check_connection(user).returncode == 0
    assert user.status == "connected"


@pytest.mark.parametrize("value", [None, ""])
def test_a3_an_empty_refresh_token_in_the_reply_keeps_ours(home, google, value):
    server, user = home
    fresh = google.mint(user.gmail)
    google.fault("token", 200, json.dumps({"access_token": fresh["access_token"], "expires_in": 30, "refresh_token": value}))
    for _ in range(2):
        assert server.check_connection(user).returncode == 0


def test_e5_a_new_refresh_token_in_the_reply_replaces_ours(home, google):
    """With rotation each refresh works with the last one's token."""
    server, user = home
    google.settings(rotate_refresh_tokens=True)
    for _ in range(4):
        assert server.check_connection(user).returncode == 0


def test_34_the_profile_tells_the_last_refresh(home, google):
    server, user = home
    before = user.connection["last_refreshed_at"]
    until(lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()) > before, "the next second")
    assert server.check_connection(user).returncode == 0
    assert user.connection["last_refreshed_at"] > before


@pytest.mark.parametrize("fault", [
    {"status": 403, "body": HTML}, {"status": 500}, {"status": 429, "body": "{}"}, {"status": 0},
    {"status": 200, "body": HTML}, {"status": 400, "body": '{"error":"something_new"}'},
], ids=str)
def test_e7_e3_a_failure_of_the_moment_is_retried_and_costs_nobody_the_connection(home, google, fault):
    """E7: HTML 403 is transient; bounded retries with backoff; one failed call in between is not even noticed."""
    server, user = home
    google.fault("token", **fault, times=1)
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 0
    assert calls["token"] == 2
    assert user.status == "connected"


@pytest.mark.slow
def test_e3_after_bounded_retries_the_caller_hears_it_and_the_next_call_works(home, google):
    """E3: a failure is not cached and leaves no marker behind; the lease is given up."""
    server, user = home
    google.fault("token", 403, HTML, times=4)
    program = server.begin("check-connection", user.email)
    with google.counting() as calls:
        assert program.wait() == 0, "a client that is told to come again does"
    assert calls["token"] >= 4
    assert user.status == "connected"


def test_34_retry_after_longer_than_a_flight_ends_it_at_once(home, google):
    """429 with `Retry-After`: the flight does not hammer, and the connection stays."""
    server, user = home
    google.fault("token", 429, "{}", headers={"Retry-After": "3600"}, times=1)
    with google.counting() as calls:
        program = server.begin("check-connection", user.email)
        until(lambda: google.counts()["token"] >= 3, "the next flight")
        assert program.wait() == 0
    assert calls["token"] == 2, "the client came again after its own pause"
    assert user.status == "connected"


def test_34_a_token_that_gmail_rejects_is_refreshed_once_and_tried_once_more(new_server, google):
    """`rejecting:` names the token Gmail answered 401 to; another caller's 401 of the same token shares the flight."""
    server = new_server()
    user = server.someone()
    user.connect(google)
    google.fault("gmail", 401, '{"error":{"code":401}}', times=10)
    with google.counting() as calls:
        assert server.check_connection(user, "--concurrent", "10").returncode == 0
    assert (calls["token"], calls["gmail"]) == (1, 20), calls


def test_34_a_token_that_gmail_rejects_for_ever_is_no_loop(new_server, google):
    server = new_server()
    user = server.someone()
    user.connect(google)
    google.fault("gmail", 401, '{"error":{"code":401}}', times=50)
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 1
    assert (calls["token"], calls["gmail"]) == (1, 2), calls
    assert user.status == "connected"


def test_c9_a_token_that_answers_for_another_mailbox_stops_the_read(home, google):
    """C9: a mix-up that would succeed as somebody else."""
    server, user = home
    other = google.mint("other-" + user.gmail)
    google.fault("token", 200, json.dumps({"access_token": other["access_token"], "expires_in": 3000}))
    result = server.check_connection(user)
    assert result.returncode == 1 and "another mailbox" in result.stderr, result


@pytest.mark.parametrize("error, status", [("invalid_client", 401), ("deleted_client", 401), ("disabled_client", 401),
                                           ("unauthorized_client", 401)])
def test_34_an_operators_fault_costs_nobody_their_connection(home, google, error, status):
    """Users stay connected, one loud alert."""
    server, user = home
    google.oauth_fault(error, status)
    with google.counting() as calls:
        assert server.check_connection(user, "--concurrent", "5").returncode == 1
    assert calls["token"] == 1
    assert [line["event"] for line in server.events(level="alert")] == ["google_client_misconfigured"]
    assert user.status == "connected" and user.profile["gmail_account_connected"] is True
    assert server.check_connection(user).returncode == 0


@pytest.mark.parametrize("change", [{"clients": (OTHER_IOS_CLIENT,)}, {"clients": (FOREIGN_CLIENT,)}, {"google": "other"},
                                    {"clients": ()}])
def test_h7_a_grant_of_another_configuration_is_not_tried_and_not_lost(home, google, recorder, change):
    """H7: a wrong client ID or base URL: no call, nothing deleted, one alert; put right, nobody reconnects."""
    server, user = home
    right = (server.google, server.clients)
    server.stop()
    server.google = recorder.url if "google" in change else server.google
    server.clients = change.get("clients", server.clients)
    server.start()
    with google.counting() as calls:
        assert server.check_connection(user, "--concurrent", "3").returncode == 1
    assert calls["token"] == 0 and not recorder.calls
    assert [line["event"] for line in server.events(level="alert")] == ["grant_of_another_configuration"]
    assert user.status == "connected"
    server.stop()
    server.google, server.clients = right
    server.start()
    assert server.check_connection(user).returncode == 0
    assert user.status == "connected"


def test_h7_an_upload_under_the_new_client_heals_it(home, google):
    server, user = home
    server.stop()
    server.clients = (OTHER_IOS_CLIENT,)
    server.start()
    assert user.upload(google.mint(user.gmail, client=OTHER_IOS_CLIENT)).status == 201
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 0
    assert calls["token"] == 1


def test_34_a_grant_is_refreshed_with_the_client_it_was_made_with(new_server, google, recorder):
    """Two clients configured: each connection goes on with its own."""
    server = new_server(recorder.url, clients=(IOS_CLIENT, OTHER_IOS_CLIENT))
    user = server.someone()
    google.lifetime(EXPIRED)
    user.connect(google, client=OTHER_IOS_CLIENT)
    assert server.check_connection(user).returncode == 0
    assert {call.form["client_id"] for call in recorder.to("/token")} == {OTHER_IOS_CLIENT}


@pytest.mark.parametrize("lifetime", [None, "abc", 1e300, -5, 0])
def test_f3_odd_lifetimes_in_a_refresh_reply(home, google, lifetime):
    """F3: absent or invalid: a short default; zero or less: already expired, but one refresh per request."""
    server, user = home
    fresh = google.mint(user.gmail)
    answer = {"access_token": fresh["access_token"]} | ({} if lifetime is None else {"expires_in": lifetime})
    google.fault("token", 200, json.dumps(answer))
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 0
    assert calls["token"] == 1, calls
