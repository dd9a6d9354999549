"""Google's word on an upload (DESIGN 3.1 rules 2 to 4; groups B, C, D, G of the cases)."""

import json

import pytest

from harness import expect
from harness.emulator import EMAIL, FOREIGN_CLIENT, GMAIL, IOS_CLIENT, OTHER_IOS_CLIENT, PROFILE, SCOPES, subject
from harness.backend import FORM
from harness.users import TOKENS_PATH


def refused(user, reply, reason, message=None):
    """400 INVALID_CREDENTIALS with that reason; nothing stored."""
    error = expect.error(reply, 400, "INVALID_CREDENTIALS", message, reason=reason)
    assert error["message"].startswith("Invalid OAuth tokens")
    assert user.connection == {"status": "not_connected"}
    return error


def test_31_3_wrong_audience_another_clients_token(user, google):
    """Let no one in: a token of another client's audience. D1-D3: substitution."""
    refused(user, user.upload(google.mint(user.gmail, client=FOREIGN_CLIENT)), "wrong_audience")
    refused(user, user.upload(google.mint(user.gmail, client=FOREIGN_CLIENT), refresh_token=...), "wrong_audience")


def test_b15_each_configured_client_id_is_an_accepted_audience(new_server, google):
    server = new_server(clients=(IOS_CLIENT, OTHER_IOS_CLIENT))
    user = server.someone()
    for client in (IOS_CLIENT, OTHER_IOS_CLIENT):
        assert user.upload(google.mint(user.gmail, client=client)).status == 201
    refused(server.someone(), user.server.someone().upload(google.mint(user.gmail, client=FOREIGN_CLIENT)), "wrong_audience")


def test_b15_azp_of_ours_is_enough_where_aud_is_a_servers(user, google):
    """3.1 rule 3: neither `aud` nor `azp` is one of ours; here `azp` is."""
    tokens = google.mint(user.gmail)
    google.fault("tokeninfo", 200, json.dumps({
        "aud": "web-server.apps.googleusercontent.com", "azp": IOS_CLIENT, "sub": subject(user.gmail),
        "scope": SCOPES, "expires_in": "3000", "email": user.gmail}))
    assert user.upload(tokens, refresh_token=...).status == 201


def test_31_3_identity_scope_missing(user, google):
    refused(user, user.upload(google.mint(user.gmail, scope=GMAIL)), "identity_scope_missing")


@pytest.mark.parametrize("scope", [f"openid {EMAIL} {PROFILE}", f"openid {EMAIL} https://www.googleapis.com/auth/gmail.metadata",
                                   f"openid {EMAIL} https://www.googleapis.com/auth/gmail.labels"])
def test_b1_g3_gmail_scope_missing_says_what_to_tick(user, google, scope):
    """B1, G3: the box was left unticked. The scope list of the body is no proof."""
    error = refused(user, user.upload(google.mint(user.gmail, scope=scope), scope=[GMAIL]), "gmail_scope_missing")
    assert "tick" in error["message"] and GMAIL in error["message"]


def test_b1_after_the_box_is_ticked_the_same_user_connects(user, google):
    user.upload(google.mint(user.gmail, scope=f"openid {EMAIL}"))
    assert user.upload(google.mint(user.gmail)).data["message"] == "First Gmail connection"


def test_31_3_access_token_invalid_when_expired(user, google):
    tokens = google.mint(user.gmail)
    google.advance(7200)
    refused(user, user.upload(tokens), "access_token_invalid", "Invalid OAuth tokens")


def test_31_3_access_token_invalid_when_revoked(user, google):
    tokens = google.mint(user.gmail)
    google.revoke(user.gmail)
    refused(user, user.upload(tokens), "access_token_invalid")


@pytest.mark.parametrize("token", ["ya29.a\nb", "ya29 b", "ya29.ö", "x" * 9000, "a\tb"])
def test_31_3_a_token_that_is_none_never_reaches_a_header(user, google, token):
    """Response splitting by token: visible ASCII only."""
    refused(user, user.upload({"access_token": token}), "access_token_invalid")


