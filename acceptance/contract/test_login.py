"""`POST /v1/auth/login` (reference A.3, with I-24, I-44, I-56 and DESIGN 4)."""

import time

import pytest

from harness import expect, scratch
from harness.users import claims

PATH = "/v1/auth/login"


def test_a3_200_carries_a_session_that_is_accepted(server, user):
    data = expect.success(user.log_in(), 200, "Login successful!")
    assert set(data) == {"username", "access_token", "token_type"}
    assert (data["username"], data["token_type"]) == (user.name, "Bearer")
    assert user.me().status == 200


def test_a3_each_session_is_another_one(server, user):
    """I-55: a `jti` tells sessions apart."""
    tokens = {user.log_in().data["access_token"] for _ in range(2)}
    assert len({claims(token)["jti"] for token in tokens}) == 2


def test_i43_the_address_is_trimmed_and_case_folded(server, user):
    for typed in (user.email.upper(), f" {user.email}\t"):
        assert server.post(PATH, {"email": typed, "password": user.password}).status == 200


@pytest.mark.parametrize("body", [b"{", b"no", b"\xff", b""])
def test_a3_400_invalid_json_or_missing_body(server, body):
    reply = server.post(PATH, body)
    if body:
        expect.error(reply, 400, "INVALID_JSON", "Invalid JSON in request body")
    else:
        expect.error(reply, 400, "MISSING_FIELDS", "Missing key: 'body'")


@pytest.mark.parametrize("missing", ["email", "password"])
@pytest.mark.parametrize("as_null", [False, True])
def test_a3_400_missing_fields_names_the_key(server, missing, as_null):
    body = {"email": "a@b.example", "password": "correct horse"}
    body[missing] = None
    if not as_null:
        del body[missing]
    expect.error(server.post(PATH, body), 400, "MISSING_FIELDS", f"Missing key: '{missing}'")


def test_a3_401_invalid_credentials_for_a_wrong_password(server, user):
    reply = server.post(PATH, {"email": user.email, "password": "not the password"})
    expect.error(reply, 401, "INVALID_CREDENTIALS", "Invalid Credentials")


def test_a3_404_user_not_found_as_the_shipped_app_expects(server):
    reply = server.post(PATH, {"email": "nobody@home.example", "password": "whatever it is"})
    expect.error(reply, 404, "USER_NOT_FOUND", "User not found")


def test_i44_hide_unknown_users_answers_both_alike(new_server):
    """DESIGN 4: 401 with `--hide-unknown-users`, and an unknown address costs the time of a wrong password."""
    server = new_server(flags=["--hide-unknown-users"])
    user = server.user()

    def attempt(email):
        start = time.perf_counter()
        reply = server.post(PATH, {"email": email, "password": "not the password"})
        return time.perf_counter() - start, expect.error(reply, 401, "INVALID_CREDENTIALS", "Invalid Credentials")

    known, unknown = [min(attempt(email)[0] for _ in range(3)) for email in (user.email, "nobody@home.example")]
    assert 0.5 < unknown / known < 2, (unknown, known)


@pytest.mark.parametrize("body", [b"null", b"[]", b"7", b'"x"', b"false", b"[" * 9000])
def test_a3_500_of_the_reference_is_400_here(server, body):
    """A.3 [X]: `null` or an array was 500 in the reference; DESIGN: no input ever yields 500."""
    reply = server.post(PATH, body)
    assert reply.status == 400 and reply.code in ("INVALID_REQUEST", "INVALID_JSON"), reply


@pytest.mark.parametrize("value", [1, True, [], {}])
@pytest.mark.parametrize("field", ["email", "password"])
def test_i24_a_member_of_another_type_is_400(server, field, value):
    body = {"email": "a@b.example", "password": "correct horse"} | {field: value}
    expect.error(server.post(PATH, body), 400, "INVALID_REQUEST")


@pytest.mark.parametrize("password", ["", "nul\0inside", "x" * 5000, "\ud83d\ude00 emoji"])
def test_i56_sign_in_takes_any_password(server, user, password):
    """DESIGN 4: sign-in takes any (truncated as bcrypt does); NUL or length never yield 500."""
    reply = server.post(PATH, {"email": user.email, "password": password})
    expect.error(reply, 401, "INVALID_CREDENTIALS")


def test_i56_sign_in_truncates_at_72_bytes_as_bcrypt_does(server):
    """Old accounts, whose password was cut at 72 bytes, keep working."""
    user = server.user(password="y" * 72)
    reply = server.post(PATH, {"email": user.email, "password": "y" * 72 + scratch.remember("cut away")})
    assert reply.status == 200, reply
