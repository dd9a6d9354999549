"""Errors that belong to no endpoint (reference A.0, DESIGN 4), and what every reply has."""

import gzip

import pytest

from harness import expect
from harness.users import TOKENS_PATH

ROUTES = {
    "/v1/auth/signup": {"POST"}, "/v1/auth/login": {"POST"}, "/v1/auth/gmail-tokens": {"POST", "DELETE"},
    "/v1/auth/gmail/store-tokens": {"POST"}, "/v1/user/me": {"GET", "DELETE"}, "/healthz": {"GET"},
    "/readyz": {"GET"}, "/openapi.json": {"GET"},
}


@pytest.mark.parametrize("path", [
    "/", "/v1", "/v1/", "/v1/auth", "/v1/auth/signup/", "/V1/auth/signup", "/auth/signup", "/user/me", "/v1/delete/me",
    "/v1/auth/gmail-tokens/x", "//v1/user/me", "/v1/user/../user/me", "/v1/user/%6de/x", "/favicon.ico", "/user/delete_user",
])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_404_not_found_with_the_error_envelope(server, method, path):
    """A.0's gateway errors had no `error` object; DESIGN 4: NOT_FOUND. A.1: the old paths are not served."""
    expect.error(server.request(method, path), 404, "NOT_FOUND")


@pytest.mark.parametrize("path", ROUTES)
def test_405_method_not_allowed_names_the_methods(server, path):
    allowed = ROUTES[path]
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} - allowed:
        reply = server.request(method, path)
        expect.error(reply, 405, "METHOD_NOT_ALLOWED")
        named = {name.strip() for name in reply.header("Allow").split(",")}
        assert allowed <= named <= allowed | {"HEAD"}, (method, named)


def test_413_a_body_over_64_kib_is_refused_and_one_of_64_kib_is_read(server):
    """DESIGN 4: 64 KiB on the JSON routes."""
    reply = server.post("/v1/auth/login", b" " * 65537)
    expect.error(reply, 413, "PAYLOAD_TOO_LARGE")
    expect.error(server.post("/v1/auth/login", b" " * 65534 + b"{}"), 400, "MISSING_FIELDS")


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_413_a_chunked_body_over_64_kib_is_refused(server):
    body = b"".join(b"4000\r\n" + b" " * 0x4000 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
    head = b"POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    received = server.address.exchange(head + body)
    assert received.startswith(b"HTTP/1.1 413 ") and b"PAYLOAD_TOO_LARGE" in received


def test_415_a_compressed_body_is_refused(server):
    body = gzip.compress(b'{"email":"a@b.example","password":"x"}')
    reply = server.post("/v1/auth/login", body, headers={"Content-Encoding": "gzip"})
    expect.error(reply, 415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_431_headers_over_16_kib_are_refused(server):
    reply = server.get("/healthz", headers={"X-Padding": "a" * 17000})
    expect.error(reply, 431, "HEADERS_TOO_LARGE")
    assert server.get("/healthz", headers={"X-Padding": "a" * 15000}).status == 200


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_a_long_target_is_refused(server):
    reply = server.get("/" + "a" * 9000)
    assert reply.status in (414, 431) and reply.code == "HEADERS_TOO_LARGE"


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_400_malformed_http_gets_the_error_envelope_too(server):
    received = server.address.exchange(b"GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 400 ") and b'"request_id"' in received and b"INVALID_REQUEST" in received


@pytest.mark.parametrize("path", ["/healthz", "/openapi.json", "/v1/user/me", "/nothing"])
def test_head_is_get_without_the_body(server, path):
    get, head = server.get(path), server.request("HEAD", path)
    assert (head.status, head.body) == (get.status, b"")
    assert head.header("Content-Length") == str(len(get.body))
    assert head.header("Content-Type") == get.header("Content-Type")


def test_request_ids_differ_and_are_found_in_the_log(server):
    """DESIGN 4: `request_id`; the issue: one log line per request with the id."""
    ids = [server.get("/v1/user/me").error["request_id"] for _ in range(3)]
    assert len(set(ids)) == 3
    logged = {line["id"]: line for line in server.events("request")}
    for each in ids:
        line = logged[each]
        assert (line["method"], line["route"], line["status"]) == ("GET", "/v1/user/me", 401)
        assert line["duration_ms"] >= 0


def test_replies_about_a_user_are_kept_by_no_cache(server, user):
    assert "no-store" in user.me().header("Cache-Control")


def test_500_carries_a_fixed_text_only(server):
    """I-24: nothing that was sent here ever made a 500."""
    assert not [line for line in server.events("request") if line["status"] == 500]


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_connections_are_kept_open_and_answer_in_order(server):
    """Two requests sent at once over one connection get two replies, in order."""
    first = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    second = b"GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    received = server.address.exchange(first + second)
    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404"]


def test_the_alias_has_no_delete(server, user):
    expect.error(server.delete("/v1/auth/gmail/store-tokens", token=user.token), 405, "METHOD_NOT_ALLOWED")


@pytest.mark.self_hosted("API Gateway speaks HTTP with clients, and refuses what is malformed or too large")
def test_an_upload_of_binary_is_refused_and_the_connection_stays_in_step(server, user):
    head = f"POST {TOKENS_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {user.token}\r\nContent-Length: 256\r\n\r\n"
    follow = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    received = server.address.exchange(head.encode() + bytes(range(256)) + follow)
    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"400", b"200"]
