"""AWS's answers out of memory: what `moto` answered once, given again at once.

What a function costs shows only where AWS costs nothing: `moto` takes some 5 ms a request. Usage: `canned.py UPSTREAM`
passes requests on and remembers the answers; `SIGUSR1` makes it answer from memory. A read is known by its whole body,
a write by what it does, since its tokens and times are new each time."""

import http.client
import json
import re
import signal
import socket
import sys
import threading
from urllib.parse import urlsplit

READS = {"GetItem", "BatchGetItem", "Query", "GetSecretValue", "DescribeSecret"}
answers: dict[tuple, bytes] = {}
recorded: list[tuple[str, bytes]] = []
recording = True


def key(target: str, body: bytes) -> tuple:
    action = target.rpartition(".")[2]
    if action in READS:
        return (target, body)
    told = json.loads(body)
    return (target, told.get("TableName", ""), len(told.get("TransactItems", [])))


def pass_on(upstream, head: bytes, target: str, body: bytes) -> bytes:
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
    link = http.client.HTTPConnection(upstream.hostname, upstream.port)
    link.request("POST", "/", body, fields)
    answer = link.getresponse()
    content = answer.read()
    link.close()
    return (f"HTTP/1.1 {answer.status} -\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: {len(content)}\r\n\r\n"
            ).encode() + content


def serve(upstream, link: socket.socket) -> None:
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pending = b""
    while True:
        while (end := pending.find(b"\r\n\r\n")) < 0:
            received = link.recv(65536)
            if not received:
                return
            pending += received
        head = pending[:end]
        length = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
        while len(pending) < end + 4 + length:
            pending += link.recv(65536)
        body, pending = pending[end + 4:end + 4 + length], pending[end + 4 + length:]
        target = re.search(rb"(?i)x-amz-target: *(\S+)", head)[1].decode()
        if recording:
            answers.setdefault(key(target, body), b"")
            answers[key(target, body)] = pass_on(upstream, head, target, body)
        # One that was never seen as it is now is one whose body names new tokens: the last of its kind serves.
        answer = answers.get(key(target, body)) or next(
            (each for (name, *_), each in reversed(answers.items()) if name == target), None)
        link.sendall(answer or b"HTTP/1.1 500 -\r\nContent-Length: 0\r\n\r\n")


def main() -> None:
    def from_memory(*_) -> None:
        global recording
        recording = False
    signal.signal(signal.SIGUSR1, from_memory)
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    upstream = urlsplit(sys.argv[1])
    while True:
        link, _ = listener.accept()
        threading.Thread(target=serve, args=(upstream, link), daemon=True).start()


if __name__ == "__main__":
    main()
