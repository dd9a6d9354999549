"""What is secret is sealed, each value to its place (DESIGN 3.2, 4; the issue's *Sealed*)."""

import base64
import glob
import urllib.parse

import pytest

from harness import scratch
from harness.search import files_under, find, forms
from harness.server import Server

# How every token of the emulator begins, also those that only a refresh brought.
ALWAYS = ["ya29.a0", "1//0g"]
# And every session token, and the passwords that the tests make up.
FAMILIES = [*ALWAYS, "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "correct horse ", "a cheap password"]


def test_the_search_itself_finds_each_form():
    """A search that cannot fail would prove nothing."""
    secret = "1//0gA+b_c-d/é-secret"
    for text in (secret.encode(), urllib.parse.quote(secret, safe="").encode(), secret.encode().hex().encode()):
        assert find([secret], {"text": b"before " + text + b" after"})
    for before in (b"", b"a", b"ab", b"abc"):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            for after in (b"", b"z", b"yz"):
                assert find([secret], {"text": encode(before + secret.encode() + after)}), (before, after)
    assert find([secret], {"text": b"nothing of it here"}) == [] and len(forms(secret)) >= 8


def everything(server, google) -> dict[str, bytes]:
    """All files of an installation, and what its programs wrote and were started with."""
    texts = files_under(server.data)
    for program in [*server.programs, google.program]:
        texts |= {path: open(path, "rb").read() for path in (program.output_path, program.log_path)}
    texts |= {f"log {number}": log.encode() for number, log in enumerate(server.command_logs)}
    for name in ("cmdline", "environ"):
        with open(f"/proc/{server.program.process.pid}/{name}", "rb") as file:
            texts[name] = file.read()
    return texts


def test_no_secret_is_in_the_database_its_wal_the_logs_or_the_arguments(new_server, google):
    """With failing refreshes, refused uploads, wrong passwords and errors on the way (D5, D6)."""
    server = new_server()
    user = server.user()
    google.lifetime(30)
    tokens = user.connect(google)
    server.check_connection(user, "--show-latest")
    secrets = {user.password, user.token, tokens["access_token"], tokens["refresh_token"], server.jwt_secret,
               open(server.key("wrapping.key")).read().strip()}
    for error in ("invalid_client", "admin_policy_enforced", "invalid_grant"):
        google.oauth_fault(error)
        server.check_connection(user)
    google.fault("revoke", 500, tokens["refresh_token"], times=5)
    bad = google.mint("other-" + user.gmail, scope="openid")
    user.upload(bad)
    google.fault("tokeninfo", 500, bad["access_token"])
    user.upload(bad)
    wrong = scratch.remember("wrong password of mine")
    server.post("/v1/auth/login", {"email": user.email, "password": wrong})
    server.get(f"/v1/user/me?access_token={tokens['access_token']}", token="x" + user.token)
    server.request("GET", f"/{tokens['refresh_token']}", headers={"X-Secret": user.password})
    server.command("set-password", user.email, input="a newer password\n")
    user.upload(google.mint(user.gmail))
    secrets |= {bad["access_token"], wrong, "a newer password"}
    texts = everything(server, google)
    assert any(name.endswith("-wal") for name in texts) and any(name.endswith(".sqlite") for name in texts)
    assert find(secrets | set(ALWAYS), texts) == []
    for other in (user.gmail, user.email):
        assert other.encode() not in server.log.encode(), "nor is an address in any log"


@pytest.fixture
def two(new_server, google):
    """Two connected users on a server that is stopped."""
    server = new_server()
    google.lifetime(30)
    users = [server.someone() for _ in range(2)]
    for user in users:
        user.connect(google)
    server.stop()
    return server, users


def sealed(server, user) -> bytes:
    return server.sql("SELECT sealed FROM secrets WHERE user_id = ?", user.id)[0][0]


def put(server, user, value: bytes) -> None:
    server.sql("UPDATE secrets SET sealed = ? WHERE user_id = ?", value, user.id)


def does_not_open(server, google, user) -> None:
    """It is set aside, never destroyed, and counts as `needs_reconnect`; Google is not asked."""
    server.start()
    value = server.sql("SELECT sealed FROM secrets WHERE user_id = ?", user.id)
    with google.counting() as calls:
        assert server.check_connection(user).returncode == 1
    assert not any(calls.values()), calls
    profile = user.profile
    assert profile["gmail_account_connected"] is False
    assert profile["gmail_connection"]["status"] == "needs_reconnect"
    kept = server.sql("SELECT sealed FROM asides WHERE user_id = ?", user.id)
    assert kept == value, "the very bytes are kept aside"
    reply = user.upload(google.mint(user.gmail))
    assert reply.status == 201 and reply.data["message"] == "Same Google account or first connection"
    assert server.check_connection(user).returncode == 0


def test_32_a_sealed_value_copied_to_another_user_does_not_open(two, google):
    server, (ada, ben) = two
    put(server, ada, sealed(server, ben))
    does_not_open(server, google, ada)
    assert server.check_connection(ben).returncode == 0


def test_32_a_sealed_value_moved_with_its_version_does_not_open_either(two, google):
    """Version and all copied from the other user's record: the user is in the encryption context too."""
    server, (ada, ben) = two
    put(server, ada, sealed(server, ben))
    server.sql("UPDATE connections SET version = (SELECT version FROM connections WHERE user_id = ?) WHERE user_id = ?",
               ben.id, ada.id)
    does_not_open(server, google, ada)


def test_32_an_older_value_put_back_alone_does_not_open(two, google):
    server, (ada, _) = two
    older = sealed(server, ada)
    server.start()
    assert server.check_connection(ada).returncode == 0
    server.stop()
    assert sealed(server, ada) != older
    put(server, ada, older)
    does_not_open(server, google, ada)


def test_32_a_restored_backup_of_the_whole_database_opens(two, google):
    """By design: record and value of one moment belong together."""
    import shutil
    server, (ada, _) = two
    backup = scratch.folder("backup")
    shutil.copytree(server.data, backup, dirs_exist_ok=True)
    server.start()
    assert server.check_connection(ada).returncode == 0
    server.stop()
    shutil.rmtree(server.data)
    shutil.copytree(backup, server.data)
    server.start()
    assert server.check_connection(ada).returncode == 0


@pytest.mark.parametrize("damage", [
    lambda value: b"", lambda value: value[:-1], lambda value: value + b"\0", lambda value: b"junk",
    lambda value: value[:-20] + bytes([value[-20] ^ 1]) + value[-19:], lambda value: bytes([value[0] ^ 1]) + value[1:],
    lambda value: value[:len(value) // 2], lambda value: b"{\"GMAIL_USER\":\"a\",\"GMAIL_PASSWORD\":\"b\"}",
], ids=["empty", "cut", "longer", "junk", "bit in the tag", "first byte", "half", "old password secret"])
def test_31_5_a_value_that_does_not_open_is_set_aside(two, google, damage):
    """Rule 5: junk is moved aside, never destroyed; a sealed value is never read past its tag."""
    server, (ada, _) = two
    put(server, ada, damage(sealed(server, ada)))
    does_not_open(server, google, ada)


def test_32_a_reconnect_over_a_value_that_does_not_open_keeps_the_old_one_aside(two, google):
    server, (ada, _) = two
    put(server, ada, b"junk")
    server.start()
    assert ada.upload(google.mint(ada.gmail)).status == 201
    assert server.sql("SELECT sealed FROM asides WHERE user_id = ?", ada.id) == [(b"junk",)]
    assert server.check_connection(ada).returncode == 0


def test_disconnecting_a_value_that_does_not_open_leaves_nothing(two, google):
    server, (ada, _) = two
    put(server, ada, b"junk")
    server.start()
    assert ada.disconnect().data == {"revoked": False}
    assert server.sql("SELECT (SELECT count(*) FROM asides) + (SELECT count(*) FROM secrets)") == [(1,)]


@pytest.mark.last(2)
def test_after_the_whole_run_no_secret_is_in_any_file_or_process_argument():
    """Everything that any test's programs left: data directories, WALs, logs, outputs; and what still runs.
    Secrets that begin alike are searched for by their beginning; each server's keys in what is its own."""
    texts = files_under(scratch.root())
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError:
            continue
        if b"paypulse" in content or b"google-emulator" in content:
            texts[path] = content
    assert len(texts) > 10 and len(scratch.secrets) > 10
    keys = {open(path, encoding="latin-1").read().strip() for path in glob.glob(scratch.root() + "/*/data/*.key")}
    others = {secret for secret in scratch.secrets - keys if not secret.startswith(tuple(FAMILIES)) and len(secret) >= 8}
    assert len(others) < 100, "so many that they should be told apart by their beginning"
    assert find(others | set(FAMILIES), texts) == []
    for server in Server.every:
        # A test that damaged a key put something else in its place: only what was a key once is looked for.
        files = glob.glob(server.data + "/*.key")
        own = {open(path, encoding="latin-1").read().strip() for path in files} & scratch.secrets
        assert find(own, {path: text for path, text in texts.items()
                          if path.startswith(server.data) or path in {each.log_path for each in server.programs}}) == []
