"""`POST /v1/auth/gmail-tokens` (reference A.4, 0.1; DESIGN 3.1 rule 1)."""

import base64
import urllib.parse

import pytest

from harness import expect
from harness.emulator import EMAIL, GMAIL, PROFILE, SCOPES
from harness.backend import FORM
from harness.users import TOKENS_PATH

ALIAS = "/v1/auth/gmail/store-tokens"
STORED = "Gmail OAuth tokens stored successfully!"


def test_issue_literal_first_connection(server, user, google):
    """The issue's first literal exchange."""
    tokens = google.mint(user.gmail)
    scopes = [GMAIL, EMAIL, "openid"]
    body = {"access_token": tokens["access_token"], "refresh_token": tokens["refresh_token"], "expires_in": 3600,
            "scope": scopes, "email": user.gmail}
    reply = server.post(TOKENS_PATH, body, token=user.token)
    assert reply.status == 201, reply
    assert reply.json == {
        "message": STORED, "code": 201,
        "data": {"google_email": user.gmail, "scope": " ".join(scopes + [PROFILE]), "account_switch": False,
                 "message": "First Gmail connection"}}


def test_issue_literal_with_exactly_three_granted_scopes(server, user, google):
    """As above where Google grants just the three: the scope is the space-joined list, as it was sent."""
    scopes = [GMAIL, EMAIL, "openid"]
    tokens = google.mint(user.gmail, scope=" ".join(scopes))
    data = user.upload(tokens, expires_in=3600, scope=scopes, email=user.gmail).data
    assert data == {"google_email": user.gmail, "scope": " ".join(scopes), "account_switch": False,
                    "message": "First Gmail connection"}


def test_i25_the_alias_is_the_same_endpoint(server, user, google):
    """0.1: the shipped app calls only the alias."""
    tokens = google.mint(user.gmail)
    data = expect.success(user.upload(tokens, path=ALIAS), 201, STORED)
    assert data["message"] == "First Gmail connection"
    again = expect.success(user.upload(google.mint(user.gmail), path=TOKENS_PATH), 201, STORED)
    assert again["message"] == "Same Google account or first connection"


def app_form(tokens: dict, email: str, **more) -> bytes:
    """What the shipped app puts on the wire (A.4 [A26])."""
    pairs = [("access_token", tokens["access_token"])]
    if tokens.get("refresh_token"):
        pairs.append(("refresh_token", tokens["refresh_token"]))
    pairs += [("expires_in", "3600"), ("email", email), ("username", "Ada"), ("token_type", "Bearer")]
    pairs += [("scope[]", scope) for scope in (EMAIL, GMAIL)]
    pairs += [("client_info[platform]", "iOS"), ("client_info[appVersion]", "1.0 (7)"),
              ("client_info[timestamp]", "2026-02-05T10:00:00Z"), *more.items()]
    return urllib.parse.urlencode(pairs).encode()


@pytest.mark.parametrize("path", [TOKENS_PATH, ALIAS])
def test_i23_the_shipped_apps_form_body(server, user, google, path):
    """A.4: `scope%5B%5D=…&client_info%5Bplatform%5D=iOS&…`, with `; charset=utf-8`."""
    tokens = google.mint(user.gmail)
    body = app_form(tokens, user.gmail)
    assert b"scope%5B%5D=" in body and b"client_info%5Bplatform%5D=iOS" in body
    reply = server.post(path, body, type=FORM + "; charset=utf-8", token=user.token)
    data = expect.success(reply, 201, STORED)
    assert data == {"google_email": user.gmail, "scope": " ".join([EMAIL, GMAIL, PROFILE, "openid"]),
                    "account_switch": False, "message": "First Gmail connection"}
    assert user.status == "connected"


def test_a4_extra_keys_of_the_app_are_ignored_in_json_too(server, user, google):
    reply = user.upload(google.mint(user.gmail), username="Ada", token_type="Bearer", extra=[{}],
                        client_info={"platform": "iOS", "appVersion": "1.0", "timestamp": 5})
    assert reply.status == 201, reply


def test_31_only_the_access_token_is_required(server, user, google):
    """3.1 and the issue: refresh_token, expires_in, scope and email are optional."""
    tokens = google.mint(user.gmail)
    reply = server.post(TOKENS_PATH, {"access_token": tokens["access_token"]}, token=user.token)
    assert set(reply.data["scope"].split()) == set(SCOPES.split())
    assert reply.data["google_email"] == user.gmail


def test_31_2_the_bodys_email_is_a_hint_that_is_never_trusted(server, user, google):
    reply = user.upload(google.mint(user.gmail), email="somebody.else@gmail.example")
    assert (reply.status, reply.data["google_email"]) == (201, user.gmail)