def test_31_4_account_mismatch_two_accounts_in_one_upload(user, google):
    """Let no one in: another account's refresh token."""
    mine, other = google.mint(user.gmail), google.mint("other-" + user.gmail)
    refused(user, user.upload(mine, refresh_token=other["refresh_token"]), "account_mismatch")


def test_31_4_refresh_token_invalid(user, google):
    tokens = google.mint(user.gmail)
    refused(user, user.upload(tokens, refresh_token="1//unknown"), "refresh_token_invalid")


def test_31_4_refresh_token_wrong_client(user, google):
    """`unauthorized_client`: the refresh token was issued to another client of Google's."""
    mine, other = google.mint(user.gmail), google.mint(user.gmail, client=FOREIGN_CLIENT)
    refused(user, user.upload(mine, refresh_token=other["refresh_token"]), "refresh_token_wrong_client")


def test_31_4_the_refreshed_scopes_must_read_mail_too(user, google):
    """Rule 4: `gmail_scope_missing` also where only the refresh token lacks it."""
    good, poor = google.mint(user.gmail), google.mint(user.gmail, scope=f"openid {EMAIL}")
    refused(user, user.upload(good, refresh_token=poor["refresh_token"]), "gmail_scope_missing")


@pytest.mark.parametrize("oauth_error", ["admin_policy_enforced", "access_denied"])
def test_31_4_blocked_by_admin(user, google, oauth_error):
    tokens = google.mint(user.gmail)
    google.oauth_fault(oauth_error)
    refused(user, user.upload(tokens), "blocked_by_admin")
    assert user.upload(tokens).status == 201


@pytest.mark.parametrize("oauth_error, status", [("invalid_client", 401), ("deleted_client", 401), ("disabled_client", 401),
                                                 ("invalid_request", 400)])
def test_31_4_google_client_misconfigured_is_503(user, google, oauth_error, status):
    """B11: `client_secret is missing.` is the operator's to mend, not the user's."""
    tokens = google.mint(user.gmail)
    google.oauth_fault(oauth_error, status)
    expect.error(user.upload(tokens), 503, "GMAIL_NOT_CONFIGURED", reason="google_client_misconfigured")
    assert user.status == "not_connected"


def test_31_4_the_oauth_error_decides_and_never_its_text(user, google):
    tokens = google.mint(user.gmail)
    google.oauth_fault("invalid_grant", error_description="unauthorized_client: invalid_client admin_policy_enforced")
    refused(user, user.upload(tokens), "refresh_token_invalid")


def test_31_4_one_exchange_proves_the_refresh_token_and_is_used(user, google):
    """Rule 2 and 4: one tokeninfo, one userinfo, one token call; the ID token names the account."""
    tokens = google.mint(user.gmail)
    with google.counting() as calls:
        assert user.upload(tokens).status == 201
    assert (calls["token"], calls["tokeninfo"], calls["userinfo"]) == (1, 1, 1), calls


def test_31_4_without_an_id_token_tokeninfo_of_the_fresh_token_decides(user, google):
    """Rule 4: the account is the `sub` of the id_token, else of tokeninfo."""
    tokens, fresh = google.mint(user.gmail), google.mint(user.gmail)
    google.fault("token", 200, json.dumps({"access_token": fresh["access_token"], "expires_in": 3599, "token_type": "Bearer"}))
    with google.counting() as calls:
        assert user.upload(tokens).status == 201
    assert calls["tokeninfo"] == 2
    other = google.mint("other-" + user.gmail)
    tokens = google.mint(user.gmail)
    google.fault("token", 200, json.dumps({"access_token": other["access_token"], "expires_in": 3599, "token_type": "Bearer"}))
    expect.error(user.upload(tokens), 400, "INVALID_CREDENTIALS", reason="account_mismatch")


