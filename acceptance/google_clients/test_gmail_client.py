"""google-api-python-client, unmodified, against the emulator's Gmail."""

import base64
import email
import email.policy

import google.oauth2.credentials
import pytest
from google.api_core.client_options import ClientOptions
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from paypulse_test.emulator import ALICE, BOB, GMAIL_READONLY, IOS_CLIENT
from paypulse_test.mail import message

PDF = b"%PDF-1.4\n" + bytes(range(256)) * 300


def credentials(emulator, **changes):
    tokens = emulator.mint(**changes)
    return google.oauth2.credentials.Credentials(
        tokens["access_token"], refresh_token=tokens["refresh_token"], client_id=IOS_CLIENT, client_secret="",
        token_uri=f"{emulator.url}/token")


def by_discovery(emulator, credentials):
    return build(
        "gmail", "v1", credentials=credentials, cache_discovery=False, static_discovery=False,
        discoveryServiceUrl=emulator.url + "/discovery/v1/apis/{api}/{apiVersion}/rest")


def by_static_discovery(emulator, credentials):
    return build(
        "gmail", "v1", credentials=credentials, static_discovery=True,
        client_options=ClientOptions(api_endpoint=emulator.url))


@pytest.fixture(params=[by_discovery, by_static_discovery])
def gmail(request, emulator):
    """A Gmail client over three messages; the second has a PDF."""
    emulator.deliver(ALICE, message("Första", date=1_770_000_000))
    emulator.deliver(
        ALICE, message("Andra: räkning", date=1_770_100_000, attachments=[("Räkning.pdf", "application/pdf", PDF)]))
    emulator.deliver(ALICE, message("Tredje", date=1_770_200_000, html="<p>Hej &amp; hå</p>"))
    return request.param(emulator, credentials(emulator)).users()


def decode(text):
    return base64.urlsafe_b64decode(text)


def test_profile_and_labels(gmail):
    profile = gmail.getProfile(userId="me").execute()
    assert profile["emailAddress"] == ALICE and profile["messagesTotal"] == 3
    assert isinstance(profile["historyId"], str)
    labels = gmail.labels().list(userId="me").execute()["labels"]
    assert {"INBOX", "UNREAD", "SPAM"} <= {label["id"] for label in labels}


def test_pages_newest_first(gmail):
    ids, call = [], gmail.messages().list(userId="me", maxResults=2)
    while call is not None:
        page = call.execute()
        ids += [item["id"] for item in page.get("messages", [])]
        call = gmail.messages().list_next(call, page)
    dates = [int(gmail.messages().get(userId="me", id=i, format="minimal").execute()["internalDate"]) for i in ids]
    assert len(ids) == 3 and dates == sorted(dates, reverse=True)


def test_a_search_without_a_match_has_no_messages_key(gmail):
    page = gmail.messages().list(userId="me", q="subject:nothing").execute()
    assert "messages" not in page and page["resultSizeEstimate"] == 0


def test_raw_is_the_message_itself(gmail):
    found = gmail.messages().list(userId="me", q="filename:pdf").execute()["messages"]
    raw = gmail.messages().get(userId="me", id=found[0]["id"], format="raw").execute()["raw"]
    parsed = email.message_from_bytes(decode(raw), policy=email.policy.default)
    assert parsed["Subject"] == "Andra: räkning"
    assert next(parsed.iter_attachments()).get_content() == PDF


def test_an_attachment_has_a_new_id_in_every_reply(gmail, emulator):
    found = gmail.messages().list(userId="me", q="has:attachment").execute()["messages"]
    assert len(found) == 1

    def part():
        payload = gmail.messages().get(userId="me", id=found[0]["id"]).execute()["payload"]
        return next(part for part in payload["parts"] if part["filename"])

    first, second = part(), part()
    assert first["filename"] == "Räkning.pdf" and first["mimeType"] == "application/pdf"
    assert first["body"]["attachmentId"] != second["body"]["attachmentId"]
    for name in (first["body"]["attachmentId"], second["body"]["attachmentId"]):
        body = gmail.messages().attachments().get(userId="me", messageId=found[0]["id"], id=name).execute()
        assert decode(body["data"]) == PDF and body["size"] == len(PDF) == first["body"]["size"]


