"""Accounts move between a data directory and AWS, either way: `paypulse-server export` and `import`."""

import json
import os
import time

import jwt
import pytest

from harness import scratch
from harness.emulator import IOS_CLIENT, SCOPES
from harness.lambda_server import LambdaServer
from harness.moto import OWN, USERS, World
from harness.server import Server
from harness.users import CHEAP_HASH, CHEAP_PASSWORD, User
from harness.waiting import until

VAULTS = ("secrets-manager", "dynamodb")


class Report:
    """What a run of `export` or `import` said."""

    def __init__(self, result):
        self.status, self.text, self.complaints = result.returncode, result.stdout, result.stderr
        self.lines = result.stdout.splitlines()
        for secret in scratch.secrets:
            assert secret not in result.stdout + result.stderr

    def __getitem__(self, name: str) -> str:
        found = [line.split(": ", 1)[1] for line in self.lines if line.startswith(name + ": ")]
        assert len(found) == 1, (name, self.text, self.complaints)
        return found[0]

    def counts(self, **expected: int) -> None:
        for name, count in expected.items():
            assert self[name] == str(count), (name, self.text, self.complaints)

    @property
    def digests(self) -> tuple[str, str]:
        return self["source digest"], self["destination digest"]


class Installation(Server):
    """A server whose operator also has access to an AWS."""

    def __init__(self, google, world: World, vault: str = VAULTS[0], **more):
        super().__init__(google.url, environment=world.environment | {"PAYPULSE_VAULT": vault}, **more)

    def move(self, *arguments: str) -> Report:
        return Report(self.command(*arguments))

    def same_user(self, user: User) -> User:
        """The user of another installation, with the session that they have."""
        return User(self, user.email, user.name, user.password, user.token)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def install(google, world):
    """Makes installations that share an AWS; those that run are stopped at the end."""
    made = []

    def make(**more) -> Installation:
        made.append(Installation(google, world, **more))
        return made[-1]

    yield make
    for each in made:
        if each.program is not None and each.program.process.poll() is None:
            each.stop()


def items(world: World) -> tuple[list, list, list]:
    """All that there is in an AWS."""
    return world.items(USERS), world.items(OWN), world.secrets.list_secrets()["SecretList"]


@pytest.mark.parametrize("vault", VAULTS)
def test_there_and_back(google, world, install, vault):
    google.lifetime(30)
    home = install(vault=vault)
    ada, bob = home.user(), home.someone()
    ada.connect(google)
    home.stop()

    dry = home.move("export", "--dry-run")
    assert dry.status == 0, dry.complaints
    dry.counts(accounts=2, **{"to be copied": 2})
    assert dry.digests[0] != dry.digests[1]
    assert items(world) == ([], [], [])

    export = home.move("export")
    assert export.status == 0, export.text + export.complaints
    export.counts(accounts=2, copied=2, different=0, failed=0)
    assert export.digests[0] == export.digests[1] == dry.digests[0]
    again = home.move("export")
    assert again.status == 0 and again.digests == export.digests
    again.counts(equal=2, copied=0)

    away = install(vault=vault, start=False, flags=["--jwt-secret-file", home.key("jwt-secret.key")])
    assert away.move("import", "--dry-run").status == 0
    assert not os.path.exists(away.data)
    back = away.move("import")
    assert back.status == 0, back.text + back.complaints
    assert back.digests == export.digests

    # Both ends work: the session, the password, the grant.
    away.start()
    moved = away.same_user(ada)
    assert moved.profile == {**moved.profile, "gmail_account_connected": True, "email": ada.email}
    assert moved.log_in().status == 200
    assert away.same_user(bob).me().status == 200
    with google.counting() as calls:
        assert away.check_connection(ada).returncode == 0
    assert calls["token"] == 1
    function = LambdaServer(google.url, world=world, environment={"PAYPULSE_VAULT": vault})
    try:
        with google.counting() as calls:
            checked = function.check_connection(ada)
            assert checked.returncode == 0, checked.stderr
        assert calls["token"] == 1
    finally:
        function.stop()

    # Now they differ, and nothing is overwritten unasked.
    differs = home.move("export")
    assert differs.status == 1
    differs.counts(equal=1, different=1, overwritten=0)
    assert f"{ada.id}: different: connection; --overwrite replaces it" in differs.lines
    forced = home.move("export", "--overwrite")
    assert forced.status == 0 and forced.digests == export.digests
    forced.counts(equal=1, overwritten=1)


