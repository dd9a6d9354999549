"""`GET /v1/user/me` (reference A.5, I-27; DESIGN 3.3) and `DELETE /v1/user/me` (reference A.6)."""

import datetime
import json

from harness import expect
from harness.emulator import SCOPES
from harness.users import User


def test_a5_200_the_profile_of_someone_who_never_connected(server):
    user = User.sign_up(server)
    data = expect.success(user.me(), 200, "User profile retrieved successfully")
    assert set(data) == {"name", "email", "created_on", "gmail_account_connected", "gmail_connection"}
    assert (data["name"], data["email"]) == (user.name, user.email)
    assert data["gmail_account_connected"] is False
    assert data["gmail_connection"] == {"status": "not_connected"}


def test_01_created_on_is_an_iso_8601_utc_date_time(server, user):
    """0.1: the seed wins over the code: a date-time with `T` and `Z`."""
    text = user.profile["created_on"]
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.UTC)
    assert abs((datetime.datetime.now(datetime.UTC) - moment).total_seconds()) < 3600


def test_issue_literal_profile_of_a_connected_user(server, user, google):
    """The issue's second literal exchange, with 3.3's `gmail_connection` beside it."""
    user.connect(google)
    reply = user.me()
    assert reply.status == 200
    body = reply.json
    created = body["data"].pop("created_on")
    assert created.endswith("Z") and "T" in created
    connection = body["data"].pop("gmail_connection")
    assert body == {
        "message": "User profile retrieved successfully", "code": 200,
        "data": {"name": user.name, "email": user.email, "gmail_account_connected": True}}
    assert connection["status"] == "connected" and connection["google_email"] == user.gmail
    assert set(connection["scope"].split()) == set(SCOPES.split())
    for moment in ("connected_at", "last_refreshed_at"):
        datetime.datetime.strptime(connection[moment], "%Y-%m-%dT%H:%M:%SZ")
    assert "reason" not in connection and "works_until" not in connection


def test_a5_the_profile_never_calls_google(server, user, google):
    """DESIGN 3.3: this endpoint never calls Google."""
    user.connect(google)
    with google.counting() as calls:
        for _ in range(5):
            assert user.me().status == 200
    assert not any(calls.values()), calls


def test_a5_404_user_not_found_after_the_account_is_deleted(server):
    """A.5, DESIGN 4: a deleted user's token is 404 here and 401 elsewhere."""
    user = User.sign_up(server)
    assert user.delete().status == 200
    expect.error(user.me(), 404, "USER_NOT_FOUND", "User not found")
    expect.error(user.delete(), 404, "USER_NOT_FOUND", "User not found")
    expect.error(user.disconnect(), 401, "INVALID_TOKEN")
    expect.error(user.upload({"access_token": "ya29.none"}), 401, "INVALID_TOKEN")


def test_a6_200_deletes_everything_and_frees_the_address(server):
    user = User.sign_up(server)
    message = f"All data for user {user.id} deleted successfully!"
    assert expect.success(user.delete(), 200, message) is None
    again = User.sign_up(server, email=user.email)
    assert again.id != user.id and again.status == "not_connected"


def test_a0_data_is_present_and_null_when_there_is_nothing(server):
    reply = User.sign_up(server).delete()
    assert json.loads(reply.body)["data"] is None and b'"data"' in reply.body


def test_a0_protected_endpoints_refuse_without_a_session(server):
    """A.0's shared wording, on every protected route (I-19: 401 for every credential problem)."""
    for method, path in [("GET", "/v1/user/me"), ("DELETE", "/v1/user/me"), ("POST", "/v1/auth/gmail-tokens"),
                         ("POST", "/v1/auth/gmail/store-tokens"), ("DELETE", "/v1/auth/gmail-tokens")]:
        expect.error(server.request(method, path), 401, "INVALID_CREDENTIALS", "Invalid Credentials")
        reply = server.request(method, path, headers={"Authorization": ""})
        expect.error(reply, 401, "INVALID_CREDENTIALS", "Invalid Credentials")
        reply = server.request(method, path, token="not.a.token")
        expect.error(reply, 401, "INVALID_TOKEN", "Malformed Token")
