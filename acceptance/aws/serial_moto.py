"""moto as a server that answers one request at a time, so that its transactions, conditions and counters are as exact
as AWS's. Prints `listening on http://127.0.0.1:PORT`.

    serial_moto.py [--port PORT] [--with-parent]

Port 0, the default, picks one. With `--with-parent` it ends when its standard input does, however the parent ended.
A request that waits (SQS long polling) makes all others wait: ask with `WaitTimeSeconds=0`. Every region name is
allowed, and is a world of its own. `INITIAL_NO_AUTH_ACTION_COUNT` in the environment switches authentication on after
so many requests.
"""

import argparse
import io
import logging
import os
import sys
import threading

os.environ.setdefault("MOTO_ALLOW_NONEXISTENT_REGION", "true")

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: E402
from moto.server import MotoRequestHandler  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402


class OneAtATime:
    """A WSGI application behind a lock. Bodies are received before it is taken."""

    def __init__(self, application):
        self._application = application
        self._lock = threading.Lock()

    def __call__(self, environment, start_response):
        length = int(environment.get("CONTENT_LENGTH") or 0)
        if length:
            environment["wsgi.input"] = io.BytesIO(environment["wsgi.input"].read(length))
        with self._lock:
            reply = self._application(environment, start_response)
            try:
                return [b"".join(reply)]
            finally:
                if hasattr(reply, "close"):
                    reply.close()


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
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    application = OneAtATime(DomainDispatcherApplication(create_backend_app))
    server = make_server(
        "127.0.0.1", options.port, application, threaded=True, request_handler=MotoRequestHandler)
    print(f"listening on http://127.0.0.1:{server.port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
