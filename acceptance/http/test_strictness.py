"""HTTP/1.1 as bytes (DESIGN 4, 6; RFC 9112): what is malformed or too large is refused, and nothing that is
hidden in a body is ever answered."""

import os
import re
import subprocess
import sys

import pytest

HIDDEN = b"GET /hidden-in-a-body HTTP/1.1\r\nHost: x\r\n\r\n"
OK = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def post(fields: bytes, body: bytes, version=b"HTTP/1.1") -> bytes:
    return b"POST /v1/auth/login " + version + b"\r\nHost: x\r\n" + fields + b"\r\n" + body


def chunked(body: bytes, coding=b"chunked", version=b"HTTP/1.1") -> bytes:
    return post(b"Transfer-Encoding: " + coding + b"\r\n", body, version)


def head(line=b"GET /healthz HTTP/1.1", fields=b"Host: x\r\n") -> bytes:
    return line + b"\r\n" + fields + b"\r\n"


LENGTH = b"Content-Length: %d\r\n" % len(HIDDEN)
WHOLE = b"5\r\nhello\r\n0\r\n\r\n"

REFUSED = {
    # Request lines
    "no HTTP": b"HELLO\r\n\r\n", "HTTP/0.9": b"GET /healthz\r\n\r\n", "version 2": head(b"GET /healthz HTTP/2.0"),
    "version 1.10": head(b"GET /healthz HTTP/1.10"), "lower-case version": head(b"GET /healthz http/1.1"),
    "two spaces": head(b"GET  /healthz HTTP/1.1"), "tab": head(b"GET\t/healthz HTTP/1.1"),
    "a fourth word": head(b"GET /healthz x HTTP/1.1"), "NUL in the target": head(b"GET /a\0b HTTP/1.1"),
    "control in the target": head(b"GET /a\x07b HTTP/1.1"), "TLS hello": b"\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03" + b"\x01" * 60,
    "no path": head(b"GET healthz HTTP/1.1"), "method with a colon": head(b"G:T /healthz HTTP/1.1"),
    # Fields
    "no Host": head(fields=b""), "two Hosts": head(fields=b"Host: a\r\nHost: b\r\n"),
    "folded line": head(fields=b"Host: x\r\nA: b\r\n c\r\n"), "no colon": head(fields=b"Host: x\r\nAbc\r\n"),
    "space before colon": head(fields=b"Host: x\r\nA : b\r\n"), "space in a name": head(fields=b"Host: x\r\nA b: c\r\n"),
    "empty name": head(fields=b"Host: x\r\n: b\r\n"), "NUL in a value": head(fields=b"Host: x\r\nA: b\0c\r\n"),
    "bare CR in a value": head(fields=b"Host: x\r\nA: b\rC: d\r\n"), "control in a name": head(fields=b"Host: x\r\nA\x01: b\r\n"),
    "leading space": head(fields=b" Host: x\r\nHost: x\r\n"),
    # Content-Length
    "two lengths, 0 first": post(b"Content-Length: 0\r\n" + LENGTH, HIDDEN), "two lengths, 0 last": post(LENGTH + b"Content-Length: 0\r\n", HIDDEN),
    "lengths in a list": post(b"Content-Length: 0, %d\r\n" % len(HIDDEN), HIDDEN), "signed length": post(b"Content-Length: +5\r\n", b"hello"),
    "negative length": post(b"Content-Length: -5\r\n", b"hello"), "hex length": post(b"Content-Length: 0x5\r\n", b"hello"),
    "length with a word": post(b"Content-Length: 5 x\r\n", b"hello"), "empty length": post(b"Content-Length:\r\n", b"hello"),
    "length over 64 bits": post(b"Content-Length: 18446744073709551621\r\n", b"hello"), "length, space, colon": post(b"Content-Length : 5\r\n", b"hello"),
    # Transfer-Encoding
    "length and chunked": post(b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (len(HIDDEN) + 5), b"0\r\n\r\n" + HIDDEN),
    "chunked and length": post(b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % (len(HIDDEN) + 5), b"0\r\n\r\n" + HIDDEN),
    "xchunked": chunked(WHOLE, b"xchunked"), "chunked, identity": chunked(WHOLE, b"chunked, identity"), "gzip, chunked": chunked(WHOLE, b"gzip, chunked"),
    "chunked twice": chunked(WHOLE, b"chunked\r\nTransfer-Encoding: chunked"), "chunked, chunked": chunked(WHOLE, b"chunked, chunked"),
    "quoted chunked": chunked(WHOLE, b'"chunked"'), "vertical tab": chunked(WHOLE, b"\x0bchunked"), "chunked in 1.0": chunked(WHOLE, version=b"HTTP/1.0"),
    "identity with a length": post(b"Transfer-Encoding: identity\r\nContent-Length: 5\r\n", b"hello"),
    "space before the colon of chunked": post(b"Content-Length: %d\r\nTransfer-Encoding : chunked\r\n" % len(HIDDEN), HIDDEN),
    # Chunks
    "chunk size zz": chunked(b"zz\r\nhello\r\n0\r\n\r\n"), "chunk size -5": chunked(b"-5\r\nhello\r\n0\r\n\r\n"),
    "chunk size +5": chunked(b"+5\r\nhello\r\n0\r\n\r\n"), "chunk size 0x5": chunked(b"0x5\r\nhello\r\n0\r\n\r\n"),
    "chunk size with a space": chunked(b" 5\r\nhello\r\n0\r\n\r\n"), "chunk size over 64 bits": chunked(b"10000000000000005\r\nhello\r\n0\r\n\r\n"),
    "no line end after a chunk": chunked(b"5\r\nhelloXX0\r\n\r\n"), "chunk without a size": chunked(b"\r\nhello\r\n0\r\n\r\n"),
    "line feed in an extension": chunked(b"5;a\nb\r\nhello\r\n0\r\n\r\n"), "huge extension": chunked(b"5;" + b"a" * 100000 + b"\r\nhello\r\n0\r\n\r\n"),
    "huge trailer": chunked(b"5\r\nhello\r\n0\r\nX: " + b"a" * 100000 + b"\r\n\r\n"),
    # Limits
    "20 KiB of field": head(fields=b"Host: x\r\nA: " + b"a" * 20000 + b"\r\n"), "1000 fields": head(fields=b"Host: x\r\n" + b"".join(b"H%d: a\r\n" % n for n in range(1000))),
    "20 KiB of target": head(b"GET /" + b"a" * 20000 + b" HTTP/1.1"), "10 MB announced": post(b"Content-Length: 10000000\r\n", b""),
    "1 MB sent": post(b"Content-Length: 1000000\r\n", b"a" * 1000000), "1 MB in chunks": chunked((b"8000\r\n" + b"a" * 32768 + b"\r\n") * 32 + b"0\r\n\r\n"),
    "a head without an end": b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 1000000, "unknown expectation": post(b"Content-Length: 5\r\nExpect: magic\r\n", b"hello"),
    "too large, and waits for 100": post(b"Content-Length: 10000000\r\nExpect: 100-continue\r\n", b""),
}


def statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", received)]


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_malformed_or_too_large_gets_one_refusal_and_a_close(server, case):
    """RFC 9112 sections 2 to 7: one 4xx or 5xx, then the connection ends; the request behind it is not read."""
    received = server.address.exchange(REFUSED[case] + HIDDEN)
    found = statuses(received)
    assert len(found) <= 1 and all(400 <= status <= 505 for status in found), (case, received[:300])
    assert found, "a refusal that can be given is given"
    assert b"hidden" not in received and b"NOT_FOUND" not in received
    assert re.search(rb"(?i)connection: close", received), received[:300]
    assert server.get("/healthz").status == 200


ACCEPTED = {
    "plain": OK, "absolute form": head(b"GET http://x/healthz HTTP/1.1"), "an empty line first": b"\r\n" + OK, "unusual case": head(fields=b"hOsT: x\r\nCONNECTION: keep-alive\r\n"),
    "query": head(b"GET /healthz?a=b&c=%20 HTTP/1.1"), "spaces around a value": head(fields=b"Host:\t x \t\r\n"), "IPv6 host": head(fields=b"Host: [::1]:80\r\n"),
    "empty value": head(fields=b"Host: x\r\nA:\r\n"), "obs-text in a value": head(fields=b"Host: x\r\nA: \xe9\r\n"), "99 fields": head(fields=b"Host: x\r\n" + b"".join(b"H%d: a\r\n" % n for n in range(99))),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_is_well_formed_is_answered_and_the_connection_stays_in_step(server, case):
    received = server.address.exchange(ACCEPTED[case] + OK)
    assert statuses(received) == [200, 200], (case, received[:300])


@pytest.mark.parametrize("body", [WHOLE, b"005\r\nhello\r\n0\r\n\r\n", b"1\r\nh\r\n4;name=value\r\nello\r\n0\r\nTrailer: x\r\n\r\n", b"5;q=\"a;b\"\r\nhello\r\n000\r\n\r\n"])
def test_chunked_bodies_are_read_whole(server, body):
    received = server.address.exchange(chunked(body) + OK)
    assert statuses(received) == [400, 200] and b"INVALID_JSON" in received


def test_the_same_length_twice_is_one_length_or_refused(server):
    received = server.address.exchange(post(b"Content-Length: 5\r\nContent-Length: 5\r\n", b"hello"))
    assert statuses(received) == [400]


def test_a_hundred_requests_sent_at_once_are_answered_in_order(server):
    received = server.address.exchange((OK + head(b"GET /nothing HTTP/1.1")) * 50)
    assert statuses(received) == [200, 404] * 50


def test_100_continue_is_said_before_the_body_is_read(server):
    with server.address.open() as link:
        link.send(post(b"Content-Length: 2\r\nExpect: 100-continue\r\n", b""))
        assert link.socket.recv(64).startswith(b"HTTP/1.1 100 ")
        link.send(b"{}")
        link.finish()
        assert statuses(link.read_all()) == [400]


def test_http_1_0_is_answered_and_closed(server):
    received = server.address.exchange(b"GET /healthz HTTP/1.0\r\n\r\n" + OK)
    assert statuses(received) == [200]


@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_request_may_come_in_pieces(server, size):
    import socket
    request = post(b"Content-Length: 2\r\nConnection: close\r\n", b"{}")
    with server.address.open() as link:
        link.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(request), size):
            link.send(request[start:start + size])
        assert statuses(link.read_all()) == [400]


def checks() -> str | None:
    """A list of checks that somebody else keeps, where there is one."""
    repository = os.path.join(os.path.dirname(__file__), "..", "..")
    for folder in (os.environ.get("CHECKS_DIR", ""), os.path.join(repository, "..", "shared", "checks")):
        path = os.path.join(folder, "http_strictness.py")
        if folder and os.path.exists(path):
            return path
    return None


@pytest.mark.skipif(checks() is None, reason="no other list of checks here")
def test_another_list_of_checks_passes_too(server):
    result = subprocess.run([sys.executable, checks(), server.address.host, str(server.address.port)],
                            capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stdout[-3000:]
