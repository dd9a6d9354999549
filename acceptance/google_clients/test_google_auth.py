"""google-auth and google-auth-oauthlib, unmodified, against the emulator."""

import time

import google.auth.exceptions
import google.auth.transport.requests
import google.oauth2.credentials
import google.oauth2.id_token
import pytest
import requests
from google_auth_oauthlib.flow import Flow, InstalledAppFlow

from paypulse_test.emulator import (
    ALICE, ALL_SCOPES, BOB, CLIENT_SECRET, DESKTOP_CLIENT, GMAIL_READONLY, IOS_CLIENT, IOS_REDIRECT, WEB_CLIENT)

SCOPES = ALL_SCOPES.split()


def configuration(emulator, client_id=DESKTOP_CLIENT, secret=CLIENT_SECRET):
    discovered = requests.get(f"{emulator.url}/.well-known/openid-configuration", timeout=30).json()
    return {"installed": {
        "client_id": client_id, "client_secret": secret, "auth_uri": discovered["authorization_endpoint"],
        "token_uri": discovered["token_endpoint"], "redirect_uris": ["http://localhost"]}}


def credentials(emulator, tokens, client_id=IOS_CLIENT, secret=""):
    return google.oauth2.credentials.Credentials(
        tokens["access_token"], refresh_token=tokens["refresh_token"], client_id=client_id, client_secret=secret,
        token_uri=f"{emulator.url}/token", scopes=None)


def transport():
    return google.auth.transport.requests.Request()


class ByRequests:
    """Stands in for the person's browser: follows the redirects of automatic consent."""

    def open(self, url, **_):
        import threading
        threading.Thread(target=lambda: requests.get(url, timeout=30), daemon=True).start()
        return True


def test_installed_app_flow_signs_in_with_a_local_server(auto_emulator, monkeypatch):
    import webbrowser
    monkeypatch.setattr(webbrowser, "get", lambda *_: ByRequests())
    flow = InstalledAppFlow.from_client_config(configuration(auto_emulator), SCOPES, autogenerate_code_verifier=True)
    result = flow.run_local_server(port=0, timeout_seconds=30)
    assert result.token.startswith("ya29.") and result.refresh_token.startswith("1//")
    assert set(result.granted_scopes or result.scopes) >= {GMAIL_READONLY}
    first = result.token
    result.refresh(transport())
    assert result.token != first
    assert auto_emulator.requests()["token"] == 2


def test_a_wrong_verifier_is_refused(auto_emulator):
    flow = Flow.from_client_config(
        configuration(auto_emulator), SCOPES, redirect_uri="http://localhost:1/", autogenerate_code_verifier=True)
    address, state = flow.authorization_url()
    location = requests.get(address, allow_redirects=False, timeout=30).headers["Location"]
    assert f"state={state}" in location
    flow.code_verifier = "x" * 64
    with pytest.raises(Exception, match="Invalid code verifier"):
        flow.fetch_token(authorization_response=location)


def test_an_ios_client_exchanges_and_refreshes_without_a_secret(auto_emulator):
    flow = Flow.from_client_config(
        configuration(auto_emulator, IOS_CLIENT, None), SCOPES, redirect_uri=IOS_REDIRECT,
        autogenerate_code_verifier=True)
    address, _ = flow.authorization_url()
    location = requests.get(address, allow_redirects=False, timeout=30).headers["Location"]
    assert location.startswith(IOS_REDIRECT + "?")
    flow.fetch_token(authorization_response=location.replace(IOS_REDIRECT, "https://app.invalid/"), include_client_id=True)
    found = flow.credentials
    renewed = google.oauth2.credentials.Credentials(
        None, refresh_token=found.refresh_token, client_id=IOS_CLIENT, client_secret="", token_uri=found.token_uri)
    renewed.refresh(transport())
    assert renewed.valid and renewed.refresh_token == found.refresh_token


