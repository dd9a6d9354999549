"""Processes of the function that meet over one AWS (DESIGN 3.4; I-43, E1): AWS starts one for each event at a time."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.gateway import event, reply
from harness.lambda_server import LambdaServer
from harness.moto import USERS, queue_event
from harness.runtime_api import FunctionProcess
from harness.users import User

EXPIRED, FRESH = 30, 3599


@pytest.fixture
def deployment(google):
    server = LambdaServer(google.url)
    yield server
    server.stop()


@pytest.fixture
def processes(deployment):
    """Makes processes that wait for events."""
    made = []

    def make(count: int) -> list[FunctionProcess]:
        new = [FunctionProcess(deployment.environment) for _ in range(count)]
        made.extend(new)
        for process in new:
            assert process.ready.wait(120), process.program.log
        return new

    yield make
    for process in made:
        process.stop()


def test_e1_100_processes_on_one_expired_connection_refresh_it_once(deployment, google, processes):
    user = deployment.someone()
    google.lifetime(EXPIRED)
    user.connect(google)
    google.lifetime(FRESH)
    started = processes(100)
    check = {"operator": "check-connection", "email": user.email}
    with google.counting() as calls:
        results = [future.result(100) for future in [process.begin(check, 90) for process in started]]
    assert {tuple(each["output"]) for each in results} == {(f"{user.gmail}: 0 messages",)}, results
    assert (calls["token"], calls["gmail"]) == (1, 100), calls
    assert user.status == "connected"


def test_a_message_that_is_delivered_to_many_processes_is_done_once(deployment, google, processes):
    """A standard queue delivers at least once; a visibility time-out that is too short delivers at once again."""
    user = deployment.someone()
    user.connect(google)
    deployment.make_uses_due()
    message = {"MessageId": "m", "Body": f'{{"task":"use-grant","user_id":"{user.id}"}}'}
    batch = queue_event([message], deployment.world.region)
    with google.counting() as calls:
        results = [future.result(100) for future in [process.begin(batch, 90) for process in processes(8)]]
    assert results == [{"batchItemFailures": []}] * 8
    assert calls["token"] == 1, calls
    assert deployment.next_use(user) > time.time() + 19 * 3600


@pytest.mark.parametrize("typed", [str, str.upper])
def test_i43_of_signups_with_one_address_in_several_processes_one_succeeds(deployment, processes, typed):
    started = processes(6)
    for _ in range(2):
        body = User.fresh()
        made = [event("POST", "/v1/auth/signup", [("Content-Type", "application/json")], _json(
            body | {"email": typed(body["email"]) if number % 2 else body["email"]})) for number in range(len(started))]
        before = len(deployment.world.items(USERS))
        with ThreadPoolExecutor(len(started)) as pool:
            results = list(pool.map(lambda pair: reply(pair[0].invoke(pair[1]))[0], zip(started, made)))
        assert sorted(results) == [201] + [403] * (len(started) - 1)
        assert len(deployment.world.items(USERS)) == before + 1


def test_31_7_an_upload_that_is_repeated_in_several_processes_gets_one_reply(deployment, google, processes):
    """A device whose reply is late sends again; with rotation only the first proof can succeed."""
    user = deployment.someone()
    google.settings(rotate_refresh_tokens=True, latency_ms=50)
    tokens = google.mint(user.gmail)
    made = event("POST", "/v1/auth/gmail-tokens", [("Content-Type", "application/json"), ("Authorization", "Bearer " + user.token)],
                 _json({name: tokens[name] for name in ("access_token", "refresh_token")}))
    futures = [process.begin(made) for process in processes(5)]
    results = [reply(future.result(60)) for future in futures]
    assert {status for status, _, _ in results} == {201}, results
    assert len({content for _, _, content in results}) == 1, results
    assert user.status == "connected"


def _json(value) -> bytes:
    import json
    return json.dumps(value).encode()
