"""The Google emulator as an object: start it, arrange the world, count what was asked."""

import requests

from .process import ListeningProcess

IOS_CLIENT = "1234567890-paypulse.apps.googleusercontent.com"
IOS_REDIRECT = "com.googleusercontent.apps.1234567890-paypulse:/oauth2callback"
OTHER_IOS_CLIENT = "9876543210-other.apps.googleusercontent.com"
DESKTOP_CLIENT = "1234567890-desktop.apps.googleusercontent.com"
WEB_CLIENT = "1234567890-web.apps.googleusercontent.com"
CLIENT_SECRET = "GOCSPX-of-the-emulator"

GMAIL_READONLY = "https://www.googleapis.com/auth/gmail.readonly"
USERINFO_EMAIL = "https://www.googleapis.com/auth/userinfo.email"
USERINFO_PROFILE = "https://www.googleapis.com/auth/userinfo.profile"
ALL_SCOPES = f"openid {USERINFO_EMAIL} {USERINFO_PROFILE} {GMAIL_READONLY}"

CLIENTS = (
    f"{IOS_CLIENT}:ios", f"{OTHER_IOS_CLIENT}:ios", f"{DESKTOP_CLIENT}:desktop:{CLIENT_SECRET}",
    f"{WEB_CLIENT}:web:{CLIENT_SECRET}")
ALICE = "alice@example.com"
BOB = "bob@example.com"
ACCOUNTS = (f"{ALICE}=Alice Andersson", f"{BOB}=Bob Berg")


class Emulator(ListeningProcess):
    """A running `google-emulator`. Use it as a context manager, or through the `emulator` fixture."""

    def __init__(self, *, clients=CLIENTS, accounts=ACCOUNTS, mailboxes=None, auto_consent=None, port=0):
        arguments = ["--listen", f"127.0.0.1:{port}"]
        for client in clients:
            arguments += ["--client-id", client]
        for account in accounts:
            arguments += ["--account", account]
        for email, directory in (mailboxes or {}).items():
            arguments += ["--mailbox", f"{email}={directory}"]
        if auto_consent:
            arguments += ["--auto-consent", auto_consent]
        super().__init__("google-emulator", *arguments)

    # Control

    def control(self, path, body=None, method="POST", **options):
        """Calls `/_emulator/PATH` and gives its JSON; a refusal is an error with the emulator's sentence."""
        if body is not None:
            options["json"] = body
        reply = requests.request(method, f"{self.url}/_emulator/{path}", timeout=30, **options)
        if not reply.ok:
            raise ValueError(f"{path}: {reply.status_code} {reply.text}")
        return reply.json()

    def add_account(self, email, name=None, **more):
        return self.control("accounts", {"email": email, "name": name, **more})

    def deliver(self, email, raw, **more):
        """Puts a message (bytes or text) into a mailbox. `labelIds`, `internalDate` and `threadId` go by JSON."""
        if more:
            text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
            return self.control("messages", {"email": email, "raw": text, **more})
        data = raw if isinstance(raw, bytes) else raw.encode("utf-8")
        return self.control(
            "messages", data=data, params={"email": email}, headers={"Content-Type": "message/rfc822"})

    def delete_message(self, email, message_id):
        return self.control("messages", method="DELETE", params={"email": email, "id": message_id})

    def fault(self, endpoint, status=None, body=None, headers=None, times=None, delay_ms=None):
        """Plans a fault; `times=0` clears the endpoint."""
        return self.control("faults", {
            "endpoint": endpoint, "status": status, "body": body, "headers": headers, "times": times,
            "delay_ms": delay_ms})

    def advance(self, seconds):
        """Moves the emulator's clock forward."""
        return self.control("clock", {"advance_seconds": seconds})

    def revoke_grants(self, email):
        """The person takes the app's access away."""
        return self.control("grants/revoke", {"email": email})

    def settings(self, **settings):
        return self.control("settings", settings)

    def mint(self, email=ALICE, client_id=IOS_CLIENT, scope=ALL_SCOPES, **fixed):
        """A token reply without a sign-in."""
        return self.control("tokens", {"email": email, "client_id": client_id, "scope": scope, **fixed})

    def requests(self):
        """How often each endpoint was called since the start or the last reset."""
        return self.control("requests", method="GET")

    def reset(self):
        return self.control("reset")

    # Google's side, for tests that want the bare reply

    def refresh(self, refresh_token, client_id=IOS_CLIENT, **more):
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": client_id, **more}
        return requests.post(f"{self.url}/token", data=form, timeout=30)

    def gmail(self, path, access_token, **params):
        return requests.get(
            f"{self.url}/gmail/v1/users/me/{path}", params=params, timeout=30,
            headers={"Authorization": f"Bearer {access_token}"})
