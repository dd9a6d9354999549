"""The contract's envelopes (reference A.0, DESIGN 4), checked whole."""

from .wire import Reply


def success(reply: Reply, status: int, message: str) -> dict | None:
    """Asserts the success envelope; gives its data."""
    assert reply.status == status, reply
    assert reply.header("Content-Type") == "application/json", reply.fields
    assert set(reply.json) == {"message", "code", "data"}, reply
    assert reply.json["message"] == message, reply
    assert reply.json["code"] == status, reply
    return reply.data


def error(reply: Reply, status: int, code: str, message: str | None = None, *, reason: str | None = None) -> dict:
    """Asserts the error envelope; gives the error."""
    assert reply.status == status, reply
    assert reply.header("Content-Type") == "application/json", reply.fields
    assert set(reply.json) == {"error"}, reply
    found = reply.error
    expected = {"code", "message", "request_id"} | ({"reason"} if reason else set())
    assert set(found) == expected, reply
    assert found["code"] == code, reply
    assert found["request_id"], reply
    assert found.get("reason") == reason, reply
    if message is not None:
        assert found["message"] == message, reply
    if status in (429, 502) or status == 503 and code != "GMAIL_NOT_CONFIGURED":
        assert int(reply.header("Retry-After")) >= 1, reply.fields
    if status == 401:
        assert reply.header("WWW-Authenticate").startswith("Bearer"), reply.fields
    return found
