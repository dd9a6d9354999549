"""nginx with a static reply: the floor of an HTTP exchange on this machine."""

import os
import time

from .programs import Program
from .stage import Stage, free_port
from .wire import Client

_CONFIGURATION = """
daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
  access_log off; keepalive_timeout 65; keepalive_requests 1000000000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port} reuseport; default_type application/json; location / {{ return 200 '{body}'; }} }}
}}
"""


class Nginx(Program):
    """Two workers, no access log; every request gets a reply with a body of `size` bytes."""

    def __init__(self, stage: Stage, size: int):
        folder, port = stage.path("nginx"), free_port()
        os.mkdir(folder)
        configuration = os.path.join(folder, "nginx.conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(_CONFIGURATION.format(folder=folder, port=port, body="x" * size))
        super().__init__(["nginx", "-p", folder, "-c", configuration], prints_address=False)
        self.port = port
        self._wait_until_it_listens()

    def _wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + 5
        while True:
            try:
                Client(self.port).get("/")
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
