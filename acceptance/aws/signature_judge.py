"""Judges the signature of every request it gets, by botocore. Prints `listening on http://127.0.0.1:PORT`.

    signature_judge.py [--port PORT] [--with-parent]

Answers 200 when the signature is the one that botocore makes for the request as it arrived, and 403 else, with
`{"reasons": [...], "service": ..., "action": ...}`. botocore trusts the form in which path and query arrive, so they
have to be in the one form that AWS makes of them. The key is the one of AWS's published test suite.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote_to_bytes

from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<day>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, "
    r"SignedHeaders=(?P<signed>[a-z0-9;_-]+), Signature=(?P<signature>[0-9a-f]{64})")


def escaped(text: str, safe: str = "") -> str:
    """The one form in which AWS takes `text`, given in any form."""
    return quote(unquote_to_bytes(text), safe=safe + "~")


def is_canonical(path: str, query: str) -> bool:
    pairs = [pair.split("=", 1) for pair in query.split("&")] if query else []
    return (path == escaped(path, "/") and all(len(pair) == 2 for pair in pairs) and pairs == sorted(pairs)
            and all(part == escaped(part) for pair in pairs for part in pair))


def faults_of_fields(fields: dict[str, str], signed: list[str], claim: re.Match, body: bytes):
    """What is wrong with the fields, whatever the signature."""
    moment = fields.get("x-amz-date", "")
    if not moment.startswith(claim["day"]):
        yield "the scope is of another day than X-Amz-Date"
    else:
        then = datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        if abs((datetime.now(timezone.utc) - then).total_seconds()) > 300:
            yield "the date is not now"
    if signed != sorted(set(signed)):
        yield "the signed fields are not sorted"
    for name in {"host", *(name for name in fields if name.startswith("x-amz-"))} - set(signed):
        yield f"{name} is not signed"
    for name in set(signed) - set(fields):
        yield f"{name} is signed and was not sent"
    digest = fields.get("x-amz-content-sha256")
    if digest is None and claim["service"] == "s3":
        yield "S3 wants x-amz-content-sha256"
    if digest not in (None, hashlib.sha256(body).hexdigest()):
        yield "x-amz-content-sha256 is of another body"


def signature(method, target, lines, signed, claim, body) -> str:
    """The signature that botocore makes of the request."""
    kind = S3SigV4Auth if claim["service"] == "s3" else SigV4Auth
    authenticator = kind(KEY, claim["service"], claim["region"])
    host = next(value for name, value in lines if name.lower() == "host")
    request = AWSRequest(method=method, url=f"http://{host}{target}", data=body)
    for name, value in lines:
        if name.lower() in signed:
            request.headers.add_header(name, value)
    request.context["timestamp"] = request.headers["X-Amz-Date"]
    canonical = authenticator.canonical_request(request)
    return authenticator.signature(authenticator.string_to_sign(request, canonical), request)


def judge(method: str, target: str, lines: list[tuple[str, str]], body: bytes) -> dict:
    fields = {name.lower(): value for name, value in lines}
    claim = AUTHORIZATION.fullmatch(fields.get("authorization", ""))
    if not claim:
        return {"reasons": ["no Authorization that can be read"]}
    signed = claim["signed"].split(";")
    reasons = list(faults_of_fields(fields, signed, claim, body))
    if not is_canonical(*(target.split("?", 1) + [""])[:2]):
        reasons.append("the address is not in its one form")
    if claim["key"] != KEY.access_key or claim["signature"] != signature(method, target, lines, signed, claim, body):
        reasons.append("botocore's signature is another")
    return {"reasons": reasons, "service": claim["service"], "action": fields.get("x-amz-target", "")}


class Judge(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        # Fields arrive as Latin-1, and are UTF-8.
        lines = [(name, value.encode("latin-1").decode()) for name, value in self.headers.items()]
        verdict = judge(self.command, self.path, lines, body)
        reply = json.dumps(verdict).encode()
        self.send_response(403 if verdict["reasons"] else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


def end_with_parent():
    """Ends the process when standard input ends."""
    def wait():
        while os.read(0, 4096):
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--with-parent", action="store_true")
    options = parser.parse_args()
    if options.with_parent:
        end_with_parent()
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Judge)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