def test_metadata_has_only_the_headers_asked_for(gmail):
    found = gmail.messages().list(userId="me").execute()["messages"]
    payload = gmail.messages().get(
        userId="me", id=found[0]["id"], format="metadata", metadataHeaders=["subject"]).execute()["payload"]
    assert [header["name"] for header in payload["headers"]] == ["Subject"] and "parts" not in payload


def test_history_since_the_profile(gmail, emulator):
    start = gmail.getProfile(userId="me").execute()["historyId"]
    assert "history" not in gmail.history().list(userId="me", startHistoryId=start).execute()
    new = emulator.deliver(ALICE, message("Fjärde"))
    reply = gmail.history().list(userId="me", startHistoryId=start, historyTypes=["messageAdded"]).execute()
    assert [r["messagesAdded"][0]["message"]["id"] for r in reply["history"]] == [new["id"]]
    assert int(reply["historyId"]) > int(start)


def test_history_that_is_too_old_is_404(gmail, emulator):
    start = gmail.getProfile(userId="me").execute()["historyId"]
    emulator.deliver(ALICE, message("Fjärde"))
    emulator.settings(access_token_lifetime_seconds=86_400)
    emulator.advance(8 * 86_400)
    fresh = by_discovery(emulator, credentials(emulator)).users()
    with pytest.raises(HttpError) as failure:
        fresh.history().list(userId="me", startHistoryId=start).execute()
    assert failure.value.status_code == 404


def test_batch_answers_every_part(emulator):
    service = by_discovery(emulator, credentials(emulator))
    sent = [emulator.deliver(ALICE, message(f"Nummer {n}"))["id"] for n in range(5)]
    answers, failures = {}, {}

    def keep(name, reply, error):
        (failures if error else answers)[name] = error or reply["id"]

    batch = service.new_batch_http_request(callback=keep)
    for number, name in enumerate(sent + ["ffffffffffffffff"]):
        batch.add(service.users().messages().get(userId="me", id=name, format="minimal"), request_id=str(number))
    batch.execute()
    assert [answers[str(n)] for n in range(5)] == sent and failures["5"].status_code == 404
    counts = emulator.requests()
    assert counts["batch"] == 1 and counts["gmail"] == 6


def test_single_parts_of_a_batch_can_fail(emulator):
    service = by_discovery(emulator, credentials(emulator))
    name = emulator.deliver(ALICE, message())["id"]
    emulator.fault("gmail", status=429, body='{"error":{"code":429,"message":"Too many concurrent requests for user"}}', times=22)
    seen = []
    batch = service.new_batch_http_request(callback=lambda _, reply, error: seen.append(error))
    for _ in range(100):
        batch.add(service.users().messages().get(userId="me", id=name, format="minimal"))
    batch.execute()
    assert sum(error is not None and error.status_code == 429 for error in seen) == 22
    assert sum(error is None for error in seen) == 78


def test_an_expired_token_is_refreshed_by_the_client(emulator):
    users = by_discovery(emulator, credentials(emulator)).users()
    users.getProfile(userId="me").execute()
    emulator.advance(3700)
    assert users.getProfile(userId="me").execute()["emailAddress"] == ALICE
    assert emulator.requests()["token"] == 1


def test_another_address_in_the_path_is_delegation_denied(emulator):
    users = by_discovery(emulator, credentials(emulator)).users()
    with pytest.raises(HttpError) as failure:
        users.messages().list(userId=BOB).execute()
    assert failure.value.status_code == 403 and "Delegation denied for alice@example.com" in str(failure.value)


def test_without_the_mail_scope_nothing_is_read(emulator):
    users = by_discovery(emulator, credentials(emulator, scope="openid email")).users()
    with pytest.raises(HttpError) as failure:
        users.messages().list(userId="me").execute()
    assert failure.value.status_code == 403 and "insufficient authentication scopes" in str(failure.value)
    assert GMAIL_READONLY in failure.value.resp["www-authenticate"]


def test_the_quota_of_a_minute_runs_out_and_comes_back(emulator):
    emulator.settings(quota_units_per_minute=12)
    users = by_discovery(emulator, credentials(emulator)).users()
    users.messages().list(userId="me").execute()
    users.messages().list(userId="me").execute()
    with pytest.raises(HttpError) as failure:
        users.messages().list(userId="me").execute()
    assert failure.value.status_code == 429 and failure.value.error_details[0]["reason"] == "rateLimitExceeded"
    emulator.advance(60)
    users.messages().list(userId="me").execute()
