"""Disconnect, delete, switch, and what Google is owed (DESIGN 3.5; H12, H14, I-28)."""

import pytest

from harness import expect
from harness.users import claims
from harness.waiting import until

DONE = "Gmail disconnected successfully!"


def dead(google, tokens):
    return google.token_error(tokens["refresh_token"]) == "invalid_grant"


def test_35_disconnect_revokes_the_grant(user, google):
    tokens = user.connect(google)
    with google.counting() as calls:
        assert expect.success(user.disconnect(), 200, DONE) == {"revoked": True}
    assert calls["revoke"] == 1
    assert dead(google, tokens)
    assert user.profile["gmail_account_connected"] is False and user.connection == {"status": "not_connected"}


def test_35_repeating_a_disconnect_is_fine_and_revokes_nothing(user, google):
    user.connect(google)
    user.disconnect()
    with google.counting() as calls:
        for _ in range(2):
            assert expect.success(user.disconnect(), 200, DONE) == {"revoked": False}
    assert calls["revoke"] == 0


def test_35_never_connected_there_is_nothing_to_revoke(user, google):
    assert user.disconnect().data == {"revoked": False}


def test_35_a_grant_that_somebody_else_holds_is_not_revoked(server, user, google):
    """Holders are counted: a revoke kills the whole grant of that account for this project."""
    other = server.someone()
    mine, theirs = user.connect(google), other.connect(google, user.gmail)
    assert user.disconnect().data == {"revoked": False}
    assert google.refreshes(mine["refresh_token"]) and google.refreshes(theirs["refresh_token"])
    assert other.status == "connected"
    assert other.disconnect().data == {"revoked": True}, "the last holder lets go"
    assert dead(google, mine) and dead(google, theirs)


@pytest.mark.parametrize("fault", [(503, None), (0, None), (429, '{"error":"x"}'), (403, "<html>Sorry</html>")])
def test_35_pending_when_google_cannot_be_reached_and_the_disconnect_is_done(user, google, fault):
    tokens = user.connect(google)
    google.fault("revoke", *fault, times=20)
    assert expect.success(user.disconnect(), 200, DONE) == {"revoked": "pending"}
    assert user.connection == {"status": "not_connected"}
    assert not dead(google, tokens)


def test_35_invalid_token_counts_as_revoked(user, google):
    """400 `invalid_token`: the person was faster, in their Google account."""
    user.connect(google)
    google.revoke(user.gmail)
    assert user.disconnect().data == {"revoked": True}


def test_35_an_owed_revocation_survives_a_restart_and_is_paid(new_server, google):
    server = new_server()
    user = server.someone()
    tokens = user.connect(google)
    google.fault("revoke", 503, times=20)
    assert user.disconnect().data == {"revoked": "pending"}
    server.kill()
    google.clear("revoke")
    # The pause between two attempts is a minute; the store is told that it is over.
    assert server.make_revocations_due() == 1
    server.sweep()
    until(lambda: dead(google, tokens), "the revocation to be paid")
    until(lambda: server.count("revocations") == 0, "the debt to be forgotten")


def test_35_revocation_is_retried_for_24_hours_and_then_given_up_with_an_alert(new_server, google):
    server = new_server()
    user = server.someone()
    user.connect(google)
    google.fault("revoke", 503, times=50)
    user.disconnect()
    server.stop()
    server.make_revocations_due(older_by=25 * 3600)
    server.sweep()
    until(lambda: server.count("revocations") == 0, "the queue to give up")
    assert [line["event"] for line in server.events(level="alert")] == ["revocation_given_up"]


def test_35_a_switch_lets_go_of_the_old_accounts_grant(user, google):
    """I-28: only after the new grant is stored."""
    old = user.connect(google)
    new = user.connect(google, "other-" + user.gmail)
    until(lambda: dead(google, old), "the old account's grant to be revoked")
    assert google.refreshes(new["refresh_token"])


def test_35_a_switch_whose_old_account_is_still_held_by_another_user_revokes_nothing(server, user, google):
    other = server.someone()
    old = user.connect(google)
    other.connect(google, user.gmail)
    with google.counting() as calls:
        user.connect(google, "new-" + user.gmail)
        assert server.get("/healthz").status == 200
    assert google.refreshes(old["refresh_token"]) and other.status == "connected"
    assert other.disconnect().data == {"revoked": True}
    assert calls["revoke"] == 0


