"""`POST /v1/auth/gmail-tokens` as a small Python handler over boto3: the same calls to Google, the same two stores."""

import json
import os
import uuid
from datetime import UTC, datetime, timedelta

import boto3
import jwt
import requests
from runtime import reply, run

google = os.environ["PAYPULSE_GOOGLE_BASE_URL"]
dynamodb = boto3.resource("dynamodb")
users, own = dynamodb.Table("Users"), dynamodb.Table("PayPulse")
secrets = boto3.client("secretsmanager")
session_key = secrets.get_secret_value(SecretId="PayPulseAppJWTSecret")["SecretString"]
client_id = secrets.get_secret_value(SecretId="Google-OAuth-Client-ID")["SecretString"]
session = requests.Session()


def handle(event: dict) -> dict:
    token = event["headers"]["authorization"].split(" ")[1]
    user_id = jwt.decode(token, session_key, algorithms=["HS256"])["user_id"]
    assert "Item" in users.get_item(Key={"UserID": user_id})
    body = json.loads(event["body"])
    told = session.post(google + "/tokeninfo", data={"access_token": body["access_token"]}, timeout=10).json()
    who = session.get(google + "/oauth2/v3/userinfo", headers={"Authorization": "Bearer " + body["access_token"]}, timeout=10).json()
    fresh = session.post(google + "/token", timeout=10, data={
        "grant_type": "refresh_token", "refresh_token": body["refresh_token"], "client_id": client_id}).json()
    now = datetime.now(UTC).replace(tzinfo=None)
    name = f"gmail/user/{user_id}"
    stored = json.loads(secrets.get_secret_value(SecretId=name)["SecretString"])
    switched = stored["google_user_id"] not in ("", who["sub"])
    version = str(uuid.uuid4())
    own.update_item(
        Key={"PK": f"BENCH#{user_id}", "SK": "CONNECTION"}, UpdateExpression="SET Version = :v",
        ExpressionAttributeValues={":v": version})
    secrets.put_secret_value(SecretId=name, ClientRequestToken=version, SecretString=json.dumps({
        "access_token": fresh["access_token"], "refresh_token": fresh.get("refresh_token", body["refresh_token"]),
        "expires_at": (now + timedelta(seconds=fresh["expires_in"])).isoformat(), "expires_in": fresh["expires_in"],
        "scope": told["scope"], "token_type": "Bearer", "created_at": now.isoformat(), "google_user_id": who["sub"],
        "google_email": who["email"], "google_name": who["name"], "google_verified_email": who["email_verified"]}))
    return reply(201, "Gmail OAuth tokens stored successfully!", {
        "google_email": who["email"], "scope": told["scope"], "account_switch": switched,
        "message": "Same Google account or first connection"})


run(handle)
