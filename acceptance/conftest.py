"""One emulator for the whole run, and servers as the tests want them."""

import os

import pytest

import paypulse_test.emulator
from harness import scratch
from harness.emulator import Emulator
from harness.server import Server

# The emulator speaks plain HTTP on loopback, and like Google it answers with scopes in an order of its own.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes real time that cannot be moved ahead")
    config.addinivalue_line("markers", "last: runs after everything else")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


@pytest.fixture(scope="session")
def the_emulator():
    emulator = Emulator()
    yield emulator
    emulator.stop()


@pytest.fixture
def google(the_emulator):
    """The emulator as it was at its start."""
    the_emulator.reset()
    return the_emulator


@pytest.fixture(scope="session")
def server(the_emulator):
    """A server that many tests share, without rate limits. Grants must not die by the dozen on it: that is a
    wave of deaths (DESIGN 3.3)."""
    server = Server(the_emulator.url)
    yield server
    assert server.stop() == 0


@pytest.fixture
def user(server, google):
    """A user of the shared server, without a Gmail connection."""
    pool = _pool(server)
    user = pool.pop() if pool else server.user()
    user.gmail = f"mail-{scratch.number()}@gmail.example"
    yield user
    google.reset()
    if user.me().status == 200 and user.disconnect().status == 200:
        pool.append(user)


def _pool(server):
    """Users who can be lent again: a password hash takes a quarter of a second."""
    server.__dict__.setdefault("idle_users", [])
    return server.idle_users


@pytest.fixture
def new_server(google):
    """Makes servers of the test's own."""
    servers = []

    def make(*arguments, **options):
        servers.append(Server(*(arguments or (google.url,)), **options))
        return servers[-1]

    yield make
    for each in servers:
        if each.program is not None and each.program.process.poll() is None:
            each.stop()


@pytest.fixture(scope="session")
def shared_emulator():
    with paypulse_test.emulator.Emulator() as emulator:
        yield emulator


@pytest.fixture
def emulator(shared_emulator):
    """The emulator in its first state: two accounts, empty mailboxes, a consent page."""
    shared_emulator.reset()
    return shared_emulator


@pytest.fixture
def auto_emulator(emulator):
    """The emulator with Alice consenting by herself."""
    emulator.settings(auto_consent=paypulse_test.emulator.ALICE)
    return emulator