@pytest.mark.parametrize("body", [b"{", b"access", b"\xff\xfe\x00", b'{"access_token":"\xc3\x28"}'])
def test_a4_400_invalid_json(server, user, body):
    reply = server.post(TOKENS_PATH, body, token=user.token)
    expect.error(reply, 400, "INVALID_JSON", "Invalid JSON in request body")


MISSING = "Missing required field in request body: 'access_token'"


@pytest.mark.parametrize("body, content_type", [
    (b"", None), (b"{}", "application/json"), (b'{"access_token":null}', "application/json"), (b"", FORM),
    (b"refresh_token=x", FORM), (b'{"refresh_token":"1//x"}', "application/json"), (b'{"code":"4/0A"}', "text/plain"),
])
def test_a4_400_missing_fields_names_the_access_token(server, user, body, content_type):
    """I-24: an empty body or form was 500 in the reference. A12: a code is not taken for a token."""
    reply = server.post(TOKENS_PATH, body, type=content_type, token=user.token)
    expect.error(reply, 400, "MISSING_FIELDS", MISSING)


@pytest.mark.parametrize("body", [
    {"access_token": 5}, {"access_token": ["ya29.x"]}, {"access_token": True}, {"access_token": {}},
    {"access_token": "ya29.x", "refresh_token": 5}, {"access_token": "ya29.x", "refresh_token": []},
    {"access_token": "ya29.x", "scope": 5}, {"access_token": "ya29.x", "scope": [1]},
    {"access_token": "ya29.x", "scope": {}}, {"access_token": "ya29.x", "scope": [None]},
    [], [{"access_token": "x"}], None, 5, "access_token", True,
])
def test_i24_wrong_types_are_400_invalid_request_and_never_500(server, user, google, body):
    reply = server.post(TOKENS_PATH, b"null" if body is None else body, token=user.token)
    expect.error(reply, 400, "INVALID_REQUEST")
    assert user.status == "not_connected"


@pytest.mark.parametrize("body", [
    b"[" * 30000, b'{"a":' * 10000, b'{"access_token":"' + b"a" * 60000 + b'"}', b'{"access_token":1e999}',
    b'{"access_token":"\\ud800"}', b'{"access_token":"a\\u0000b"}', b'{"access_token":"a","access_token":5}',
    base64.b64encode(b'{"access_token":"ya29.x"}'), b"\x00" * 100, b'{"access_token":"ya29.x","expires_in":' + b"9" * 5000 + b"}",
])
def test_i24_no_input_ever_yields_500(server, user, google, body):
    """3.1 rule 1. Nesting, huge values, lone surrogates, NULs, doubled keys, base64."""
    reply = server.post(TOKENS_PATH, body, token=user.token)
    assert reply.status == 400, reply
    assert reply.code in ("INVALID_JSON", "INVALID_REQUEST", "INVALID_CREDENTIALS"), reply


@pytest.mark.parametrize("body", [b"access_token=%zz", b"access_token=%", b"%=%&==&&", b"access_token=a%00b", b"\xff=\xfe"])
def test_i24_a_broken_form_is_400(server, user, google, body):
    reply = server.post(TOKENS_PATH, body, type=FORM, token=user.token)
    assert reply.status == 400, reply


def test_a4_400_invalid_credentials_for_an_empty_token(server, user):
    reply = server.post(TOKENS_PATH, {"access_token": ""}, token=user.token)
    expect.error(reply, 400, "INVALID_CREDENTIALS", "Invalid OAuth tokens", reason="access_token_invalid")


def test_a4_400_invalid_credentials_for_a_token_google_does_not_know(server, user, google):
    reply = server.post(TOKENS_PATH, {"access_token": "ya29.unknown"}, token=user.token)
    expect.error(reply, 400, "INVALID_CREDENTIALS", "Invalid OAuth tokens", reason="access_token_invalid")
    assert user.status == "not_connected"


def test_a4_credentials_are_checked_before_the_body(server):
    """A.4's errors come in this order: nobody without a session learns about bodies."""
    reply = server.post(TOKENS_PATH, b"{")
    expect.error(reply, 401, "INVALID_CREDENTIALS", "Invalid Credentials")


def test_d2_without_a_client_id_uploads_are_refused(new_server, google):
    """D2, DESIGN 5: no client id configured fails closed: 503 GMAIL_NOT_CONFIGURED."""
    server = new_server(clients=())
    user = server.user()
    with google.counting() as calls:
        expect.error(user.upload(google.mint(user.gmail)), 503, "GMAIL_NOT_CONFIGURED")
    assert not any(calls.values())
    assert user.status == "not_connected"
