"""Keys and the data directory (DESIGN 3.2): made once, together; missing or wrong, nothing starts and nothing changes."""

import hashlib
import os
import shutil
import stat

import pytest

from harness import scratch

KEYS = ["wrapping.key", "jwt-secret.key"]


@pytest.fixture
def used(new_server, google):
    """A stopped server that somebody is connected on."""
    server = new_server()
    user = server.someone()
    google.lifetime(30)
    user.connect(google)
    server.stop()
    return server, user


def snapshot(folder: str) -> dict[str, str]:
    """Every file's content but the lock's, in short."""
    return {name: hashlib.sha256(open(os.path.join(folder, name), "rb").read()).hexdigest()
            for name in sorted(os.listdir(folder)) if name != "lock"}


def refuses_to_start(server, *said: str) -> None:
    """Ends with an error that says all this; every file is as it was."""
    before = snapshot(server.data)
    program = server.launch()
    assert program.wait(20) != 0
    assert program.output == ""
    for text in said:
        assert text in program.log, program.log
    assert snapshot(server.data) == before


def test_folder_0700_and_files_0600_whatever_the_umask(new_server):
    before = os.umask(0)
    try:
        server = new_server()
        server.user()
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(server.data).st_mode) == 0o700
    names = set(os.listdir(server.data))
    assert {"paypulse.sqlite", *KEYS} <= names and "unfinished" not in names
    for name in names:
        assert stat.S_IMODE(os.stat(os.path.join(server.data, name)).st_mode) == 0o600, name


@pytest.mark.parametrize("key", KEYS)
def test_32_a_database_without_its_key_stops_the_start_with_the_files_name(used, key):
    server, user = used
    kept = scratch.folder("kept")
    shutil.move(server.key(key), kept)
    refuses_to_start(server, server.key(key), "missing")
    assert server.check_connection(user).returncode == 1
    assert server.command("check-config").returncode == 1
    assert not os.path.exists(server.key(key)), "a new key is never made over old data"
    shutil.move(os.path.join(kept, key), server.key(key))
    server.start()
    assert server.check_connection(user).returncode == 0


@pytest.mark.parametrize("left", [KEYS, ["wrapping.key"], ["jwt-secret.key"]])
def test_32_a_key_without_its_database_stops_the_start(used, left):
    server, _ = used
    for name in os.listdir(server.data):
        if name not in left and name != "lock":
            os.remove(server.key(name))
    refuses_to_start(server, server.database, server.key(left[-1]))
    assert not os.path.exists(server.database)


@pytest.mark.parametrize("key", KEYS)
def test_32_the_wrong_key_for_an_old_database_stops_the_start(used, new_server, key):
    server, user = used
    other = new_server()
    right = open(server.key(key), "rb").read()
    shutil.copy(other.key(key), server.key(key))
    program = server.launch()
    assert program.wait(20) != 0 and "not the one" in program.log, program.log
    with open(server.key(key), "wb") as file:
        file.write(right)
    server.start()
    assert server.check_connection(user).returncode == 0 and user.me().status == 200


@pytest.mark.parametrize("content", [b"", b"short\n", b"\0" * 40, b"not base64 at all !!!!!!!!!!!!!!!!!!!!!!!!!!!\n"])
def test_32_a_damaged_wrapping_key_stops_the_start(used, content):
    server, _ = used
    with open(server.key("wrapping.key"), "wb") as file:
        file.write(content)
    refuses_to_start(server, server.key("wrapping.key"))


def test_32_keys_given_by_flag_may_meet_a_new_database(new_server, google):
    import secrets
    folder = scratch.folder("keys")
    flags = []
    for name, flag, content in (("wrapping", "--wrapping-key-file", secrets.token_hex(32)),
                                ("session", "--jwt-secret-file", secrets.token_urlsafe(48))):
        with open(os.path.join(folder, name + ".key"), "w") as file:
            file.write(scratch.remember(content) + "\n")
        flags += [flag, file.name]
    server = new_server(flags=flags)
    assert not os.path.exists(server.key("wrapping.key")) and not os.path.exists(server.key("jwt-secret.key"))
    user = server.user()
    user.connect(google)
    server.restart()
    assert user.status == "connected" and server.check_connection(user).returncode == 0
    server.stop()
    server.extra = flags[:2]
    refuses_to_start(server, server.key("jwt-secret.key"))


def test_32_the_session_key_may_come_by_environment(new_server):
    secret = scratch.remember("a session key from the environment, long enough")
    server = new_server(environment={"PAYPULSE_JWT_SECRET": secret})
    user = server.user()
    import jwt
    assert jwt.decode(user.token, secret, algorithms=["HS256"], leeway=5)["user_id"] == user.id
    assert not os.path.exists(server.key("jwt-secret.key"))


def test_32_a_key_file_that_is_named_and_missing_stops_the_start_and_makes_nothing(new_server):
    server = new_server(start=False, flags=["--wrapping-key-file", "/nonexistent/wrapping.key"])
    program = server.launch()
    assert program.wait(20) != 0 and "/nonexistent/wrapping.key" in program.log
    assert not os.path.exists(server.database)
    server.extra = []
    server.start()


def test_32_a_start_that_was_killed_while_it_made_the_keys_is_resumed(new_server):
    """Killed at many moments of the very first start: the next one always comes up, with one pair of keys."""
    server = new_server(start=False)
    for _ in range(12):
        program = server.launch()
        program.kill()
    server.start()
    user = server.user()
    server.restart()
    assert user.me().status == 200


def test_two_servers_on_one_data_directory_are_safe_together(new_server, google):
    """Started at the same moment over nothing, they share keys and data."""
    from concurrent.futures import ThreadPoolExecutor
    first = new_server(start=False)
    second = first.beside(start=False)
    programs = [server.launch() for server in (first, second)]
    for server, program in zip((first, second), programs, strict=True):
        from harness.wire import Address
        server.address = Address(program.address())
    ada = first.user()
    tokens = ada.connect(google)
    assert second.get("/v1/user/me", token=ada.token).data["gmail_account_connected"] is True
    with ThreadPoolExecutor(8) as pool:
        people = [server.someone() for server in (first, second) * 8]
        replies = list(pool.map(lambda user: user.upload(google.mint(user.gmail)), people))
        assert [reply.status for reply in replies] == [201] * 16
        pair = [{"email": "twice@home.example", "name": "Twice", "password": scratch.remember("twice the password")}] * 2
        statuses = pool.map(lambda each: each[0].post("/v1/auth/signup", each[1]).status, zip((first, second), pair, strict=True))
        assert sorted(statuses) == [201, 403]
    assert second.delete("/v1/auth/gmail-tokens", token=ada.token).data == {"revoked": True}
    assert ada.status == "not_connected" and google.token_error(tokens["refresh_token"]) == "invalid_grant"
    first.kill()
    assert second.get("/v1/user/me", token=people[0].token).data["gmail_account_connected"] is True
    assert second.stop() == 0


def test_a_database_that_is_not_ours_stops_the_start(new_server):
    import sqlite3
    server = new_server()
    server.stop()
    os.remove(server.database)
    for side in ("-wal", "-shm"):
        if os.path.exists(server.database + side):
            os.remove(server.database + side)
    connection = sqlite3.connect(server.database)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    program = server.launch()
    assert program.wait(20) != 0 and server.database in program.log


def test_commands_need_a_database_and_make_none(new_server):
    server = new_server(start=False)
    for command in (["connections"], ["check-connection", "a@b.example"], ["set-password", "a@b.example"]):
        assert server.command(*command, input="a good password\n").returncode == 1
    assert not os.path.exists(server.database)