class PythonBackend:
    """What the older backend leaves in AWS: users without locks, secrets without records."""

    def __init__(self, world: World, google):
        self.world, self.google = world, google
        self.key = scratch.remember("the session key of the older backend, long enough")
        self.key_file = os.path.join(scratch.folder("key"), "jwt-secret.key")
        with open(os.open(self.key_file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
            file.write(self.key + "\n")

    def user(self, number: int, email: str | None = None) -> str:
        id = f"user_{scratch.number():08d}-0000-4000-8000-000000000000"
        self.world.dynamodb.put_item(TableName=USERS, Item={key: {"S": value} for key, value in {
            "UserID": id, "Email": email or f"older-{number}@home.example", "Name": "Zoë", "Password": CHEAP_HASH,
            "CreatedOn": "2025-09-18", "CreatedAt": f"01:02:{number:02d}.123456",
            "last_retail_invoice_fetch": "2025-09-19T01:03:10+00:00"}.items()})
        return id

    def secret(self, id: str, value) -> None:
        self.world.secrets.create_secret(Name=f"gmail/user/{id}", SecretString=json.dumps(value))

    def tokens(self, email: str) -> dict:
        minted = self.google.mint(email)
        return {"access_token": minted["access_token"], "expires_at": "2025-09-19T02:03:10.123456", "expires_in": 3600,
                "scope": SCOPES, "token_type": "Bearer", "created_at": "2025-09-19T01:03:10",
                "refresh_token": minted["refresh_token"], "google_user_id": "", "google_email": email,
                "google_name": "Zoë", "google_verified_email": False}

    def session(self, id: str, email: str) -> str:
        now = int(time.time())
        claims = {"user_id": id, "email": email, "iat": now, "exp": now + 86400}
        return scratch.remember(jwt.encode(claims, self.key, algorithm="HS256"))


def test_an_aws_that_only_the_older_backend_wrote_is_imported(google, world, install):
    older = PythonBackend(world, google)
    id = older.user(1)
    older.secret(id, older.tokens("zoe@gmail.example"))
    before = items(world)
    home = install(start=False, flags=["--jwt-secret-file", older.key_file])

    assert home.move("import", "--dry-run").status == 0
    done = home.move("import")
    assert done.status == 0, done.text + done.complaints
    assert done.digests[0] == done.digests[1]
    assert items(world) == before
    assert home.move("import")["equal"] == "1"

    # The grant is long overdue: the sweep uses it at once, or the command before it.
    with google.counting() as calls:
        home.start()
        zoe = User(home, "older-1@home.example", "Zoë", CHEAP_PASSWORD, older.session(id, "older-1@home.example"))
        assert zoe.profile["gmail_account_connected"] is True
        assert zoe.connection["google_email"] == "zoe@gmail.example"
        assert zoe.log_in().status == 200
        checked = home.check_connection(zoe)
    assert checked.returncode == 0 and "zoe@gmail.example" in checked.stdout, checked.stderr
    assert calls["token"] == 1


def test_collisions_and_unreadable_secrets_are_reported_and_stay_where_they_are(google, world, install):
    older = PythonBackend(world, google)
    second, first = older.user(2, "ADA@home.example"), older.user(1, "ada@home.example")
    legacy, fine = older.user(3), older.user(4)
    older.secret(legacy, {"GMAIL_USER": "x@gmail.example", "GMAIL_PASSWORD": "legacy", "GMAIL_IMAP_URL": "imap.gmail.com"})
    older.secret(fine, older.tokens("zoe@gmail.example"))
    before = items(world)
    home = install(start=False, flags=["--jwt-secret-file", older.key_file])

    dry, done = home.move("import", "--dry-run"), home.move("import")
    for report in (dry, done):
        assert report.status == 1
        report.counts(accounts=4, **{"refused, address taken": 1, "refused, secret unreadable": 1})
        assert f"{second}: refused: its address is also that of {first}" in report.lines
        assert any(line.startswith(f"{legacy}: refused: its secret") for line in report.lines)
        assert "ada@home.example" not in report.text + report.complaints
    assert done["copied"] == "2" and done.digests[0] != done.digests[1]
    assert items(world) == before
    assert sorted(id for id, in home.sql("SELECT id FROM users")) == sorted([first, legacy, fine])

    # Settled at the source, the rest follows.
    world.dynamodb.delete_item(TableName=USERS, Key={"UserID": {"S": second}})
    world.secrets.put_secret_value(SecretId=f"gmail/user/{legacy}", SecretString=json.dumps(older.tokens("x@gmail.example")))
    settled = home.move("import")
    assert settled.status == 0, settled.text + settled.complaints
    settled.counts(accounts=3, equal=2, copied=1)


def test_a_run_that_is_killed_is_gone_on_with(google, world, install):
    home = install()
    users = [home.someone() for _ in range(60)]
    for user in users[::6]:
        user.connect(google)
    home.stop()
    ends = []
    for most in (5, 20, 40):
        run = home.begin("export")
        until(lambda: len(world.items(USERS)) >= most or run.process.poll() is not None, "some to be copied", every=0.005)
        run.kill()
        ends.append(run.process.returncode)
    assert -9 in ends
    done = home.move("export")
    assert done.status == 0, done.text + done.complaints
    assert done.digests[0] == done.digests[1] and done["accounts"] == "60"
    assert int(done["copied"]) + int(done["equal"]) == 60
    away = install(start=False)
    assert away.move("import").digests == done.digests


def test_what_is_aside_and_what_is_owed_is_said(google, install):
    google.lifetime(30)
    home = install()
    ada, bob = home.someone(), home.someone()
    ada.connect(google)
    bob.connect(google)
    google.fault("revoke", 503, times=1000)
    assert bob.disconnect().data["revoked"] == "pending"
    google.revoke(ada.gmail)
    assert home.check_connection(ada).returncode == 1
    home.stop()
    for arguments in (["export", "--dry-run"], ["export"]):
        report = home.move(*arguments)
        assert report.status == 1
        report.counts(**{"not moved, revocations owed": 1, "not moved, secrets set aside": 1, "different": 0, "failed": 0})
        assert "Revocations are owed at the source" in report.complaints
        assert "connections restore EMAIL" in report.complaints
    assert report.digests[0] == report.digests[1]
    assert home.sql("SELECT count(*) FROM asides") == home.sql("SELECT count(*) FROM revocations") == [(1,)]
    google.clear("revoke")


def test_mistakes_are_explained(google, world, install):
    home = install(start=False)

    def complaint(*arguments, **changes) -> str:
        environment = home.environment
        home.environment = {**environment, **changes}
        try:
            result = home.command(*arguments)
        finally:
            home.environment = environment
        assert result.returncode != 0 and not os.path.exists(home.data)
        return result.stderr
    assert "There is no database in" in complaint("export")
    assert "There is no table Nowhere" in complaint("import", USERS_TABLE="Nowhere")
    assert "There is no table Own" in complaint("import", PAYPULSE_TABLE="Own")
    assert "PAYPULSE_VAULT must be" in complaint("import", PAYPULSE_VAULT="vault")
    assert "Set AWS_REGION" in complaint("import", AWS_REGION="", AWS_DEFAULT_REGION="")
    assert "There are no AWS credentials" in complaint("import", AWS_ACCESS_KEY_ID="")
    assert "AWS gives no answer" in complaint("import", AWS_ENDPOINT_URL="http://127.0.0.1:1")
    assert "takes [--dry-run] [--overwrite]" in complaint("import", "--show-latest")
    assert "belong to export and import" in complaint("connections", "--overwrite")
    assert IOS_CLIENT not in complaint("import", USERS_TABLE="Nowhere")