def test_a_web_client_signs_in_with_its_secret_only(auto_emulator):
    def flow(secret):
        made = Flow.from_client_config(
            {"web": configuration(auto_emulator, WEB_CLIENT, secret)["installed"]}, SCOPES,
            redirect_uri="https://app.example/back")
        address, _ = made.authorization_url(access_type="offline", prompt="consent")
        return made, requests.get(address, allow_redirects=False, timeout=30).headers["Location"]

    made, location = flow(CLIENT_SECRET)
    assert made.fetch_token(authorization_response=location)["refresh_token"]
    made, location = flow("wrong")
    with pytest.raises(Exception, match="invalid_client"):
        made.fetch_token(authorization_response=location)


def test_google_auth_verifies_the_id_token(emulator):
    token = emulator.mint()["id_token"]
    claims = google.oauth2.id_token.verify_token(
        token, transport(), audience=IOS_CLIENT, certs_url=f"{emulator.url}/oauth2/v1/certs", clock_skew_in_seconds=5)
    assert claims["email"] == ALICE and claims["email_verified"] is True
    assert claims["iss"] == "https://accounts.google.com" and claims["sub"].isdigit() and len(claims["sub"]) == 21
    with pytest.raises(ValueError):
        google.oauth2.id_token.verify_token(
            token, transport(), audience="another", certs_url=f"{emulator.url}/oauth2/v1/certs",
            clock_skew_in_seconds=5)


def test_a_revoked_grant_cannot_be_refreshed(emulator):
    found = credentials(emulator, emulator.mint())
    found.refresh(transport())
    reply = requests.post(f"{emulator.url}/revoke", data={"token": found.refresh_token}, timeout=30)
    assert reply.status_code == 200
    with pytest.raises(google.auth.exceptions.RefreshError, match="invalid_grant"):
        found.refresh(transport())


def test_google_auth_keeps_a_rotated_refresh_token(emulator):
    emulator.settings(rotate_refresh_tokens=True)
    found = credentials(emulator, emulator.mint())
    first = found.refresh_token
    found.refresh(transport())
    second = found.refresh_token
    found.refresh(transport())
    assert len({first, second, found.refresh_token}) == 3
    assert emulator.refresh(first).status_code == 400


def test_google_auth_retries_an_internal_failure(emulator):
    emulator.fault("token", status=500, body='{"error":"internal_failure"}', times=2)
    found = credentials(emulator, emulator.mint())
    found.refresh(transport())
    assert emulator.requests()["token"] == 3


def test_an_html_403_is_no_dead_grant(emulator):
    emulator.fault("token", status=403, body="<html><title>Sorry...</title></html>")
    found = credentials(emulator, emulator.mint())
    with pytest.raises(google.auth.exceptions.RefreshError) as failure:
        found.refresh(transport())
    assert "invalid_grant" not in str(failure.value)
    found.refresh(transport())
    assert found.valid


def test_a_delay_and_a_reset_connection(emulator):
    emulator.fault("token", delay_ms=300)
    start = time.monotonic()
    assert emulator.refresh(emulator.mint()["refresh_token"]).status_code == 200
    assert time.monotonic() - start >= 0.3
    emulator.fault("token", status=0)
    with pytest.raises(requests.exceptions.ConnectionError):
        emulator.refresh("1//x")


def test_a_refresh_wider_than_the_grant_is_invalid_scope(emulator):
    tokens = emulator.mint(scope="openid")
    reply = emulator.refresh(tokens["refresh_token"], scope=f"openid {GMAIL_READONLY}")
    assert reply.status_code == 400 and reply.json()["error"] == "invalid_scope"


def test_accounts_and_clock_are_arranged_from_outside(emulator):
    emulator.add_account("carol@example.com", "Carol", hd="example.com", email_verified=False, sub="7")
    tokens = emulator.mint("carol@example.com")
    seen = requests.get(
        f"{emulator.url}/oauth2/v3/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"}, timeout=30)
    assert seen.json()["sub"] == "7" and seen.json()["email_verified"] is False and seen.json()["hd"] == "example.com"
    emulator.advance(3600)
    info = requests.post(f"{emulator.url}/tokeninfo", data={"access_token": tokens["access_token"]}, timeout=30)
    assert info.status_code == 400 and info.json()["error"] == "invalid_token"
    with pytest.raises(ValueError, match="There is no account"):
        emulator.mint("nobody@example.com")
    assert emulator.mint(BOB)["access_token"]
