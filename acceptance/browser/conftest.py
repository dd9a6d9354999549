"""A headless Chromium, and an app's loopback address for it to come back to."""

import http.server
import queue
import threading
import urllib.parse

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service


@pytest.fixture(scope="session")
def shared_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=390,844"):
        options.add_argument(argument)
    # The page must work without it, so the tests have none.
    options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(30)
    # A click that sends a form may return before the next page is there.
    driver.implicitly_wait(10)
    yield driver
    driver.quit()


@pytest.fixture
def browser(shared_browser):
    shared_browser.get("about:blank")
    return shared_browser


class LoopbackApp:
    """What a desktop app does: waits at an address of its own for the redirect."""

    def __init__(self):
        self._arrived = queue.Queue()
        arrived = self._arrived

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/back"):
                    arrived.put(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"You may close this window.")

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.redirect_uri = f"http://127.0.0.1:{self._server.server_port}/back"

    def arrival(self):
        """The parameters that the redirect brought."""
        return self._arrived.get(timeout=20)

    @property
    def has_arrival(self):
        return not self._arrived.empty()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def app():
    made = LoopbackApp()
    yield made
    made.close()
