"""`expires_in` and `scope` of an upload (DESIGN 3.1 rules 1, 2, 8; cases F2, F3, F6, G6)."""

import pytest

from harness import expect
from harness.emulator import EMAIL, GMAIL, PROFILE
from harness.backend import FORM
from harness.users import TOKENS_PATH

GOOD = [..., None, 3600, "3600", 3600.9, "3600.9", 1, 1.0, 86400, 86400.9, "86400", 36e2, "1e3"]
BAD = [0, -5, "abc", 1e300, True, False, 86401, "86401", [], {}, [3600], "", "0x10", "inf", "nan", "1e300", 0.5, -0.1,
       2147483648, 9223372036854775808, "3600s", "--1", ".", "1 2"]


@pytest.mark.parametrize("value", GOOD, ids=repr)
def test_f3_a_lifetime_that_is_taken(server, user, google, value):
    """3.1 rule 1: absent or null means 3600; a finite number or numeric string is floored."""
    assert user.upload(google.mint(user.gmail), expires_in=value).status == 201


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_f3_a_lifetime_that_is_refused(server, user, google, value):
    """3.1 rule 1: anything else, or not in 1...86400 after flooring, is 400 INVALID_REQUEST."""
    with google.counting() as calls:
        expect.error(user.upload({"access_token": "ya29.any"}, expires_in=value), 400, "INVALID_REQUEST")
    assert not any(calls.values()), "refused before Google is asked"


@pytest.mark.parametrize("text, status", [("NaN", 400), ("1e999", 400), ("Infinity", 400), ("3600.0", 201), ("-0", 400)])
def test_f3_lifetimes_that_only_json_text_can_say(server, user, google, text, status):
    tokens = google.mint(user.gmail)
    body = b'{"access_token":"%s","expires_in":%s}' % (tokens["access_token"].encode(), text.encode())
    assert server.post(TOKENS_PATH, body, token=user.token).status == status


@pytest.mark.parametrize("text, status", [("3600", 201), ("3600.9", 201), ("abc", 400), ("0", 400), ("-5", 400), ("86401", 400)])
def test_f3_lifetimes_in_a_form(server, user, google, text, status):
    tokens = google.mint(user.gmail)
    body = f"access_token={tokens['access_token']}&expires_in={text}".encode()
    reply = server.post(TOKENS_PATH, body, type=FORM, token=user.token)
    assert reply.status == status, reply
    if status == 400:
        expect.error(reply, 400, "INVALID_REQUEST")


def test_31_2_googles_lifetime_wins_over_the_bodys(server, user, google):
    """3.1 rule 2: the stored end is Google's, whatever the device says."""
    google.lifetime(1000)
    tokens = google.mint(user.gmail)
    assert user.upload(tokens, refresh_token=..., expires_in=86400).status == 201
    import datetime
    until = datetime.datetime.fromisoformat(user.connection["works_until"])
    left = (until - datetime.datetime.now(datetime.UTC)).total_seconds()
    assert 900 < left <= 1001


ASKED = f"{GMAIL} {EMAIL}"
REPLY = f"{GMAIL} {EMAIL} {PROFILE} openid"
REVERSED = f"{EMAIL} {GMAIL} {PROFILE} openid"
SORTED = " ".join(sorted([GMAIL, EMAIL, PROFILE, "openid"]))


@pytest.mark.parametrize("scope, expected", [
    ([GMAIL, EMAIL], REPLY), (f"{GMAIL} {EMAIL}", REPLY), (f"{GMAIL},{EMAIL}", REPLY), (f"{GMAIL}  {EMAIL}", REPLY),
    (f"{GMAIL}, {EMAIL}", REPLY), ([EMAIL, GMAIL], REVERSED), ([f"{EMAIL} {GMAIL}"], REVERSED), ([GMAIL, GMAIL, EMAIL], REPLY),
    ("", SORTED), (None, SORTED), ([], SORTED), (..., SORTED), ([""], SORTED),
], ids=repr)
def test_g6_json_scope_forms_are_read_alike(server, user, google, scope, expected):
    """G6 and 3.1 rules 1, 8: the body's scopes that Google confirms, in the body's order, then the others, sorted."""
    reply = user.upload(google.mint(user.gmail), scope=scope)
    assert reply.status == 201, reply
    assert reply.data["scope"] == expected
    assert set(user.connection["scope"].split()) == set(expected.split())


@pytest.mark.parametrize("form", [
    "scope%5B%5D={0}&scope%5B%5D={1}", "scope[]={0}&scope[]={1}", "scope={0}&scope={1}", "scope={0},{1}",
    "scope={0}+{1}", "scope={0}%20{1}", "scope={0}%20%20{1}&scope=", "scope={0}&scope%5B%5D={1}",
])
def test_i23_form_scope_forms_are_read_alike(server, user, google, form):
    """0.1: `scope[]`, repeated `scope`, comma- and space-separated."""
    tokens = google.mint(user.gmail)
    body = f"access_token={tokens['access_token']}&" + form.format(GMAIL, EMAIL)
    reply = server.post(TOKENS_PATH, body.encode(), type=FORM, token=user.token)
    assert reply.status == 201, reply
    assert reply.data["scope"] == REPLY


def test_31_8_scopes_google_does_not_confirm_are_left_out(server, user, google):
    """3.1 rule 8: what the device asked for and did not get is not in the reply."""
    calendar = "https://www.googleapis.com/auth/calendar.readonly"
    reply = user.upload(google.mint(user.gmail), scope=[calendar, GMAIL, "made-up"])
    assert reply.data["scope"].split()[0] == GMAIL and calendar not in reply.data["scope"]


def test_g2_a_superset_of_scopes_is_fine(server, user, google):
    """G2: include_granted_scopes brings scopes of earlier grants."""
    calendar = "https://www.googleapis.com/auth/calendar.readonly"
    tokens = google.mint(user.gmail, scope=f"openid {EMAIL} {GMAIL} {calendar}")
    reply = user.upload(tokens, scope=[GMAIL])
    assert reply.data["scope"].split() == [GMAIL, calendar, EMAIL, "openid"]


@pytest.mark.parametrize("scope", [f"openid {EMAIL} https://mail.google.com/",
                                   f"openid {EMAIL} https://www.googleapis.com/auth/gmail.modify"])
def test_g4_any_scope_that_can_read_mail_will_do(server, user, google, scope):
    """G4, 3.1 rule 3: only reading mail is mandatory."""
    assert user.upload(google.mint(user.gmail, scope=scope)).status == 201
