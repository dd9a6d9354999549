"""The smallest Python runtime: takes events from Lambda's runtime API and has `handle(event)` answer them."""

import http.client
import json
import os


def run(handle) -> None:
    link = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"], timeout=None)
    base = "/2018-06-01/runtime/invocation/"
    while True:
        link.request("GET", base + "next")
        answer = link.getresponse()
        identifier, event = answer.getheader("Lambda-Runtime-Aws-Request-Id"), json.loads(answer.read())
        link.request("POST", f"{base}{identifier}/response", json.dumps(handle(event)))
        link.getresponse().read()


def reply(status: int, message: str, data) -> dict:
    """A reply in the contract's envelope."""
    return {"statusCode": status, "headers": {"Content-Type": "application/json"},
            "body": json.dumps({"message": message, "code": status, "data": data})}
