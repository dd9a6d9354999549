"""Session tokens: let no one in (DESIGN 4; reference B, I-19, I-55), and every honest token in."""

import base64
import json
import time

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwcrypto import jwk, jws

from harness import expect
from harness.users import TOKENS_PATH, claims

PROTECTED = [("GET", "/v1/user/me"), ("DELETE", "/v1/user/me"), ("POST", TOKENS_PATH), ("DELETE", TOKENS_PATH),
             ("POST", "/v1/auth/gmail/store-tokens")]


def valid(user, **changes) -> dict:
    """Claims in the reference's form: no `iss`, no `jti`."""
    now = int(time.time())
    told = {"user_id": user.id, "email": user.email, "iat": now, "exp": now + 86400} | changes
    return {name: value for name, value in told.items() if value is not ...}


def segment(value) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def refused(server, token: str, code="INVALID_TOKEN", message="Malformed Token"):
    for method, path in PROTECTED:
        expect.error(server.request(method, path, token=token), 401, code, message)


def test_b_our_token_is_hs256_with_the_named_claims(server, user):
    """B: HS256; user_id, email, iat, exp = iat + 86400; DESIGN 4 adds iss and jti."""
    told = jwt.decode(user.token, server.jwt_secret, algorithms=["HS256"], issuer="paypulse", leeway=5)
    assert set(told) == {"user_id", "email", "iat", "exp", "iss", "jti"}
    assert told["exp"] == told["iat"] + 86400 and abs(told["iat"] - time.time()) < 3600
    assert jwt.get_unverified_header(user.token) == {"alg": "HS256", "typ": "JWT"}


def test_b_jwcrypto_verifies_our_token(server, user):
    key = jwk.JWK(kty="oct", k=segment(server.jwt_secret.encode()))
    token = jws.JWS()
    token.deserialize(user.token, key=key)
    assert json.loads(token.payload)["user_id"] == user.id
    wrong = jwk.JWK(kty="oct", k=segment(b"another key"))
    with pytest.raises(jws.InvalidJWSSignature):
        jws.JWS().deserialize(user.token, key=wrong)


def test_b_pyjwts_token_in_the_references_form_is_accepted(server, user):
    token = server.sign(valid(user))
    assert server.get("/v1/user/me", token=token).status == 200
    assert server.delete(TOKENS_PATH, token=token).status == 200


@pytest.mark.parametrize("changes", [
    {"iat": ...}, {"email": ...}, {"iss": "paypulse"}, {"extra": [1, {"a": None}]},
    {"iat": lambda: time.time() + 55}, {"exp": lambda: time.time() + 2.5},
])
def test_b_tokens_that_are_accepted_too(server, user, changes):
    """I-55 with the reference's freedom: what it did not demand is not demanded of its tokens."""
    changes = {name: value() if callable(value) else value for name, value in changes.items()}
    assert server.get("/v1/user/me", token=server.sign(valid(user, **changes))).status == 200


@pytest.mark.parametrize("alg", ["none", "None", "NONE", "nOnE", "", None, "HS384", "HS512", "RS256", "ES256", "hs256"])
@pytest.mark.parametrize("signed", [True, False])
def test_55_any_other_algorithm_is_refused(server, user, alg, signed):
    """`alg` none and its spellings, with the right HMAC or without any signature."""
    import hashlib
    import hmac
    head = segment({"alg": alg, "typ": "JWT"}) + "." + segment(valid(user))
    digest = hmac.new(server.jwt_secret.encode(), head.encode(), hashlib.sha256).digest()
    expect.error(server.get("/v1/user/me", token=head + "." + (segment(digest) if signed else "")), 401, "INVALID_TOKEN")


def test_55_alg_none_without_signature_on_every_route(server, user):
    refused(server, jwt.encode(valid(user), None, algorithm="none"))


def test_55_rs256_is_refused(server, user):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    refused(server, server.sign(valid(user), algorithm="RS256", key=key))


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
def test_55_other_hmacs_with_our_key_are_refused(server, user, algorithm):
    refused(server, server.sign(valid(user), algorithm=algorithm))


@pytest.mark.parametrize("key", ["another key that is long enough for it", "\n", " "])
def test_b_another_key_is_refused(server, user, key):
    refused(server, server.sign(valid(user), key=key))
    refused(server, server.sign(valid(user), key=server.jwt_secret + "\n"))


def test_b_expired_is_401_token_expired(server, user):
    now = int(time.time())
    refused(server, server.sign(valid(user, iat=now - 90000, exp=now - 1)), "TOKEN_EXPIRED", "Expired token")


def test_b_expired_under_another_key_is_malformed(server, user):
    now = int(time.time())
    refused(server, server.sign(valid(user, iat=now - 90000, exp=now - 1), key="another key of 32 bytes or so..."))


@pytest.mark.parametrize("changes", [
    {"iat": lambda: time.time() + 65}, {"iat": lambda: time.time() + 10**6}, {"nbf": lambda: time.time() + 100},
    {"user_id": ...}, {"user_id": ""}, {"user_id": 5}, {"user_id": None}, {"user_id": ["x"]}, {"user_id": {"a": 1}},
    {"exp": ...}, {"exp": "soon"}, {"exp": None}, {"exp": True}, {"exp": []}, {"exp": 1e300}, {"exp": 10**30},
    {"iat": "x"}, {"iat": []}, {"iat": -(10**30)}, {"email": 5}, {"iss": "somebody-else"}, {"iss": 5}, {"iss": ["paypulse"]},
    {"aud": "another service"}, {"aud": ["a", "b"]},
], ids=lambda changes: "-".join(changes))
def test_i19_unusable_claims_are_401_and_never_500(server, user, changes):
    """`iat` over 60 s ahead; missing or mistyped claims; a foreign issuer or audience."""
    changes = {name: value() if callable(value) else value for name, value in changes.items()}
    told = valid(user, **changes)
    # PyJWT would refuse to write some of these; the signature is real all the same.
    head = segment({"alg": "HS256", "typ": "JWT"}) + "." + segment(told)
    import hashlib
    import hmac
    token = head + "." + segment(hmac.new(server.jwt_secret.encode(), head.encode(), hashlib.sha256).digest())
    expect.error(server.get("/v1/user/me", token=token), 401, "INVALID_TOKEN", "Malformed Token")


