"""Limits (DESIGN 4, I-44): only failed passwords count; uploads are counted per user."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import expect
from harness.users import TOKENS_PATH, User

LOGIN = "/v1/auth/login"


@pytest.fixture(scope="module")
def limited(the_emulator):
    from harness.target import Server
    server = Server(the_emulator.url, limits=True, flags=["--trusted-proxy", "10.0.0.0/8", "--behind-proxy",
                                                        "--trusted-proxy", "127.0.0.0/8"])
    yield server
    server.stop()


def attempt(server, email, password="wrong password", source="192.0.2.1", **headers):
    fields = {"X-Forwarded-For": source} | headers
    return server.post(LOGIN, {"email": email, "password": password}, headers=fields)


def guess(server, email, times, source):
    with ThreadPoolExecutor(4) as pool:
        return [reply.status for reply in pool.map(lambda _: attempt(server, email, source=source), range(times))]


def test_the_11th_wrong_password_of_an_account_and_address_is_429(limited):
    """10 per (account, address) in 15 min; then even the right one has to wait."""
    user = User.put_in(limited)
    for _ in range(5):
        assert attempt(limited, user.email, user.password, "192.0.2.10").status == 200, "right ones never count"
    assert guess(limited, user.email, 10, "192.0.2.10") == [401] * 10
    reply = attempt(limited, user.email, source="192.0.2.10")
    expect.error(reply, 429, "RATE_LIMITED")
    assert 0 < int(reply.header("Retry-After")) <= 901
    expect.error(attempt(limited, user.email.upper(), user.password, "192.0.2.10"), 429, "RATE_LIMITED")
    assert attempt(limited, user.email, user.password, "192.0.2.11").status == 200, "another address is not locked out"
    assert attempt(limited, User.put_in(limited).email, source="192.0.2.10").status == 401, "nor another account"


def test_right_passwords_never_count(limited):
    user = User.put_in(limited)
    for _ in range(12):
        assert attempt(limited, user.email, user.password, "192.0.2.20").status == 200


def test_100_wrong_passwords_from_one_address_lock_the_address(limited):
    """100 per address, whatever the accounts. Unknown addresses count too (404)."""
    assert set(guess(limited, "nobody@home.example", 4, "192.0.2.30")) == {404}
    for _ in range(12):
        assert set(guess(limited, User.put_in(limited).email, 8, "192.0.2.30")) == {401}
    expect.error(attempt(limited, "nobody-x@home.example", source="192.0.2.30"), 429, "RATE_LIMITED")
    assert attempt(limited, "nobody-x@home.example", source="192.0.2.31").status == 404


def test_uploads_are_limited_to_10_a_minute_and_user(limited, google):
    user, other = User.put_in(limited), User.put_in(limited)
    for _ in range(10):
        assert user.upload({"access_token": "ya29.unknown"}).status == 400
    with google.counting() as calls:
        reply = user.upload({"access_token": "ya29.unknown"})
        expect.error(reply, 429, "RATE_LIMITED")
        assert 0 < int(reply.header("Retry-After")) <= 61
    assert not any(calls.values()), "a limited upload does not ask Google"
    assert other.upload({"access_token": "ya29.unknown"}).status == 400
    assert limited.post(TOKENS_PATH, {"access_token": "ya29.x"}).status == 401


def test_x_forwarded_for_counts_from_the_right_past_trusted_proxies(limited):
    """The last untrusted address is the client; what the client itself wrote before it is not believed."""
    user = User.put_in(limited)
    for number in range(10):
        reply = attempt(limited, user.email, source=f"198.51.100.{number}, 203.0.113.9, 10.1.2.3")
        assert reply.status == 401
    assert attempt(limited, user.email, source="198.51.100.77, 203.0.113.9").status == 429
    assert attempt(limited, user.email, source="203.0.113.9, 198.51.100.7").status == 401


def test_x_forwarded_for_means_nothing_without_a_trusted_proxy(new_server):
    server = new_server(limits=True)
    user = User.put_in(server)
    for number in range(10):
        assert attempt(server, user.email, source=f"198.51.100.{number}").status == 401
    assert attempt(server, user.email, source="198.51.100.99").status == 429


def test_the_limits_can_be_switched_off_for_load_tests(server, google):
    user = User.put_in(server)
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda _: attempt(server, user.email), range(12)))
    assert {reply.status for reply in replies} == {401}
