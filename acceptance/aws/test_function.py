"""The function as a whole under AWS's emulator: starts, failures, its other events, both vaults."""

import json
import os
import signal

import pytest

from harness import expect
from harness.emulated_lambda import EmulatedLambda, Failed
from harness.gateway import Gateway, event, reply
from harness.lambda_server import LambdaServer
from harness.moto import USERS, World, queue_event, schedule_event
from harness.runtime_api import FunctionProcess
from harness.users import TOKENS_PATH
from harness.wire import Address

VAULTS = ["secrets-manager", "dynamodb"]


@pytest.fixture
def deploy(google):
    """Makes deployments."""
    made = []

    def make(**options) -> LambdaServer:
        made.append(LambdaServer(google.url, **options))
        return made[-1]

    yield make
    for each in made:
        each.stop()


# Both vaults

@pytest.mark.parametrize("vault", VAULTS)
def test_a_whole_life_with_either_vault(deploy, google, vault):
    server = deploy(environment={"PAYPULSE_VAULT": vault})
    user = server.user()
    google.lifetime(30)
    tokens = user.connect(google)
    assert (server.secret(user.id) is not None) == (vault == "secrets-manager")
    assert server.check_connection(user).returncode == 0, "the token is refreshed"
    server.make_uses_due()
    assert server.sweep() == 1
    assert user.status == "connected"
    google.oauth_fault("invalid_grant")
    assert server.check_connection(user).returncode == 1
    assert (user.status, server.count("asides")) == ("needs_reconnect", 1)
    assert server.command("connections", "restore", user.email).returncode == 0
    assert server.check_connection(user).returncode == 0
    assert user.connect(google, "other-" + user.gmail) and google.token_error(tokens["refresh_token"]) == "invalid_grant"
    assert user.disconnect().data == {"revoked": True}
    assert user.delete().status == 200
    dump = server.dump()
    assert user.email not in dump and user.id not in dump


def test_no_token_stands_in_the_table_in_the_clear(deploy, google):
    server = deploy(environment={"PAYPULSE_VAULT": "dynamodb"}, clients=("1234567890-ios.apps.googleusercontent.com",))
    user = server.someone()
    tokens = user.connect(google)
    assert tokens["refresh_token"] not in repr(server.world.items()) and tokens["access_token"] not in repr(server.world.items())


# Starts

@pytest.mark.parametrize("environment, type, says", [
    ({}, "Runtime.MissingSecret", "PayPulseAppJWTSecret"), ({"PAYPULSE_VAULT": "floppy"}, "Runtime.InvalidSetting", "PAYPULSE_VAULT"),
    ({"AWS_ACCESS_KEY_ID": ""}, "Runtime.InvalidSetting", "AWS"),
])
def test_a_start_that_cannot_succeed_says_why(environment, type, says):
    world = World(tables=False)
    function = EmulatedLambda(world.environment | environment)
    with pytest.raises(Failed) as failure:
        function.invoke({})
    assert failure.value.type == type and says in failure.value.message
    assert '"event":"start_failed"' in function.program.output + function.program.log
    function.stop()


def test_the_environment_may_stand_in_for_the_secrets(google):
    """No secret is asked for then: this AWS has none, and its Secrets Manager would say so."""
    world = World()
    function = EmulatedLambda(world.environment | {
        "PAYPULSE_JWT_SECRET": "a key from the environment, of a good length", "PAYPULSE_GOOGLE_CLIENT_IDS": "one"})
    assert reply(function.invoke(event("GET", "/readyz", [], b"")))[0] == 200
    function.stop()


def test_without_a_client_id_everything_but_connecting_works(deploy, google):
    server = deploy(clients=())
    user = server.someone()
    assert user.me().status == 200
    expect.error(user.upload(google.mint(user.gmail)), 503, "GMAIL_NOT_CONFIGURED")


