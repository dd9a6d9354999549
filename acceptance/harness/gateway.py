"""An HTTP API in front of a function: requests become events in payload format 2.0, results become replies."""

import base64
import json
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

# What comes as text; every other body, a form's too, comes in base64.
TEXT = ("text/", "application/json", "application/javascript", "application/xml", "application/vnd.api+json")


def event(method: str, target: str, fields: list[tuple[str, str]], body: bytes, *, peer: str = "127.0.0.1",
          stage: str = "$default", domain: str = "api.example.com") -> dict:
    """The event of a request: names in lower case, duplicates joined by commas, cookies apart, the path unescaped
    and, for a named stage, with that before it. What there is none of is absent, not null."""
    parts = urlsplit(target)
    # `//x` would be taken for a host.
    path = unquote(target.split("?", 1)[0])
    headers: dict[str, str] = {}
    for name, value in fields:
        name = name.lower()
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    cookies = headers.pop("cookie", None)
    headers["x-forwarded-for"] = ", ".join(filter(None, [headers.get("x-forwarded-for"), peer]))
    headers |= {"x-forwarded-port": "443", "x-forwarded-proto": "https",
                "x-amzn-trace-id": f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]}"}
    raw_path = path if stage == "$default" else f"/{stage}{path}"
    query = parts.query if "?" in target else ""
    made = {
        "version": "2.0", "routeKey": "$default", "rawPath": raw_path, "rawQueryString": query, "headers": headers,
        "requestContext": {
            "accountId": "123456789012", "apiId": "a1b2c3d4e5", "domainName": domain, "domainPrefix": domain.split(".")[0],
            "http": {"method": method, "path": raw_path, "protocol": "HTTP/1.1", "sourceIp": peer,
                     "userAgent": headers.get("user-agent", "")},
            "requestId": base64.b64encode(uuid.uuid4().bytes[:11]).decode(), "routeKey": "$default", "stage": stage,
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime()), "timeEpoch": int(time.time() * 1000)},
        "isBase64Encoded": False}
    if cookies:
        made["cookies"] = cookies.split("; ")
    if query:
        joined: dict[str, str] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            joined[name] = f"{joined[name]},{value}" if name in joined else value
        made["queryStringParameters"] = joined
    if body:
        made |= _body(body, headers.get("content-type", ""))
    return made


def _body(body: bytes, content_type: str) -> dict:
    if content_type.lower().startswith(TEXT):
        try:
            return {"body": body.decode(), "isBase64Encoded": False}
        except UnicodeDecodeError:
            pass
    return {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}


def reply(result) -> tuple[int, list[tuple[str, str]], bytes]:
    """Status, fields and body of a function's result: a JSON value, or None when it failed."""
    failed = 500, [("Content-Type", "application/json")], b'{"message":"Internal Server Error"}'
    if result is None:
        return failed
    if not isinstance(result, dict) or "statusCode" not in result:
        return 200, [("Content-Type", "application/json")], json.dumps(result).encode()
    try:
        fields = [(name, str(value)) for name, value in result.get("headers", {}).items()]
        fields += [("Set-Cookie", cookie) for cookie in result.get("cookies", [])]
        body = result.get("body") or ""
        content = base64.b64decode(body) if result.get("isBase64Encoded") else body.encode()
        return int(result["statusCode"]), fields, content
    except (TypeError, ValueError, AttributeError):
        return failed


class Gateway:
    """Listens, has each request's event answered by `invoke`, and answers. `invoke` gives the function's result, or
    None when it failed."""

    def __init__(self, invoke, **context):
        self.invoke, self.context = invoke, context
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(gateway):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # A reply goes out as one piece, at once.
            wbufsize = -1
            disable_nagle_algorithm = True

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return self.pass_on
                raise AttributeError(name)

            def pass_on(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                made = event(self.command, self.requestline.split(" ")[1], self.headers.items(), body,
                             peer=self.client_address[0], **gateway.context)
                status, fields, content = reply(gateway.invoke(made))
                self.send_response(status)
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)
                self.wfile.flush()

            def log_message(self, *_):
                pass

        return Handler
