"""In place of the older backend: what its functions were recorded to answer, asked of ours (72 events).

Each is answered the same, or better in a way that `docs/cases.md` gives the reason for."""

import base64
import json
import os
import re
import time

import jwt
import pytest

from harness.emulator import GMAIL, subject
from harness.gateway import event, reply
from harness.lambda_server import LambdaServer
from harness.moto import USERS
from harness.users import claims

_here = os.path.dirname(os.path.abspath(__file__))
USER = "user_0b7c0d3e-1111-4222-8333-944445555666"
# bcrypt of `correct horse battery`, of little cost.
HASH = "$2b$04$abcdefghijklmnopqrstuuqREtd3VJD2QVZbuFskFSLk6eRIrQoOS"
ACCESS, REFRESH = "ya29." + "b" * 200, "1//0" + "r" * 100


def _lines() -> list[dict]:
    with open(os.path.join(_here, "golden.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _differences() -> dict[tuple[str, str], tuple[int, str]]:
    """Function and case to the status and the code that we answer instead, from the document's table."""
    with open(os.path.join(_here, "..", "..", "docs", "cases.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| `(\w+)` \| (.+?) \| \d+[^|]* \| (\d+)(?: `(\w+)`)? \| .+ \|$", file.read(), re.M)
    return {(function, case): (int(status), code) for function, case, status, code in rows}


LINES, DIFFERENCES = _lines(), _differences()


@pytest.fixture(scope="module")
def deployment(the_emulator):
    server = LambdaServer(the_emulator.url)
    yield server
    server.stop()


@pytest.fixture
def older(deployment, google):
    """The state that the recording was made in: a user, and a secret in the older backend's form."""
    world = deployment.world
    for item in world.items(USERS):
        world.dynamodb.delete_item(TableName=USERS, Key={"UserID": item["UserID"]})
    for item in world.items():
        world.dynamodb.delete_item(TableName="PayPulse", Key={key: item[key] for key in ("PK", "SK")})
    world.dynamodb.put_item(TableName=USERS, Item={
        "UserID": {"S": USER}, "Email": {"S": "t@example.se"}, "Name": {"S": "Test Testsson"}, "Password": {"S": HASH},
        "CreatedOn": {"S": "2025-07-01"}, "CreatedAt": {"S": "12:34:56.123456"}})
    world.put_secret(f"gmail/user/{USER}", json.dumps({
        "access_token": "ya29.old", "expires_at": "2025-09-19T02:03:10.123456", "expires_in": 3600, "scope": GMAIL,
        "token_type": "Bearer", "created_at": "2025-09-19T01:03:10.123456", "refresh_token": "1//0gold",
        "google_user_id": "", "google_email": "t@gmail.com", "google_name": "T", "google_verified_email": False}))
    google.account("t@gmail.com", sub=subject("t@gmail.com"))
    for access, refresh in ((ACCESS, REFRESH), ("ya29.form", "1//r")):
        google.mint("t@gmail.com", scope=f"{GMAIL} openid", access_token=access, refresh_token=refresh)
    return deployment


def session(line: dict, key: str) -> str:
    """The recorded session token, made again under our key and our clock."""
    def moment(value):
        seconds = int(time.time()) + value["in"]
        return {"text": str(seconds), "fraction": seconds + 0.5}.get(value.get("as"), seconds)
    told = {name: moment(value) if isinstance(value, dict) else value for name, value in line["session"]["claims"].items()}

    def segment(value) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    head = segment({"alg": line["session"]["alg"], "typ": "JWT"}) + "." + segment(told)
    if line["session"]["key"] == "none":
        return head + "."
    used = key if line["session"]["key"] == "ours" else "another key that is long enough for it"
    # PyJWT would not write some of these claims; its signature is what counts.
    signature = jwt.get_algorithm_by_name("HS256").sign(head.encode(), used.encode())
    return head + "." + base64.urlsafe_b64encode(signature).rstrip(b"=").decode()


def replay(server: LambdaServer, line: dict):
    """Status and body of our reply."""
    recorded = line["event"]
    made = event(recorded["method"], recorded["path"], [], b"")
    made["routeKey"] = made["requestContext"]["routeKey"] = f"{recorded['method']} {recorded['path']}"
    del made["headers"]
    if "headers" in recorded:
        made["headers"] = {
            name: value.replace("<session>", session(line, server.jwt_secret)) if "<session>" in value else value
            for name, value in recorded["headers"].items()}
    made |= {key: recorded[key] for key in ("body", "isBase64Encoded") if key in recorded}
    status, fields, body = reply(server.function.invoke(made))
    assert dict(fields)["Content-Type"] == "application/json"
    return status, json.loads(body)


def same(recorded, ours, path="") -> None:
    """Everything that was there is there, with the same value; there may be more."""
    if isinstance(recorded, dict):
        assert isinstance(ours, dict), (path, ours)
        for name, value in recorded.items():
            assert name in ours, (path, name, ours)
            same(value, ours[name], f"{path}.{name}")
    elif path.endswith(".access_token"):
        assert claims(ours)["exp"] - claims(ours)["iat"] == 86400
    elif path.endswith(".created_on"):
        assert ours == f"{recorded}T12:34:56Z", "a date and time, as documented"
    else:
        assert ours == recorded, (path, ours)


@pytest.mark.parametrize("line", LINES, ids=[f"{line['function']}: {line['case']}" for line in LINES])
def test_a_recorded_event_is_answered_the_same_or_better(older, line):
    status, body = replay(older, line)
    expected = DIFFERENCES.get((line["function"], line["case"]))
    if expected is None:
        assert status == line["status"], body
        same(line["reply"], body)
    else:
        assert (status, body.get("error", {}).get("code", "")) == expected, body


def test_every_difference_that_is_explained_is_one(older):
    """A line of the table that no longer differs would hide a fault later."""
    known = {(line["function"], line["case"]) for line in LINES}
    assert set(DIFFERENCES) <= known, set(DIFFERENCES) - known
    for line in LINES:
        if (line["function"], line["case"]) in DIFFERENCES:
            status, body = replay(older, line)
            with pytest.raises(AssertionError):
                assert status == line["status"]
                same(line["reply"], body)