def test_the_users_table_may_have_another_name(google):
    world = World()
    world.dynamodb.create_table(
        TableName="People", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "UserID", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("UserID", "Email")],
        GlobalSecondaryIndexes=[{"IndexName": "Email-index", "KeySchema": [{"AttributeName": "Email", "KeyType": "HASH"}],
                                 "Projection": {"ProjectionType": "ALL"}}])
    server = LambdaServer(google.url, world=world, environment={"USERS_TABLE": "People"})
    server.user()
    assert (len(world.items("People")), len(world.items(USERS))) == (1, 0)
    server.stop()


# Failures

@pytest.mark.parametrize("unknown", [
    {}, {"hello": "world"}, {"Records": [{"eventSource": "aws:s3", "s3": {"object": {"key": "x"}}}]},
    {"version": "1.0", "httpMethod": "GET", "requestContext": {}},
], ids=str)
def test_an_unknown_event_is_a_failure_and_the_next_one_is_answered(deploy, unknown):
    server = deploy()
    with pytest.raises(Failed) as failure:
        server.function.invoke(unknown)
    assert failure.value.type == "Function.UnknownEvent"
    assert server.get("/healthz").status == 200


def test_a_process_that_dies_costs_its_invocation_and_no_other(deploy, google):
    server = deploy()
    user = server.someone()
    user.connect(google)
    assert user.status == "connected"
    for pid in _children(server.function.program.process.pid):
        os.kill(pid, signal.SIGKILL)
    statuses = [user.me().status for _ in range(3)]
    assert statuses[-1] == 200 and set(statuses) <= {200, 500}, statuses


def _children(pid: int) -> list[int]:
    found: set[int] = set()
    # The emulator starts the program from any of its threads.
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
            found |= set(map(int, file.read().split()))
    assert found, "the program runs"
    return sorted(found)


@pytest.mark.slow
def test_a_google_that_hangs_is_answered_within_the_functions_time(deploy, google):
    """Never by the platform, which would end the process and tell nobody anything."""
    server = deploy(timeout=8)
    user = server.someone()
    tokens = google.mint(user.gmail)
    google.fault("tokeninfo", delay_ms=20000)
    expect.error(user.upload(tokens), 502, "DEPENDENCY_FAILURE")
    assert "Task timed out" not in server.log
    google.clear("tokeninfo")


def test_a_body_at_the_limit_of_the_platform_is_413_and_not_a_crash(deploy):
    server = deploy()
    expect.error(server.post("/v1/auth/login", b" " * (4 << 20)), 413, "PAYLOAD_TOO_LARGE")


# Requests as API Gateway hands them over

def test_a_named_stage_and_a_custom_domain_below_a_path(deploy):
    server = deploy(environment={"PAYPULSE_BASE_PATH": "/api"})
    user = server.someone()
    staged = Gateway(server.function.answer, stage="prod")
    for path in ("/v1/user/me", "/api/v1/user/me"):
        answer = Address(staged.url).request("GET", path, headers={"Authorization": "Bearer " + user.token})
        assert answer.status == 200, (path, answer)
    staged.close()


def test_the_same_request_in_base64_is_the_same_request(deploy, google):
    server = deploy()
    user = server.someone()
    tokens = google.mint(user.gmail)
    body = json.dumps({"access_token": tokens["access_token"]}).encode()
    made = event("POST", TOKENS_PATH, [("Authorization", "Bearer " + user.token), ("Content-Type", "image/png")], body)
    assert made["isBase64Encoded"] is True
    assert reply(server.function.invoke(made))[0] == 201


# Settings that change

@pytest.mark.background("a_session_key_that_is_changed")
def test_a_new_session_key_is_taken_up_when_a_token_of_it_comes(background):
    background()


# The schedule and the queue

