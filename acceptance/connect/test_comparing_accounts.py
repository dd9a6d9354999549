"""First connection, the same account, a switch (DESIGN 3.1 rules 5 to 8; A10, I-5, I-26)."""

from concurrent.futures import ThreadPoolExecutor

from harness import expect
from harness.emulator import EMAIL, GMAIL, SCOPES, subject

FIRST = "First Gmail connection"
SAME = "Same Google account or first connection"


def test_31_5_first_connection_then_the_same_account(user, google):
    first = user.upload(google.mint(user.gmail)).data
    assert (first["message"], first["account_switch"]) == (FIRST, False)
    again = user.upload(google.mint(user.gmail)).data
    assert (again["message"], again["account_switch"]) == (SAME, False)
    assert "previous_google_email" not in first | again


def test_31_5_a_switch_is_told_with_both_addresses(user, google):
    user.connect(google)
    other = "other-" + user.gmail
    data = user.upload(google.mint(other)).data
    assert data == {"google_email": other, "scope": data["scope"], "account_switch": True,
                    "message": f"Switching from {user.gmail} to {other}", "previous_google_email": user.gmail}
    assert user.connection["google_email"] == other


def test_31_5_accounts_are_compared_by_sub_not_by_address(user, google):
    """A renamed account is the same; a reused address is another."""
    user.connect(google)
    renamed = "renamed-" + user.gmail
    google.account(renamed, sub="7" + subject(user.gmail)[1:])
    tokens = google.mint(user.gmail)
    import json
    google.fault("userinfo", 200, json.dumps({"sub": subject(user.gmail), "email": renamed, "name": "Ada"}))
    data = user.upload(tokens).data
    assert (data["message"], data["google_email"]) == (SAME, renamed)


def test_31_5_a_switch_is_still_noticed_after_the_grant_died(new_server, google):
    """3.3: identity stays with `needs_reconnect`, so that a later connect notices a switch."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    user.connect(google)
    google.revoke(user.gmail)
    assert server.check_connection(user).returncode == 1
    assert user.status == "needs_reconnect"
    other = "other-" + user.gmail
    data = user.upload(google.mint(other)).data
    assert (data["account_switch"], data["previous_google_email"]) == (True, user.gmail)


def test_31_5_disconnecting_forgets_the_identity(user, google):
    """3.5: after a disconnect the next connection is a first one, whatever the account."""
    user.connect(google)
    user.disconnect()
    assert user.upload(google.mint("other-" + user.gmail)).data["message"] == FIRST


def keeps(new_server, google, **leaving_out):
    """Whether a reconnect without a refresh token leaves a connection that can be refreshed."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    user.connect(google)
    reply = user.upload(google.mint(user.gmail), **leaving_out)
    assert reply.status == 201 and reply.data["message"] == SAME, reply
    assert user.status == "connected"
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 0
    assert calls["token"] == 1


def test_31_6_a1_an_absent_refresh_token_keeps_the_stored_one(new_server, google):
    keeps(new_server, google, refresh_token=...)


def test_31_6_a3_a_null_refresh_token_keeps_the_stored_one(new_server, google):
    keeps(new_server, google, refresh_token=None)


def test_31_6_a3_an_empty_refresh_token_keeps_the_stored_one(new_server, google):
    keeps(new_server, google, refresh_token="")


def test_a10_another_account_without_a_refresh_token_never_gets_the_old_one(new_server, google):
    """A10, rule 6: a mixed pair would read somebody else's mailbox after an hour."""
    server = new_server()
    user = server.someone()
    google.lifetime(3000)
    first = user.connect(google)
    other = "other-" + user.gmail
    for leaving_out in (..., None, ""):
        data = user.upload(google.mint(other), refresh_token=leaving_out).data
        assert data["google_email"] == other
        connection = user.connection
        assert (connection["status"], connection["google_email"]) == ("limited", other)
        assert connection["works_until"]
    with google.counting() as calls:
        result = server.check_connection(user)
    assert result.returncode == 0 and other in result.stdout, result
    assert calls["token"] == 0, "there is nothing to refresh with"
    assert google.refreshes(first["refresh_token"]), "3.5: a switch to a connection without one revokes nothing"


def test_a10_a_later_full_sign_in_makes_the_limited_connection_whole(user, google):
    user.connect(google, refresh=False)
    assert user.status == "limited"
    assert user.upload(google.mint(user.gmail)).data["message"] == SAME
    assert user.status == "connected"


def test_31_6_a_refresh_token_known_to_be_dead_is_not_taken_back(new_server, google):
    """Rule 6: after `invalid_grant`, a reconnect without one is `limited`."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    user.connect(google)
    google.oauth_fault("invalid_grant")
    assert server.check_connection(user).returncode == 1
    assert user.status == "needs_reconnect"
    google.lifetime(3000)
    reply = user.upload(google.mint(user.gmail), refresh_token=...)
    assert reply.status == 201 and reply.data["message"] == SAME
    assert user.status == "limited"


def test_31_7_repeating_the_last_upload_repeats_its_reply_without_asking_google(user, google):
    tokens = google.mint(user.gmail)
    first = user.upload(tokens, scope=[GMAIL, EMAIL])
    with google.counting() as calls:
        again = user.upload(tokens, scope=[GMAIL, EMAIL])
    assert (again.status, again.json) == (201, first.json)
    assert not any(calls.values()), calls


def test_31_7_the_repeat_works_with_rotation_when_the_tokens_are_used_up(user, google):
    """A device whose reply was lost sends again; Google has rotated that refresh token away meanwhile."""
    google.settings(rotate_refresh_tokens=True)
    tokens = google.mint(user.gmail)
    first = user.upload(tokens)
    assert user.upload(tokens).json == first.json


def test_31_7_simultaneous_repeats_get_one_reply(user, google):
    """One upload, sent five times at once, with rotation on: all five are answered as the first."""
    google.settings(rotate_refresh_tokens=True, latency_ms=50)
    tokens = google.mint(user.gmail)
    with ThreadPoolExecutor(5) as pool:
        replies = list(pool.map(lambda _: user.upload(tokens), range(5)))
    assert {reply.status for reply in replies} == {201}, replies
    assert {reply.data["message"] for reply in replies} == {FIRST}


def test_31_7_a_repeat_after_a_disconnect_is_asked_of_google_again(user, google):
    """`while that connection stands`: afterwards the tokens are revoked, and refused."""
    tokens = user.connect(google)
    assert user.disconnect().data["revoked"] is True
    expect.error(user.upload(tokens), 400, "INVALID_CREDENTIALS", reason="access_token_invalid")


def test_31_7_a_switch_back_is_not_a_repeat(user, google):
    """A, then B, then A's very tokens again: they have to be proved again, for A's grant was let go of."""
    tokens = user.connect(google)
    user.connect(google, "other-" + user.gmail)
    from harness.waiting import until
    until(lambda: google.token_error(tokens["refresh_token"]) == "invalid_grant", "A's grant to be revoked")
    expect.error(user.upload(tokens), 400, "INVALID_CREDENTIALS", reason="access_token_invalid")


def test_31_4_many_uploads_of_one_user_at_once_all_succeed(user, google):
    with ThreadPoolExecutor(6) as pool:
        pairs = [google.mint(user.gmail) for _ in range(6)]
        replies = list(pool.map(user.upload, pairs))
    assert [reply.status for reply in replies] == [201] * 6
    assert sorted(reply.data["message"] for reply in replies) == [FIRST] + [SAME] * 5
    assert set(user.connection["scope"].split()) == set(SCOPES.split())
