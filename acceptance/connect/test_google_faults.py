"""Google down, slow, or braking (DESIGN 3.1 rule 4, I-21, E7): 502, nothing stored, and then it works."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import expect
from harness.target import ON_LAMBDA

HTML = "<html><title>Sorry...</title>automated queries</html>"
ENDPOINTS = ["tokeninfo", "userinfo", "token"]
FAULTS = {
    "html_403": (403, HTML, None), "429": (429, '{"error":"rate_limit_exceeded"}', {"Retry-After": "17"}),
    "500": (500, "", None), "502": (502, HTML, None), "503": (503, '{"error":"backend_error"}', {"Retry-After": "9"}),
    "reset": (0, None, None), "html_200": (200, HTML, None), "empty_200": (200, "", None),
    "array_200": (200, "[]", None), "html_400": (400, HTML, None),
}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_i21_e7_a_fault_at_google_is_502_and_stores_nothing(user, google, endpoint, fault):
    status, body, headers = FAULTS[fault]
    tokens = google.mint(user.gmail)
    # A connection that is reset when it is used again is tried once more by any HTTP client: so many times.
    google.fault(endpoint, status, body, headers=headers, times=20)
    reply = user.upload(tokens)
    expect.error(reply, 502, "DEPENDENCY_FAILURE")
    if headers:
        assert reply.header("Retry-After") == headers["Retry-After"], "Google's own word on when to come again"
    assert user.connection == {"status": "not_connected"}
    google.clear(endpoint)
    assert user.upload(tokens).data["message"] == "First Gmail connection", "the very same tokens work afterwards"


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_i21_a_fault_leaves_a_standing_connection_as_it_was(user, google, endpoint):
    user.connect(google)
    before = user.profile
    google.fault(endpoint, 503, times=20)
    expect.error(user.upload(google.mint("other-" + user.gmail)), 502, "DEPENDENCY_FAILURE")
    assert user.profile == before


@pytest.mark.slow
def test_31_2_each_call_to_google_has_a_deadline(server, google):
    """Rule 2: a Google that does not answer is 502 within its deadline, not a request that hangs."""
    # The emulated function takes one request at a time; the rule is the domain's, so one endpoint will do there.
    endpoints = ENDPOINTS[:1] if ON_LAMBDA else ENDPOINTS
    users = [server.someone() for _ in endpoints]
    tokens = [google.mint(user.gmail) for user in users]

    def upload(user, pair):
        start = time.monotonic()
        reply = user.upload(pair)
        return reply, time.monotonic() - start

    # One after the other, each endpoint hangs for the one upload that is meant.
    with ThreadPoolExecutor(3) as pool:
        flights = []
        for user, pair, endpoint in zip(users, tokens, endpoints, strict=True):
            calls = google.counts()[endpoint]
            google.fault(endpoint, delay_ms=45000)
            flights.append(pool.submit(upload, user, pair))
            deadline = time.monotonic() + 5
            while google.counts()[endpoint] == calls and time.monotonic() < deadline:
                time.sleep(0.01)
        for user, flight in zip(users, flights, strict=True):
            reply, took = flight.result()
            expect.error(reply, 502, "DEPENDENCY_FAILURE")
            assert took < 25, took
            assert user.status == "not_connected"


def test_d5_tokens_are_never_sent_in_an_address(server, user, google):
    """D5: tokeninfo gets a POST body. What is logged on either side holds no token."""
    tokens = user.connect(google)
    google.fault("tokeninfo", 500)
    user.upload(google.mint(user.gmail))
    user.disconnect()
    for text in (server.log, server.program.output, google.program.log, google.program.output):
        assert "ya29." not in text and "1//" not in text
        assert tokens["access_token"] not in text and tokens["refresh_token"] not in text


@pytest.mark.parametrize("reply, left", [
    ({}, 300), ({"expires_in": None}, 300), ({"expires_in": "abc"}, 300), ({"expires_in": True}, 300),
    ({"expires_in": "3497"}, 3497), ({"expires_in": 1200.7}, 1200), ({"expires_in": 1e300}, 300),
    ({"expires_in": 2147483648}, 86400), ({"expires_in": 86401}, 86400),
])
def test_f3_f6_lifetimes_in_googles_reply(user, google, reply, left):
    """F2, F3, F6: absent or invalid means a short default; capped at 24 h; never a crash."""
    import datetime
    import json

    from harness.emulator import IOS_CLIENT, SCOPES, subject
    tokens = google.mint(user.gmail)
    answer = {"aud": IOS_CLIENT, "azp": IOS_CLIENT, "sub": subject(user.gmail), "scope": SCOPES, "email": user.gmail}
    google.fault("tokeninfo", 200, json.dumps(answer | reply))
    assert user.upload(tokens, refresh_token=...).status == 201
    until = datetime.datetime.fromisoformat(user.connection["works_until"])
    seconds = (until - datetime.datetime.now(datetime.UTC)).total_seconds()
    assert left - 60 < seconds <= left + 1, seconds


@pytest.mark.parametrize("lifetime", [0, -5, "0"])
def test_f3_a_lifetime_of_zero_or_less_means_expired(user, google, lifetime):
    import json

    from harness.emulator import IOS_CLIENT, SCOPES, subject
    tokens = google.mint(user.gmail)
    google.fault("tokeninfo", 200, json.dumps({
        "aud": IOS_CLIENT, "sub": subject(user.gmail), "scope": SCOPES, "email": user.gmail, "expires_in": lifetime}))
    expect.error(user.upload(tokens, refresh_token=...), 400, "INVALID_CREDENTIALS", reason="access_token_invalid")
