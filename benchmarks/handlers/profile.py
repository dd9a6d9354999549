"""`GET /v1/user/me` as a small Python handler over boto3: the user's item, and whether there is a secret."""

import os

import boto3
import jwt
from runtime import reply, run

users = boto3.resource("dynamodb").Table(os.environ.get("USERS_TABLE", "Users"))
secrets = boto3.client("secretsmanager")
session_key = secrets.get_secret_value(SecretId="PayPulseAppJWTSecret")["SecretString"]


def handle(event: dict) -> dict:
    token = event["headers"]["authorization"].split(" ")[1]
    user_id = jwt.decode(token, session_key, algorithms=["HS256"])["user_id"]
    user = users.get_item(Key={"UserID": user_id})["Item"]
    try:
        secrets.get_secret_value(SecretId=f"gmail/user/{user_id}")
        connected = True
    except secrets.exceptions.ResourceNotFoundException:
        connected = False
    return reply(200, "User profile retrieved successfully", {
        "name": user["Name"], "email": user["Email"], "created_on": user["CreatedOn"], "gmail_account_connected": connected})


run(handle)
