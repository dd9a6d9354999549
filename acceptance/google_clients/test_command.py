"""The `google-emulator` command itself."""

import subprocess

import pytest
import requests

from paypulse_test.emulator import ALICE, DESKTOP_CLIENT, IOS_CLIENT, Emulator
from paypulse_test.mail import message
from paypulse_test.process import binary


def test_it_says_where_it_listens_and_ends_in_order():
    with Emulator() as emulator:
        assert emulator.url.startswith("http://127.0.0.1:")
        assert emulator.terminate() == 0


def test_it_answers_to_both_of_its_names():
    with Emulator() as emulator:
        for host in ("127.0.0.1", "localhost"):
            base = f"http://{host}:{emulator.url.rsplit(':', 1)[1]}"
            facts = requests.get(
                emulator.url + "/.well-known/openid-configuration", headers={"Host": base.removeprefix("http://")},
                timeout=30).json()
            assert facts["token_endpoint"] == base + "/token"


def test_a_folder_of_eml_files_is_a_mailbox(tmp_path):
    (tmp_path / "1.eml").write_bytes(message("Ett", date=1_770_000_000))
    (tmp_path / "2.EML").write_bytes(message("Två", date=1_770_000_001))
    (tmp_path / "notes.txt").write_text("no mail")
    with Emulator(mailboxes={ALICE: tmp_path}) as emulator:
        token = emulator.mint()["access_token"]
        listed = emulator.gmail("messages", token).json()["messages"]
        subjects = [
            emulator.gmail(f"messages/{item['id']}", token, format="metadata", metadataHeaders="Subject").json()
            ["payload"]["headers"][0]["value"] for item in listed]
        assert subjects == ["Två", "Ett"]
        emulator.reset()
        assert emulator.gmail("profile", emulator.mint()["access_token"]).json()["messagesTotal"] == 2


def test_automatic_consent_by_flag():
    with Emulator(auto_consent=ALICE) as emulator:
        reply = requests.get(
            f"{emulator.url}/o/oauth2/v2/auth", timeout=30, allow_redirects=False, params={
                "client_id": DESKTOP_CLIENT, "redirect_uri": "http://127.0.0.1:1/", "response_type": "code",
                "scope": "openid"})
        assert reply.status_code == 302 and "code=4%2F" in reply.headers["Location"]


def test_a_desktop_client_without_a_secret_is_a_public_one_and_that_is_said():
    with Emulator(clients=[f"{DESKTOP_CLIENT}:desktop", f"{IOS_CLIENT}:ios"]) as emulator:
        tokens = emulator.mint(client_id=DESKTOP_CLIENT)
        assert emulator.refresh(tokens["refresh_token"], DESKTOP_CLIENT).status_code == 200
        assert any("has no secret, so none is asked for" in line for line in emulator.lines)


@pytest.mark.parametrize("arguments", [["--nothing"], ["--listen"], ["--account", "nobody"], ["stray"]])
def test_wrong_arguments_end_with_2_and_the_usage(arguments):
    done = subprocess.run([binary("google-emulator"), *arguments], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "usage: google-emulator" in done.stderr and not done.stdout


def test_a_missing_folder_ends_with_1(tmp_path):
    done = subprocess.run(
        [binary("google-emulator"), "--account", ALICE, "--mailbox", f"{ALICE}={tmp_path}/none"],
        capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and "cannot read the folder" in done.stderr
