"""Stands between a function and AWS, as IAM does: lets through what the function's role allows, and writes down
everything that it asked for."""

import http.client
import json
import threading
from dataclasses import dataclass
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


@dataclass(frozen=True)
class Need:
    """An IAM action on a thing: `table/Users`, `table/Users/index/Email-index`, `secret:gmail/user/u1`, `key`, `queue`."""

    action: str
    on: str


@dataclass(frozen=True)
class Request:
    """One request: the service's action, and what it needs."""

    action: str
    needs: tuple[Need, ...]
    # What DynamoDB counts it as, by the rules that docs/cost.md gives.
    reads: int = 0
    writes: int = 0

    @property
    def service(self) -> str:
        return self.needs[0].action.split(":")[0]


def request(target: str, body: dict) -> Request:
    """What a request of the JSON protocols is, by its target and body."""
    service, action = target.split(".")
    match service:
        case "DynamoDB_20120810":
            needs = tuple(_items(action, body))
            return Request(action, needs, *_units(action, body, needs))
        case "secretsmanager":
            name = body.get("SecretId") or body["Name"]
            return Request(action, (Need(f"secretsmanager:{action}", f"secret:{name}"),))
        case "TrentService":
            return Request(action, (Need(f"kms:{action}", "key"),))
        case "AmazonSQS":
            return Request(action, (Need(f"sqs:{action.removesuffix('Batch')}", "queue"),))
    raise AssertionError(f"no role knows {target}")


def _items(action: str, body: dict):
    """A need for each item that is read or written; a page of a query or a scan counts as one."""
    match action:
        case "TransactWriteItems":
            kinds = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
            for write in body["TransactItems"]:
                [(kind, item)] = write.items()
                yield Need(f"dynamodb:{kinds[kind]}", f"table/{item['TableName']}")
        case "BatchGetItem":
            for table, keys in body["RequestItems"].items():
                for _ in keys["Keys"]:
                    yield Need("dynamodb:BatchGetItem", f"table/{table}")
        case _:
            index = f"/index/{body['IndexName']}" if "IndexName" in body else ""
            yield Need(f"dynamodb:{action}", f"table/{body['TableName']}{index}")


def _units(action: str, body: dict, needs: tuple[Need, ...]) -> tuple[int, int]:
    """Read and write units. An item that stands in an index may have to move there: two units more."""
    if action in ("GetItem", "BatchGetItem", "Query", "Scan"):
        return len(needs), 0
    writes = [list(write.values())[0] for write in body["TransactItems"]] if action == "TransactWriteItems" else [body]
    moved = sum(2 for write in writes if "Queue" in write.get("Item", {}) or "Queue" in (
        write.get("ExpressionAttributeNames", {}).values() if "UpdateExpression" in write else ()))
    return 0, moved + len(needs) * (2 if action == "TransactWriteItems" else 1)


def allows(allowed: set[tuple[str, str]], need: Need) -> bool:
    """Whether one of the pairs of action and resource covers `need`."""
    return any(action == need.action and fnmatchcase(need.on, resource) for action, resource in allowed)


class Gate(ThreadingHTTPServer):
    """An endpoint for a function of one role."""

    daemon_threads = True

    def __init__(self, aws: str, allowed: set[tuple[str, str]] | None = None):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.aws, self.allowed = urlsplit(aws), allowed
        self.requests: list[Request] = []
        self.denied: set[Need] = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def taken(self) -> list[Request]:
        """What was asked for since the last time."""
        taken, self.requests = self.requests, []
        return taken

    def handle_error(self, request, client_address):
        pass  # A function that was ended.


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = request(self.headers["X-Amz-Target"], json.loads(content))
        self.server.requests.append(asked)
        if self.server.allowed is not None:
            refused = {need for need in asked.needs if not allows(self.server.allowed, need)}
            if refused:
                self.server.denied |= refused
                return self._reply(400, b'{"__type":"AccessDeniedException","message":"not allowed"}', {})
        link = http.client.HTTPConnection(self.server.aws.hostname, self.server.aws.port, timeout=60)
        fields = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        # The signature names the host that the function spoke to.
        link.request("POST", self.path, content, fields | {"Host": self.headers["Host"]})
        answer = link.getresponse()
        body = answer.read()
        link.close()
        self._reply(answer.status, body, {
            name: value for name, value in answer.getheaders()
            if name.lower() not in HOP_BY_HOP | {"date", "server"}})

    def _reply(self, status, body, fields):
        self.send_response(status)
        for name, value in (fields | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass
