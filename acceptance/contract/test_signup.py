"""`POST /v1/auth/signup` (reference A.2, with I-24, I-43, I-56 and DESIGN 4)."""

import base64
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import expect, scratch
from harness.users import User, claims

PATH = "/v1/auth/signup"


def test_a2_201_says_who_signed_up_and_carries_a_session(server):
    """A.2: 201 `Signup successful!` with username, access_token, token_type; B: the user id's form."""
    body = User.fresh()
    data = expect.success(server.post(PATH, body), 201, "Signup successful!")
    assert set(data) == {"username", "access_token", "token_type"}
    assert (data["username"], data["token_type"]) == (body["name"], "Bearer")
    told = claims(scratch.remember(data["access_token"]))
    assert re.fullmatch(r"user_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", told["user_id"])
    assert told["email"] == body["email"] and told["exp"] - told["iat"] == 86400


def test_a2_gmail_app_password_and_unknown_members_are_ignored(server):
    """A.2: the 2025 app still sends `gmail_app_password`; it must be tolerated."""
    body = User.fresh() | {"gmail_app_password": scratch.remember("abcd efgh ijkl mnop"), "more": [1, {"a": None}]}
    assert server.post(PATH, body).status == 201


@pytest.mark.parametrize("body", [b"{", b"not json", b"{'a':1}", b'{"email":"a@b.c",}', b'{"a":[1,\n]}', b"\xff\xfe", b'{"email":"\xff"}', b"NaN"])
def test_a2_400_invalid_json(server, body):
    expect.error(server.post(PATH, body), 400, "INVALID_JSON", "Invalid JSON in request body")


@pytest.mark.parametrize("missing", ["email", "name", "password"])
@pytest.mark.parametrize("as_null", [False, True])
def test_a2_400_missing_fields_names_the_key(server, missing, as_null):
    body = User.fresh()
    body[missing] = None
    if not as_null:
        del body[missing]
    expect.error(server.post(PATH, body), 400, "MISSING_FIELDS", f"Missing key in request body: '{missing}'")


def test_a2_400_missing_fields_without_a_body(server):
    expect.error(server.post(PATH), 400, "MISSING_FIELDS", "Missing key in request body: 'body'")


@pytest.mark.parametrize("body", [b"null", b"[]", b"3", b'"text"', b"true", b"[" * 5000, b'{"a":' * 5000, b"1e999"])
def test_i24_a_body_that_is_no_object_is_400_and_never_500(server, body):
    reply = server.post(PATH, body)
    assert reply.status == 400 and reply.code in ("INVALID_REQUEST", "INVALID_JSON"), reply


@pytest.mark.parametrize("field", ["email", "name", "password"])
@pytest.mark.parametrize("value", [1, 1.5, True, [], {}, ["a@b.example"], {"a": 1}])
def test_i24_a_member_of_another_type_is_400_invalid_request(server, field, value):
    expect.error(server.post(PATH, User.fresh(email="typed@home.example") | {field: value}), 400, "INVALID_REQUEST")


@pytest.mark.parametrize("changes", [
    {"email": ""}, {"email": "   "}, {"email": "nobody"}, {"email": "a@b@c"}, {"email": "@b.example"},
    {"email": "a@"}, {"email": "a b@c.example"}, {"email": "a\u0000@b.example"}, {"email": "a@" + "b" * 300},
    {"name": ""}, {"name": "  "}, {"name": "a\nb"}, {"name": "n" * 201}, {"password": ""}, {"password": "1234567"},
])
def test_i43_empty_and_impossible_values_are_refused(server, changes):
    expect.error(server.post(PATH, User.fresh() | changes), 400, "INVALID_REQUEST")


@pytest.mark.parametrize("password, status", [
    ("x" * 7, 400), ("x" * 8, 201), ("x" * 72, 201), ("x" * 73, 400), ("ö" * 36, 201), ("ö" * 36 + "x", 400),
    ("nul\0inside it", 400),
])
def test_i56_a_password_is_8_to_72_bytes_without_nul(server, password, status):
    body = User.fresh(password=password)
    reply = server.post(PATH, body)
    assert reply.status == status, reply
    if status == 201:
        login = server.post("/v1/auth/login", {"email": body["email"], "password": password})
        assert login.status == 200, login


def test_a2_403_user_already_exists_echoes_the_address_as_typed(server, user):
    """A.2, with I-43: also when only case and surrounding space differ."""
    for typed in (user.email, user.email.upper(), f"  {user.email.title()} "):
        reply = server.post(PATH, User.fresh(email=typed))
        expect.error(reply, 403, "USER_ALREADY_EXISTS", f"User with email '{typed.strip()}' already exists.")


def test_i43_of_simultaneous_signups_with_one_address_exactly_one_succeeds(server):
    body = User.fresh()
    with ThreadPoolExecutor(4) as pool:
        bodies = [body | {"email": email} for email in (body["email"], body["email"].upper()) * 2]
        replies = list(pool.map(lambda each: server.post(PATH, each), bodies))
    assert sorted(reply.status for reply in replies) == [201, 403, 403, 403], replies


def test_i24_a_base64_body_is_not_json(server):
    """The old gateway could wrap bodies in base64; over plain HTTP that is just not JSON."""
    reply = server.post(PATH, base64.b64encode(b'{"email":"a@b.example"}'))
    expect.error(reply, 400, "INVALID_JSON")


def test_a2_the_content_type_does_not_matter_for_json(server):
    """A.4 reads any other or absent type as JSON; sign-up and sign-in do the same."""
    for content_type in (None, "text/plain", "application/json; charset=utf-8"):
        body = b'{"email":"x@y.example","name":"X"}'
        reply = server.request("POST", PATH, body, type=content_type)
        expect.error(reply, 400, "MISSING_FIELDS", "Missing key in request body: 'password'")