def test_35_a_reconnect_of_the_same_account_revokes_nothing(user, google):
    """A9: B always keeps the newest; the grant of the account itself goes on."""
    user.connect(google)
    with google.counting() as calls:
        second = user.connect(google)
    assert calls["revoke"] == 0 and google.refreshes(second["refresh_token"])


def test_35_deleting_the_account_leaves_nothing_behind(new_server, google):
    """`DELETE /v1/user/me` disconnects too; nothing of the user stays in any table."""
    server = new_server()
    user = server.someone()
    tokens = user.connect(google)
    identity = claims(user.token)["user_id"]
    server.check_connection(user)
    assert expect.success(user.delete(), 200, f"All data for user {identity} deleted successfully!") is None
    assert dead(google, tokens)
    dump = server.dump()
    for trace in (identity, user.email, user.name, user.gmail):
        assert trace not in dump, trace


def test_35_deleting_the_account_owes_the_revocation_while_google_is_away(new_server, google):
    """All that stays is the owed revocation, paid after the account is gone."""
    server = new_server()
    user = server.someone()
    tokens = user.connect(google)
    google.fault("revoke", 500, times=20)
    assert user.delete().status == 200
    assert (server.count("users"), server.count("revocations")) == (0, 1)
    server.stop()
    google.clear("revoke")
    server.make_revocations_due()
    server.sweep()
    until(lambda: dead(google, tokens), "the revocation to be paid")
    until(lambda: server.count("revocations") == 0, "the debt to be forgotten")


def test_35_a_connect_of_an_account_that_is_being_revoked_waits_and_proves_again(server, user, google):
    """A connect that meets the mark waits for it: the grant it brings must not be killed by a late revoke."""
    from concurrent.futures import ThreadPoolExecutor
    other = server.someone()
    user.connect(google)
    google.fault("revoke", delay_ms=1500)
    revokes = google.counts()["revoke"]
    with ThreadPoolExecutor(2) as pool:
        letting_go = pool.submit(user.disconnect)
        until(lambda: google.counts()["revoke"] > revokes, "the revoke to be under way")
        tokens = google.mint(user.gmail)
        connecting = pool.submit(other.upload, tokens)
        assert letting_go.result().data == {"revoked": True}
        reply = connecting.result()
    # The late revoke killed the uploaded tokens at Google; so they are refused rather than stored dead.
    expect.error(reply, 400, "INVALID_CREDENTIALS", reason="access_token_invalid")
    assert other.status == "not_connected"
    assert other.upload(google.mint(user.gmail)).status == 201
    other.disconnect()


def test_35_a_pending_revocation_never_kills_a_grant_that_came_after_it(new_server, google):
    """Before it pays, the revoker re-checks that nobody holds the account now."""
    server = new_server()
    user = server.someone()
    user.connect(google)
    google.fault("revoke", 503, times=20)
    assert user.disconnect().data == {"revoked": "pending"}
    google.clear("revoke")
    tokens = user.connect(google)
    server.stop()
    server.make_revocations_due()
    with google.counting() as calls:
        server.sweep()
        until(lambda: server.count("revocations") == 0, "the order to be dropped")
    assert calls["revoke"] == 0 and google.refreshes(tokens["refresh_token"])
    assert user.status == "connected"


def test_h14_a_limited_connection_is_revoked_by_its_living_access_token(user, google):
    """H14: an expired access token revokes nothing; a living one ends the grant."""
    tokens = user.connect(google, refresh=False)
    assert user.disconnect().data == {"revoked": True}
    assert dead(google, tokens)


def test_35_what_was_set_aside_is_let_go_of_too(new_server, google):
    """A grant that died wrongly may be alive: a disconnect revokes it and destroys the copy."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    tokens = user.connect(google)
    google.oauth_fault("invalid_grant")
    server.check_connection(user)
    assert user.disconnect().data == {"revoked": True}
    assert dead(google, tokens)
    assert server.command("connections", "restore", user.email).returncode == 1
