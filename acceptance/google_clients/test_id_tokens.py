"""ID tokens through the served JWKS, read by PyJWT and by jwcrypto."""

import json

import jwt
import pytest
import requests
from jwcrypto import jwk as jwcrypto_jwk
from jwcrypto import jwt as jwcrypto_jwt

from paypulse_test.emulator import ALICE, IOS_CLIENT


def discovered(emulator):
    return requests.get(f"{emulator.url}/.well-known/openid-configuration", timeout=30).json()


def test_pyjwt_verifies_through_the_jwks_address(emulator):
    token = emulator.mint()["id_token"]
    facts = discovered(emulator)
    key = jwt.PyJWKClient(facts["jwks_uri"]).get_signing_key_from_jwt(token)
    claims = jwt.decode(token, key.key, algorithms=["RS256"], audience=IOS_CLIENT, issuer=facts["issuer"], leeway=5)
    assert claims["email"] == ALICE and claims["azp"] == IOS_CLIENT and claims["exp"] - claims["iat"] == 3600


def test_pyjwt_refuses_a_changed_token(emulator):
    head, claims, signature = emulator.mint()["id_token"].split(".")
    forged = json.loads(jwt.utils.base64url_decode(claims)) | {"email": "mallory@example.com"}
    token = ".".join([head, jwt.utils.base64url_encode(json.dumps(forged).encode()).decode(), signature])
    key = jwt.PyJWKClient(discovered(emulator)["jwks_uri"]).get_signing_key_from_jwt(token)
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(token, key.key, algorithms=["RS256"], audience=IOS_CLIENT)


def test_at_hash_belongs_to_the_access_token(emulator):
    reply = emulator.mint()
    key = jwt.PyJWKClient(discovered(emulator)["jwks_uri"]).get_signing_key_from_jwt(reply["id_token"])
    decoded = jwt.decode_complete(
        reply["id_token"], key.key, algorithms=["RS256"], audience=IOS_CLIENT, leeway=5)
    algorithm = jwt.get_algorithm_by_name(decoded["header"]["alg"])
    digest = algorithm.compute_hash_digest(reply["access_token"].encode())
    expected = jwt.utils.base64url_encode(digest[:len(digest) // 2]).decode()
    assert decoded["payload"]["at_hash"] == expected


def test_jwcrypto_verifies_with_the_key_set(emulator):
    served = requests.get(discovered(emulator)["jwks_uri"], timeout=30)
    keys = jwcrypto_jwk.JWKSet.from_json(served.text)
    assert len(served.json()["keys"]) == 2
    token = jwcrypto_jwt.JWT(
        jwt=emulator.mint()["id_token"], key=keys, algs=["RS256"],
        check_claims={"aud": IOS_CLIENT, "iss": "https://accounts.google.com"})
    assert json.loads(token.claims)["email"] == ALICE