def test_the_schedule_hands_each_grant_on_once(deploy, google):
    server = deploy()
    people = [server.someone() for _ in range(25)]
    for user in people:
        user.connect(google)
    assert server.function.invoke(schedule_event(server.world.region)) == {"due": 0}
    server.make_uses_due()
    assert server.function.invoke(schedule_event(server.world.region)) == {"due": 25}
    with google.counting() as calls:
        assert server.work_off() == []
    assert calls["token"] == 25
    assert server.function.invoke(schedule_event(server.world.region)) == {"due": 0}


def test_messages_that_cannot_be_done_are_named_and_the_others_done(deploy, google):
    server = deploy()
    user = server.someone()
    user.connect(google)
    server.make_uses_due()
    bodies = ["not json", json.dumps({"task": "use-grant", "user_id": user.id}), json.dumps({"task": "unheard-of"})]
    batch = queue_event([{"MessageId": str(number), "Body": body} for number, body in enumerate(bodies)], server.world.region)
    with google.counting() as calls:
        failed = server.function.invoke(batch)["batchItemFailures"]
    assert sorted(each["itemIdentifier"] for each in failed) == ["0", "2"]
    assert calls["token"] == 1


def test_a_schedule_that_cannot_hand_on_fails_and_is_made_up_for(deploy, google):
    server = deploy()
    user = server.someone()
    user.connect(google)
    server.make_uses_due()
    queue = server.world.queue
    server.world.sqs.delete_queue(QueueUrl=queue)
    with pytest.raises(Failed) as failure:
        server.function.invoke(schedule_event(server.world.region))
    assert failure.value.type == "Function.NotDone"
    server.world.sqs.create_queue(QueueName=queue.rsplit("/", 1)[1])
    assert server.sweep() == 1


def test_a_message_fails_while_aws_does_not_answer_and_is_done_later(deploy, google):
    server = deploy(breakable=True)
    user = server.someone()
    user.connect(google)
    server.make_uses_due()
    batch = queue_event([{"MessageId": "m", "Body": json.dumps({"task": "use-grant", "user_id": user.id})}], server.world.region)
    with server.unreadable("connections"), google.counting() as calls:
        assert server.function.invoke(batch) == {"batchItemFailures": [{"itemIdentifier": "m"}]}
    assert calls["token"] == 0
    assert server.function.invoke(batch) == {"batchItemFailures": []}


# Processes that are killed

@pytest.mark.parametrize("vault", VAULTS)
def test_a_process_killed_at_any_write_of_a_connect_loses_and_overwrites_nothing(deploy, google, vault):
    """Between the record and the secret too: whatever was reached, sending again connects, and the grant works."""
    server = deploy(breakable=True, environment={"PAYPULSE_VAULT": vault})
    google.lifetime(30)
    for killed_at in range(20):
        user = server.someone()
        user.connect(google, "before-" + user.gmail)
        tokens = google.mint(user.gmail)
        made = event("POST", TOKENS_PATH, [("Authorization", "Bearer " + user.token), ("Content-Type", "application/json")],
                     json.dumps({name: tokens[name] for name in ("access_token", "refresh_token")}).encode())
        process = FunctionProcess(server.environment)
        assert process.ready.wait(20)
        server.aws.calls.clear()
        with server.aws.watching(_nth_write(killed_at, process)):
            future = process.begin(made)
            outcome = future.exception(30)
        process.stop()
        if outcome is None:
            break  # It got through: there were no more writes.
        assert user.connection["google_email"] in ("before-" + user.gmail, user.gmail)
        again = user.upload(tokens)
        assert again.status == 201, (killed_at, again)
        assert user.connection["google_email"] == user.gmail
        assert server.check_connection(user).returncode == 0
    assert 2 <= killed_at < 19, killed_at


def _nth_write(number: int, process: FunctionProcess):
    """Kills the process when it has made that many writes and AWS has done one more, whose answer it never hears."""
    seen = {"writes": 0}

    def watch(call) -> None:
        if call.writes:
            if seen["writes"] == number:
                process.program.kill()
            seen["writes"] += 1
    return watch
