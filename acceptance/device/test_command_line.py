"""The `paypulse` command as a device (DESIGN 3.6, 5; B1, B2): from sign-up to disconnect, and a broken network between."""

import json
import os
import stat

import pytest

from harness import scratch
from harness.cli import Cli
from harness.emulator import DESKTOP_CLIENT, GMAIL, IOS_CLIENT
from harness.users import User


@pytest.fixture(scope="module")
def home(the_emulator):
    """A server that knows both kinds of client."""
    from harness.server import Server
    server = Server(the_emulator.url, clients=(IOS_CLIENT, DESKTOP_CLIENT))
    yield server
    server.stop()


@pytest.fixture
def person(home, google):
    """A device that is signed in, and a Google account that consents by itself."""
    cli = Cli(home.url)
    cli.user = User.fresh()
    result = cli("signup", "--email", cli.user["email"], "--name", cli.user["name"], input=cli.user["password"] + "\n")
    assert result.returncode == 0, result
    consents(google, cli, f"mail-{scratch.number()}@gmail.example")
    return cli


def consents(google, cli, email: str) -> None:
    google.account(email)
    google.settings(auto_consent=email)
    cli.gmail = email


def connect(cli, google, client=IOS_CLIENT, *more):
    return cli("connect-gmail", "--google-client-id", client, "--google-base-url", google.url, "--auto", *more)


def data(cli, *command, **options) -> dict:
    result = cli("--json", *command, **options)
    assert result.returncode == 0, result
    return json.loads(result.stdout)


@pytest.mark.parametrize("client", [IOS_CLIENT, DESKTOP_CLIENT])
def test_purpose_from_sign_up_to_disconnect(person, home, google, client):
    """The issue's purpose: sign up, consent on Google's page, a living connection, a read, a disconnect."""
    assert data(person, "me")["gmail_account_connected"] is False
    result = connect(person, google, client)
    assert result.returncode == 0 and person.gmail in result.stdout, result
    profile = data(person, "me")
    assert profile["gmail_connection"]["status"] == "connected" and profile["gmail_connection"]["google_email"] == person.gmail
    google.advance(7200)  # The token has expired at Google, which this server cannot know.
    with google.counting() as calls:
        result = home.command("check-connection", person.user["email"], "--show-latest")
    assert result.returncode == 0 and calls["token"] == 1, result
    assert data(person, "disconnect-gmail") == {"revoked": True}
    assert data(person, "me")["gmail_connection"] == {"status": "not_connected"}


def test_the_session_file_is_private_and_no_password_is_in_any_file(person):
    assert stat.S_IMODE(os.stat(person.session_path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(person.session_path)).st_mode) == 0o700
    for folder, _, names in os.walk(person.home):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert person.user["password"].encode() not in file.read()


def test_json_prints_the_replys_data_and_no_token(person, google):
    result = connect(person, google)
    assert result.returncode == 0
    result = person("--json", "me")
    assert set(json.loads(result.stdout)) == {"name", "email", "created_on", "gmail_account_connected", "gmail_connection"}
    session = open(person.session_path).read()
    told = person("--json", "login", "--email", person.user["email"], input=person.user["password"] + "\n")
    assert "eyJ" in session and "eyJ" not in told.stdout + told.stderr


@pytest.mark.parametrize("arguments, stdin, code", [
    (["login", "--email", "nobody@home.example"], "a password\n", 1), (["login"], "x\n", 2), (["frobnicate"], None, 2), (["login", "--password", "x"], None, 2),
    (["login", "--email", "a@b.example"], "", 2), (["connect-gmail"], None, 2), ([], None, 2), (["help"], None, 0),
])
def test_exit_codes_0_done_1_refused_2_usage(home, arguments, stdin, code):
    result = Cli(home.url)(*arguments, input=stdin)
    assert result.returncode == code, result
    assert code == 0 or result.stderr.strip()


@pytest.mark.parametrize("command", [["me"], ["connect-gmail", "--google-client-id", IOS_CLIENT, "--google-base-url", "http://127.0.0.1:1", "--auto"], ["disconnect-gmail"]])
def test_what_needs_a_session_is_refused_without_one(home, command):
    assert Cli(home.url)(*command).returncode == 1


