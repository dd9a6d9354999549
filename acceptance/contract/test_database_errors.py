"""The 502 rows of A.2 to A.6: a store that gives no answer (I-26, I-27), and nothing half done afterwards."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import expect
from harness.target import ON_LAMBDA
from harness.users import TOKENS_PATH, User


@pytest.mark.slow
def test_502_dependency_failure_while_the_database_cannot_be_written(new_server, google):
    """A.2 `Database error during signup`, A.4 `Error storing OAuth tokens`, A.6 `Database error during user deletion`."""
    server = new_server(breakable=True)
    ada, ben, cleo = [server.someone() for _ in range(3)]
    ben.connect(google)
    tokens, newcomer = google.mint(ada.gmail), User.fresh()
    with server.unwritable(), ThreadPoolExecutor(4) as pool:
        calls = {
            "Database error during signup": pool.submit(server.post, "/v1/auth/signup", newcomer),
            "Error storing OAuth tokens": pool.submit(ada.upload, tokens),
            "Database error during Gmail disconnection": pool.submit(ben.disconnect),
            "Database error during user deletion": pool.submit(cleo.delete),
        }
        for message, call in calls.items():
            expect.error(call.result(), 502, "DEPENDENCY_FAILURE", message)
        assert ada.me().status == 200, "what only reads goes on"
    assert (ada.status, ben.status, cleo.me().status) == ("not_connected", "connected", 200)
    assert ada.upload(tokens).status == 201 and ben.disconnect().data == {"revoked": True}
    assert cleo.delete().status == 200 and server.post("/v1/auth/signup", newcomer).status == 201


def test_502_dependency_failure_while_users_cannot_be_read(new_server, google):
    """A.5 `Database error during user retrieval`; the same at sign-in and sign-up."""
    server = new_server(breakable=True)
    user = server.someone()
    with server.unreadable("users"):
        expect.error(user.me(), 502, "DEPENDENCY_FAILURE", "Database error during user retrieval")
        expect.error(user.log_in(), 502, "DEPENDENCY_FAILURE", "Database error during login")
        expect.error(server.post("/v1/auth/signup", User.fresh()), 502, "DEPENDENCY_FAILURE", "Database error during signup")
        expect.error(server.post(TOKENS_PATH, {}, token=user.token), 502, "DEPENDENCY_FAILURE")
    assert user.me().status == 200 and user.log_in().status == 200


@pytest.mark.parametrize("table", ["connections", "secrets"])
def test_i26_a_store_that_cannot_be_read_is_502_and_overwrites_nothing(new_server, google, table):
    """3.1 rule 5: only *not found* means first connection."""
    server = new_server(breakable=True)
    user = server.someone()
    user.connect(google)
    other = google.mint("other-" + user.gmail)
    with server.unreadable(table):
        # On AWS the session's user and their connection are read together, before anything is to be stored.
        message = None if ON_LAMBDA and table == "connections" else "Error storing OAuth tokens"
        expect.error(user.upload(other), 502, "DEPENDENCY_FAILURE", message)
    assert user.connection["google_email"] == user.gmail
    assert user.upload(other).data["account_switch"] is True


def test_i27_the_flag_is_never_false_because_of_an_error(new_server, google):
    """I-27: an error is 502, not `gmail_account_connected: false`."""
    server = new_server(breakable=True)
    user = server.someone()
    user.connect(google)
    with server.unreadable("connections"):
        expect.error(user.me(), 502, "DEPENDENCY_FAILURE", "Database error during user retrieval")
    assert user.profile["gmail_account_connected"] is True