def test_31_4_a_rotated_refresh_token_replaces_the_uploaded_one(new_server, google):
    """Rule 4: a `refresh_token` in the reply replaces the uploaded one; the connection goes on living."""
    server = new_server()
    user = server.someone()
    google.settings(rotate_refresh_tokens=True)
    google.lifetime(30)
    tokens = user.connect(google)
    assert google.token_error(tokens["refresh_token"]) == "invalid_grant", "rotated away by the proof"
    for _ in range(3):
        assert server.check_connection(user).returncode == 0
    assert user.status == "connected"


@pytest.mark.parametrize("claim, ok", [(True, True), ("true", True), ("false", False), (False, False), (None, False)])
def test_c2_email_verified_as_a_flag_or_a_text(user, google, claim, ok):
    """C2, C3: bool or string; absent is not verified. Either way the account is taken by its `sub`."""
    answer = {"sub": subject(user.gmail), "email": user.gmail, "name": "Ada"}
    google.fault("userinfo", 200, json.dumps(answer | ({} if claim is None else {"email_verified": claim})))
    assert user.upload(google.mint(user.gmail)).status == 201


def test_two_answers_of_google_that_name_two_accounts_are_not_built_on(user, google):
    tokens = google.mint(user.gmail)
    google.fault("userinfo", 200, json.dumps({"sub": "1", "email": "someone@gmail.example"}))
    expect.error(user.upload(tokens), 502, "DEPENDENCY_FAILURE")
    assert user.status == "not_connected"


def test_b11_a_form_upload_is_proved_like_any_other(server, user, google):
    other = google.mint(user.gmail, client=FOREIGN_CLIENT)
    reply = server.post(TOKENS_PATH, f"access_token={other['access_token']}".encode(), type=FORM, token=user.token)
    refused(user, reply, "wrong_audience")


def id_token(audience, sub: str, ahead: int = 0) -> str:
    """An ID token as it comes over TLS from the token endpoint: its signature is not looked at."""
    import base64
    import time
    now = int(time.time()) + ahead
    claims = {"iss": "https://accounts.google.com", "aud": audience, "sub": sub, "iat": now, "exp": now + 3600}
    parts = [base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=").decode() for each in ({"alg": "RS256"}, claims)]
    return ".".join([*parts, "c2lnbmF0dXJl"])


def answer_with(google, user, token: str) -> None:
    fresh = google.mint(user.gmail)
    google.fault("token", 200, json.dumps(
        {"access_token": fresh["access_token"], "expires_in": 3599, "scope": SCOPES, "id_token": token}))


@pytest.mark.parametrize("ahead", [-7200, -1, 1, 10, 300, 7200])
def test_f1_an_id_token_from_the_token_endpoint_needs_no_time_check(user, google, ahead):
    """F1: a clock that is a second, or hours, off must not cost anyone their connection."""
    tokens = google.mint(user.gmail)
    answer_with(google, user, id_token(IOS_CLIENT, subject(user.gmail), ahead))
    with google.counting() as calls:
        assert user.upload(tokens).status == 201
    assert calls["tokeninfo"] == 1, "the ID token named the account"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "..", None])
def test_31_4_an_id_token_that_cannot_be_read_leaves_it_to_tokeninfo(user, google, token):
    tokens = google.mint(user.gmail)
    answer_with(google, user, token)
    with google.counting() as calls:
        assert user.upload(tokens).status == 201
    assert calls["tokeninfo"] == 2


def test_31_4_the_id_tokens_audience_is_checked(user, google):
    """One that was made for another client says nothing; tokeninfo of the fresh token decides."""
    tokens = google.mint(user.gmail)
    answer_with(google, user, id_token(FOREIGN_CLIENT, subject("mallory@gmail.example")))
    with google.counting() as calls:
        assert user.upload(tokens).status == 201
    assert calls["tokeninfo"] == 2


def test_31_4_the_id_tokens_subject_is_compared(user, google):
    tokens = google.mint(user.gmail)
    answer_with(google, user, id_token(IOS_CLIENT, subject("mallory@gmail.example")))
    refused(user, user.upload(tokens), "account_mismatch")
