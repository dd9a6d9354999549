"""A person in a browser walks through the emulator's consent page."""

import base64
import hashlib
import urllib.parse

import pytest
import requests
from selenium.webdriver.common.by import By

from paypulse_test.emulator import (
    ALICE, ALL_SCOPES, BOB, CLIENT_SECRET, DESKTOP_CLIENT, GMAIL_READONLY, IOS_CLIENT, IOS_REDIRECT)

VERIFIER = "an-unguessable-verifier-of-at-least-43-characters"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def address(emulator, redirect_uri, **changes):
    parameters = {
        "client_id": DESKTOP_CLIENT, "redirect_uri": redirect_uri, "response_type": "code", "scope": ALL_SCOPES,
        "state": "a state/with + signs", "code_challenge": CHALLENGE, "code_challenge_method": "S256"} | changes
    chosen = {name: value for name, value in parameters.items() if value is not None}
    return f"{emulator.url}/o/oauth2/v2/auth?{urllib.parse.urlencode(chosen)}"


def exchange(emulator, app, code):
    return requests.post(f"{emulator.url}/token", timeout=30, data={
        "grant_type": "authorization_code", "code": code, "client_id": DESKTOP_CLIENT, "client_secret": CLIENT_SECRET,
        "redirect_uri": app.redirect_uri, "code_verifier": VERIFIER}).json()


def click(browser, name):
    browser.find_element(By.ID, name).click()


def text(browser, name):
    return browser.find_element(By.ID, name).text


def choose(browser, email):
    browser.find_element(By.CSS_SELECTOR, f"button[name=account][value='{email}']").click()


def box(browser, scope):
    return browser.find_element(By.CSS_SELECTOR, f"input[name=scope][value='{scope}']")


def test_choosing_an_account_and_allowing(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri))
    choose(browser, ALICE)
    assert text(browser, "account-email") == ALICE and box(browser, GMAIL_READONLY).is_selected()
    click(browser, "allow")
    back = app.arrival()
    assert back["state"] == "a state/with + signs" and back["iss"] == "https://accounts.google.com"
    assert back["prompt"] == "consent" and set(back["scope"].split()) == set(ALL_SCOPES.split())
    tokens = exchange(emulator, app, back["code"])
    assert set(tokens["scope"].split()) == set(ALL_SCOPES.split()) and tokens["refresh_token"]
    assert emulator.gmail("profile", tokens["access_token"]).json()["emailAddress"] == ALICE


def test_an_unticked_box_is_a_scope_less(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri, login_hint=ALICE))
    box(browser, GMAIL_READONLY).click()
    click(browser, "allow")
    tokens = exchange(emulator, app, app.arrival()["code"])
    assert GMAIL_READONLY not in tokens["scope"].split() and "openid" in tokens["scope"].split()
    assert emulator.gmail("profile", tokens["access_token"]).status_code == 403


def test_the_untick_setting_empties_the_box(emulator, browser, app):
    emulator.settings(untick_scopes=[GMAIL_READONLY])
    browser.get(address(emulator, app.redirect_uri, login_hint=ALICE))
    assert not box(browser, GMAIL_READONLY).is_selected()
    click(browser, "allow")
    assert GMAIL_READONLY not in app.arrival()["scope"].split()


@pytest.mark.parametrize("hint", [None, ALICE])
def test_cancel_sends_the_person_back_with_access_denied(emulator, browser, app, hint):
    browser.get(address(emulator, app.redirect_uri, login_hint=hint))
    click(browser, "cancel")
    back = app.arrival()
    assert back["error"] == "access_denied" and back["state"] == "a state/with + signs" and "code" not in back


def test_another_account_than_the_hint(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri, login_hint=ALICE))
    click(browser, "use-another-account")
    choose(browser, BOB)
    click(browser, "allow")
    tokens = exchange(emulator, app, app.arrival()["code"])
    assert emulator.gmail("profile", tokens["access_token"]).json()["emailAddress"] == BOB


def test_typing_an_address(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri))
    browser.find_element(By.ID, "identifier").send_keys("nobody@example.com")
    click(browser, "next")
    assert "find that account" in text(browser, "complaint")
    browser.find_element(By.ID, "identifier").send_keys(BOB)
    click(browser, "next")
    assert text(browser, "account-email") == BOB


def test_the_enter_key_is_next_not_cancel(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri))
    browser.find_element(By.ID, "identifier").send_keys(BOB + "\n")
    assert text(browser, "account-email") == BOB and not app.has_arrival


def test_a_used_page_cannot_be_sent_again(emulator, browser, app):
    browser.get(address(emulator, app.redirect_uri, login_hint=ALICE))
    name = browser.find_element(By.NAME, "transaction").get_attribute("value")
    click(browser, "allow")
    app.arrival()
    again = requests.post(
        f"{emulator.url}/signin/oauth/consent", data={"transaction": name, "action": "allow"}, timeout=30,
        allow_redirects=False)
    assert again.status_code == 400 and "start again" in again.text


@pytest.mark.parametrize("changes, status, code", [
    ({"client_id": "nobody"}, 401, "invalid_client"),
    ({"redirect_uri": "https://evil.example/"}, 400, "redirect_uri_mismatch"),
    ({"client_id": IOS_CLIENT}, 400, "redirect_uri_mismatch"),
    ({"scope": "openid https://www.googleapis.com/auth/no.such"}, 400, "invalid_scope"),
    ({"code_challenge": "short"}, 400, "invalid_grant"),
    ({"response_type": "token"}, 400, "unsupported_response_type"),
])
def test_errors_are_shown_and_never_redirected(emulator, browser, app, changes, status, code):
    target = address(emulator, **{"redirect_uri": app.redirect_uri, **changes})
    browser.get(target)
    assert text(browser, "error-code") == f"Error {status}: {code}"
    assert not app.has_arrival
    reply = requests.get(target, allow_redirects=False, timeout=30)
    assert reply.status_code == status and "Location" not in reply.headers


def test_every_field_has_a_label_and_nothing_is_fetched(emulator, browser, app):
    for hint in (None, ALICE):
        browser.get(address(emulator, app.redirect_uri, login_hint=hint))
        for field in browser.find_elements(By.CSS_SELECTOR, "input:not([type=hidden])"):
            assert field.accessible_name, field.get_attribute("outerHTML")
        assert not any(f"<{tag}" in browser.page_source for tag in ("script", "link", "img", "iframe"))


def test_an_ios_client_comes_back_by_its_own_scheme(emulator):
    page = requests.get(
        address(emulator, IOS_REDIRECT, client_id=IOS_CLIENT, login_hint=ALICE), timeout=30).text
    name = page.split('name="transaction" value="')[1].split('"')[0]
    reply = requests.post(
        f"{emulator.url}/signin/oauth/consent", timeout=30, allow_redirects=False,
        data={"transaction": name, "action": "allow", "scope": GMAIL_READONLY})
    assert reply.status_code == 302 and reply.headers["Location"].startswith(IOS_REDIRECT + "?state=")