def test_exit_code_3_when_the_server_cannot_be_reached():
    result = Cli("http://127.0.0.1:1")("login", "--email", "a@b.example", input="a password\n")
    assert result.returncode == 3, result


def test_plain_http_to_another_machine_is_refused():
    result = Cli("http://192.0.2.1")("login", "--email", "a@b.example", input="a password\n", timeout=10)
    assert result.returncode == 2, result


def test_b1_an_unticked_box_uploads_nothing_and_says_what_is_missing(person, google):
    """3.6: granted scopes are checked before the upload."""
    google.settings(untick_scopes=[GMAIL])
    with google.counting() as calls:
        result = connect(person, google)
    assert result.returncode == 1 and "permission to read mail" in result.stderr, result
    assert calls["tokeninfo"] == 0, "nothing reached the backend"
    assert data(person, "me")["gmail_connection"] == {"status": "not_connected"}
    google.settings(untick_scopes=[])
    assert connect(person, google).returncode == 0


def test_a_switch_of_account_is_told(person, google):
    assert connect(person, google).returncode == 0
    old = person.gmail
    consents(google, person, "other-" + old)
    reply = json.loads(person("--json", "connect-gmail", "--google-client-id", IOS_CLIENT, "--google-base-url", google.url, "--auto").stdout)
    assert (reply["account_switch"], reply["previous_google_email"], reply["google_email"]) == (True, old, person.gmail)


def cut_off(home, person, google):
    """The server is away between consent and upload."""
    address = home.address
    home.stop()
    result = connect(person, google)
    assert result.returncode == 3, result
    home.listen = f"127.0.0.1:{address.port}"
    home.start()


def test_36_nothing_is_lost_by_a_broken_network_between_consent_and_upload(home, person, google):
    """Tokens that could not be delivered are kept, 0600, and delivered later in that user's session."""
    cut_off(home, person, google)
    kept = [os.path.join(folder, name) for folder, _, names in os.walk(person.home) for name in names if "undelivered" in folder]
    assert kept and all(stat.S_IMODE(os.stat(path).st_mode) == 0o600 for path in kept)
    result = person("me")
    assert result.returncode == 0 and person.gmail in result.stdout, result
    assert data(person, "me")["gmail_connection"]["status"] == "connected"


def test_36_kept_tokens_are_delivered_only_in_that_users_session(home, person, google):
    """Another person signs in on the same device: the tokens are not theirs."""
    cut_off(home, person, google)
    other = User.fresh()
    person("logout")
    result = person("signup", "--email", other["email"], "--name", other["name"], input=other["password"] + "\n")
    assert result.returncode == 0
    assert data(person, "me")["gmail_connection"] == {"status": "not_connected"}
    result = person("login", "--email", person.user["email"], input=person.user["password"] + "\n")
    assert result.returncode == 0
    assert data(person, "me")["gmail_connection"]["status"] == "connected"


def test_36_signing_out_and_forgetting_erases_what_waits(home, person, google):
    cut_off(home, person, google)
    assert person("logout", "--forget").returncode == 0
    left = [name for folder, _, names in os.walk(person.home) for name in names if "undelivered" in folder]
    assert left == [] and not os.path.exists(person.session_path)
    assert person("login", "--email", person.user["email"], input=person.user["password"] + "\n").returncode == 0
    assert data(person, "me")["gmail_connection"] == {"status": "not_connected"}


def test_i28_connecting_again_never_revokes_the_standing_grant(person, google):
    """3.6: a kit never lets go of a grant before a new one is stored; here the second consent is cancelled."""
    assert connect(person, google).returncode == 0
    google.settings(untick_scopes=[GMAIL])
    with google.counting() as calls:
        assert connect(person, google).returncode == 1
    assert calls["revoke"] == 0
    assert data(person, "me")["gmail_connection"]["status"] == "connected"


def test_an_ended_session_is_said_so(home, person):
    assert home.command("set-password", person.user["email"], input=scratch.remember("quite another one") + "\n").returncode == 0
    result = person("me")
    assert result.returncode == 1 and "login" in result.stderr, result