def test_55_a_token_of_nobody_we_know(server, user):
    """DESIGN 4: 404 on the profile, 401 elsewhere."""
    token = server.sign(valid(user, user_id="user_00000000-0000-4000-8000-000000000000"))
    expect.error(server.get("/v1/user/me", token=token), 404, "USER_NOT_FOUND")
    expect.error(server.post(TOKENS_PATH, {}, token=token), 401, "INVALID_TOKEN")


def tampered(token: str) -> list[str]:
    head, payload, signature = token.split(".")
    told = claims(token)
    other = segment(told | {"user_id": "user_x"})
    flipped = signature[:-2] + ("AA" if signature[-2:] != "AA" else "BB")
    return [
        f"{head}.{other}.{signature}", f"{head}.{payload}.{flipped}", f"{head}.{payload}.", f"{head}.{payload}",
        f"{head}.{payload}.{signature}.x", f"{head}..{signature}", f".{payload}.{signature}", "..", ".", "", "x",
        f"{head}.{payload}.{signature[:-1]}", f"{head}.{payload}.{signature}=", f"{head}.{payload} .{signature}",
        f"{head}.{payload}.{signature} trailing", token.upper(), token[1:], "a" * 9000, f"{token},{token}",
        f"{segment({'alg': 'HS256', 'crit': ['x'], 'x': 1})}.{payload}.{signature}", f"{head}.%00.{signature}",
    ]


@pytest.mark.parametrize("number", range(21))
def test_b_malformed_and_tampered_tokens(server, user, number):
    reply = server.get("/v1/user/me", token=tampered(user.token)[number])
    assert reply.status == 401 and reply.code in ("INVALID_TOKEN", "INVALID_CREDENTIALS"), reply


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_i55_the_scheme_bearer_in_any_case(server, user, scheme):
    assert server.get("/v1/user/me", headers={"Authorization": f"{scheme} {user.token}"}).status == 200


@pytest.mark.parametrize("form", ["Basic {}", "Token {}", "{}", "Bearer{}", "Bearer", "Bearer ", "Digest x={}", "JWT {}", "bearer\t{}"])
def test_i55_any_other_scheme_is_401(server, user, form):
    """I-55: `Basic <jwt>` worked in the reference; I-19: a header without a space was 500."""
    reply = server.get("/v1/user/me", headers={"Authorization": form.format(user.token)})
    assert reply.status == 401 and reply.code in ("INVALID_CREDENTIALS", "INVALID_TOKEN"), reply


def test_two_authorization_headers_are_refused(server, user):
    for pair in ([user.token, user.token], [user.token, "x"], ["x", user.token]):
        headers = [("Authorization", "Bearer " + token) for token in pair]
        reply = server.request("GET", "/v1/user/me", headers=headers)
        assert reply.status in (400, 401), reply


def test_a_token_in_the_query_is_not_looked_at(server, user):
    for name in ("access_token", "token", "jwt", "Authorization"):
        reply = server.get(f"/v1/user/me?{name}={user.token}")
        expect.error(reply, 401, "INVALID_CREDENTIALS")
    assert user.token not in server.log


def test_i55_a_password_change_ends_the_sessions_and_the_old_password(new_server):
    """`set-password` reads the new one from standard input, while the server runs."""
    server = new_server()
    user = server.user()
    before = user.token
    result = server.command("set-password", user.email, input="another good password\n")
    assert result.returncode == 0, result
    refused(server, before, message="This session has ended. Sign in again.")
    assert user.log_in().status == 401
    user.password = "another good password"
    assert user.log_in().status == 200
    assert user.me().status == 200, "a session of the very second of the change counts"
    assert server.restart().get("/v1/user/me", token=before).status == 401
    assert user.me().status == 200


@pytest.mark.parametrize("email, password, code", [
    ("nobody@home.example", "long enough it is\n", 1), (None, "short\n", 1), (None, "x" * 73 + "\n", 1), (None, "", 2),
])
def test_set_password_refuses_and_leaves_the_old_one(server, user, email, password, code):
    result = server.command("set-password", email or user.email, input=password)
    assert result.returncode == code and result.stderr.strip(), result
    assert user.me().status == 200 and user.log_in().status == 200


def test_i55_deleting_the_account_ends_all_its_sessions(server):
    user = server.user()
    first = user.token
    user.log_in()
    assert user.delete().status == 200
    for token in (first, user.token):
        expect.error(server.get("/v1/user/me", token=token), 404, "USER_NOT_FOUND")
        expect.error(server.post(TOKENS_PATH, {"access_token": "ya29.x"}, token=token), 401, "INVALID_TOKEN")


def test_a11_renewing_our_session_never_touches_googles_tokens(user, google):
    """A11: Google's tokens are stored apart from our own session."""
    user.connect(google)
    with google.counting() as calls:
        assert user.log_in().status == 200
    assert not any(calls.values()) and user.status == "connected"
