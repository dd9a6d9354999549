"""One emulator for the whole run, and servers as the tests want them."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

import paypulse_test.emulator
from harness import scratch
from harness.emulator import Emulator
from harness.long_runs import ALL
from harness.recorder import Recorder
from harness.target import ON_LAMBDA, Server

# The emulator speaks plain HTTP on loopback, and like Google it answers with scopes in an order of its own.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes real time that cannot be moved ahead")
    config.addinivalue_line("markers", "last(rank): runs after everything else, by rank")
    config.addinivalue_line("markers", "self_hosted(reason): is about the server alone; left out on Lambda")
    config.addinivalue_line("markers", "background(name): is about one of harness.long_runs, begun with the run")


def pytest_collection_modifyitems(items):
    for item in items:
        marker = item.get_closest_marker("self_hosted")
        if marker and ON_LAMBDA:
            item.add_marker(pytest.mark.skip(reason=marker.args[0]))
    last = [item.get_closest_marker("last") for item in items]
    rank = {item: marker.args[0] if marker else 0 for item, marker in zip(items, last, strict=True)}
    items.sort(key=rank.get)


@pytest.fixture(scope="session", autouse=True)
def long_runs(request):
    """Begins what takes real time, as far as a collected test is about it."""
    markers = [item.get_closest_marker("background") for item in request.session.items]
    names = {marker.args[0] for marker in markers if marker}
    with ThreadPoolExecutor(len(ALL)) as pool:
        yield {name: pool.submit(ALL[name]) for name in names}


@pytest.fixture
def background(request, long_runs):
    """Waits for the long run that the test is about; what failed in it fails here."""
    return long_runs[request.node.get_closest_marker("background").args[0]].result


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


@pytest.fixture
def recorder(google):
    """Google behind a recorder."""
    recorder = Recorder(google.url)
    yield recorder
    recorder.close()


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
