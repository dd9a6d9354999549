"""Reads a value of `gmail/user/{user_id}` by the older backend's rules, and prints `ok` if it is content.

Usage: reference_reader.py FILE NOW, where NOW is a naive UTC time. The rules: the keys and their types, naive times
that `datetime.fromisoformat` takes and that compare with a naive "now", a scope of words with spaces between them.
"""

import json
import sys
from datetime import datetime, timedelta

TYPES = {
    "access_token": str, "expires_at": str, "expires_in": int, "scope": str, "token_type": str,
    "created_at": str, "google_user_id": str, "google_email": str, "google_name": str,
    "google_verified_email": bool,
}
OPTIONAL = {"refresh_token": str}
OURS = {"client_id": str, "google_base_url": str, "grant_id": str, "fence": int}


def read(text: str, now: datetime) -> str:
    data = json.loads(text)
    for key, kind in TYPES.items():
        if type(data.get(key)) is not kind:
            return f"{key} is no {kind.__name__}"
    for key, value in data.items():
        kind = (TYPES | OPTIONAL | OURS).get(key)
        if kind is None or type(value) is not kind:
            return f"{key} is not expected"
    expires_at = datetime.fromisoformat(data["expires_at"])
    created_at = datetime.fromisoformat(data["created_at"])
    if expires_at.tzinfo or created_at.tzinfo:
        return "a time is not naive"
    # The refresh rule: this comparison throws for a time with an offset.
    needs_refresh = expires_at - now < timedelta(minutes=5)
    if expires_at - created_at != timedelta(seconds=data["expires_in"]):
        return "expires_at is not created_at + expires_in"
    if needs_refresh and "refresh_token" not in data:
        return "it cannot be refreshed"
    if data["token_type"] != "Bearer" or data["scope"] != " ".join(data["scope"].split()):
        return "token_type or scope has another form"
    return "ok"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(read(file.read(), datetime.fromisoformat(sys.argv[2])))
