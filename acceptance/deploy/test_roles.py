"""The functions do everything with what their roles allow, and nothing that a role allows is never asked for."""

import pytest

from harness.moto import USERS

from .gate import Need, allows
from .guarded import GuardedServer
from .terraform import Configuration, grants, shared
from .times import make_due

VAULTS = ("secrets-manager", "dynamodb")


def a_life(server, google):
    """Everything that happens to an account."""
    user = server.user()
    assert user.log_in().status == 200
    assert server.get("/readyz").status == 200
    user.connect(google)
    user.connect(google, refresh=False)
    user.connect(google)
    assert user.profile["gmail_account_connected"]
    assert user.upload(google.mint(f"other-{user.gmail}")).status == 201
    google.fault("revoke", 503, times=1)
    assert user.disconnect().status == 200
    assert server.sweep() == 0
    user.connect(google)
    assert user.delete().status == 200


def a_user_of_the_older_backend(server, google):
    """Signs in without a lock on the address, with a secret that does not open."""
    user = server.someone()
    assert user.log_in().status == 200
    gone = server.someone()
    assert gone.log_in().status == 200
    # The older backend removes its user, and knows nothing of the lock: the address is free again.
    server.world.dynamodb.delete_item(TableName=USERS, Key={"UserID": {"S": gone.id}})
    server.user(email=gone.email)
    if server.environment["PAYPULSE_VAULT"] == "dynamodb":
        return  # That vault does not look at the older backend's secrets.
    server.world.put_secret(f"gmail/user/{user.id}", '{"GMAIL_USER":"a","GMAIL_PASSWORD":"b"}')
    assert not user.profile["gmail_account_connected"]
    user.connect(google)
    assert user.delete().status == 200


def daily_use(server, google):
    """Grants are used; one that is dead is set aside, restored, set aside again and in the end discarded."""
    users = [server.someone() for _ in range(2)]
    for user in users:
        user.connect(google)
        make_due(server, user)
    google.revoke(users[1].gmail)
    assert server.sweep() == 2
    assert [user.status for user in users] == ["connected", "needs_reconnect"]
    assert server.command("connections", "restore", users[1].email).returncode == 0
    make_due(server, users[1])
    assert server.sweep() == 1
    make_due(server, users[1], member="Aside", time="Since")
    server.sweep()
    assert users[1].status == "needs_reconnect"


def a_limited_connection(server, google):
    """Ends by itself."""
    user = server.someone()
    user.connect(google, refresh=False)
    make_due(server, user, time="AccessExpiresAt")
    server.sweep()
    assert not user.profile["gmail_account_connected"]


def an_operator(server, google):
    user = server.someone()
    user.connect(google)
    assert server.check_connection(user).returncode == 0
    assert server.command("set-password", user.email, input="another password").returncode == 0
    user.password = "another password"
    assert user.log_in().status == 200
    assert user.email in server.command("connections").stdout


SCENES = (a_life, a_user_of_the_older_backend, daily_use, a_limited_connection, an_operator)


@pytest.fixture(scope="module")
def servers(the_emulator):
    """An installation for each vault, in which everything has happened."""
    the_emulator.reset()
    servers = {vault: GuardedServer(the_emulator.url, environment={"PAYPULSE_VAULT": vault}) for vault in VAULTS}
    for server in servers.values():
        for scene in SCENES:
            scene(server, the_emulator)
    yield servers
    for server in servers.values():
        server.stop()


@pytest.mark.parametrize("vault", VAULTS)
def test_roles_allow_what_their_functions_do(servers, vault):
    assert servers[vault].denied() == {}


def test_what_roles_allow_is_asked_for(servers):
    """What every role allows, by some function; what one allows beyond that, by its own."""
    terraform = Configuration.read()
    by_all = set()
    for role in terraform.locals["functions"]:
        called = set().union(*(server.called(role) for server in servers.values()))
        by_all |= called
        assert idle(grants(terraform, role) - shared(terraform), called) == set(), role
    assert idle(shared(terraform), by_all) == set()


def test_the_gate_refuses_what_a_role_does_not_allow(servers):
    """Else these tests would show nothing."""
    server = servers["secrets-manager"]
    with server.invoking("worker"):
        assert server.post("/v1/auth/login", {"email": "ada@home.example", "password": "a password"}).status == 502
    assert Need("dynamodb:Query", "table/Users/index/Email-index") in server.gates["worker"].denied
    server.gates["worker"].denied.clear()


def idle(allowed: set[tuple[str, str]], called: set[Need]) -> set[tuple[str, str]]:
    """What is allowed and was not called."""
    return {grant for grant in allowed if not any(allows({grant}, need) for need in called)}
