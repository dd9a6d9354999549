"""The server as a process (DESIGN 4, 5): addresses, TLS, drain, few descriptors, the log."""

import os
import signal
import ssl
import subprocess
import threading
import time

import pytest

from harness import scratch
from harness.users import User
from harness.waiting import until

MEBIBYTE = 1 << 20


def certificate(folder: str, name: str) -> None:
    """A new self-signed certificate for 127.0.0.1, in place of the old one."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key.pem",
         "-out", f"{folder}/cert.pem"], check=True, capture_output=True)


def peer_name(server) -> str:
    """The common name that the server shows now."""
    pem = ssl.get_server_certificate((server.address.host, server.address.port))
    text = subprocess.run(["openssl", "x509", "-noout", "-subject"], input=pem, text=True, capture_output=True, check=True)
    return text.stdout.split("CN")[1].strip(" =\n")


def test_tls_is_spoken_and_the_certificate_is_read_again_on_sighup(new_server):
    folder = scratch.folder("tls")
    certificate(folder, "first")
    server = new_server(flags=["--tls-certificate", folder + "/cert.pem", "--tls-key", folder + "/key.pem"])
    assert server.url.startswith("https://")
    assert server.get("/healthz", trust=folder + "/cert.pem").status == 200
    assert peer_name(server) == "first"
    with server.address.open() as plain:
        plain.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" not in plain.read_all(), "no plain HTTP on a TLS port"
    certificate(folder, "second")
    assert peer_name(server) == "first", "not before it is told to"
    server.program.signal(signal.SIGHUP)
    until(lambda: peer_name(server) == "second", "the new certificate")
    assert server.get("/healthz", trust=folder + "/cert.pem").status == 200
    os.remove(folder + "/key.pem")
    server.program.signal(signal.SIGHUP)
    until(lambda: server.events("tls_not_reloaded", "alert"), "the alert")
    assert peer_name(server) == "second", "a bad certificate leaves the old one in use"
    assert server.stop() == 0


def test_old_tls_versions_are_refused(new_server):
    folder = scratch.folder("tls")
    certificate(folder, "modern")
    server = new_server(flags=["--tls-certificate", folder + "/cert.pem", "--tls-key", folder + "/key.pem"])
    for version in ("-tls1", "-tls1_1"):
        result = subprocess.run(["openssl", "s_client", version, "-cipher", "DEFAULT@SECLEVEL=0", "-connect",
                                 f"127.0.0.1:{server.address.port}"], input="", text=True, capture_output=True)
        assert "Cipher is (NONE)" in result.stdout or result.returncode != 0, (version, result.stdout)


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0"])
def test_plain_http_where_others_can_reach_it_is_refused_without_behind_proxy(new_server, listen):
    server = new_server(start=False, listen=listen)
    program = server.launch()
    assert program.wait(20) == 2 and "--behind-proxy" in program.log, program.log
    server.extra = ["--behind-proxy"]
    program = server.launch()
    assert program.address().startswith("http://")
    assert program.stop() == 0


def test_it_listens_on_loopback_and_says_so(server):
    assert server.program.output == f"listening on http://127.0.0.1:{server.address.port}\n"


def test_a_port_that_is_taken_stops_the_start(server, new_server):
    other = new_server(start=False, listen=f"127.0.0.1:{server.address.port}")
    program = other.launch()
    assert program.wait(20) == 1 and program.output == "" and program.log


def test_sigterm_finishes_what_runs_and_takes_nothing_new(new_server, google):
    """SIGTERM: stop accepting, finish what runs, exit 0."""
    server = new_server()
    user = server.someone()
    google.fault("tokeninfo", delay_ms=1500)
    tokens, replies = google.mint(user.gmail), []
    calls = google.counts()["tokeninfo"]
    uploading = threading.Thread(target=lambda: replies.append(user.upload(tokens)))
    uploading.start()
    until(lambda: google.counts()["tokeninfo"] > calls, "the upload to be under way")
    idle = server.address.open()
    server.program.signal(signal.SIGTERM)

    def refuses() -> bool:
        try:
            server.address.open(1).socket.close()
            return False
        except OSError:
            return True

    until(refuses, "the listener to close", within=1.4)
    uploading.join()
    assert replies[0].status == 201
    assert idle.read_all() == b"", "an idle connection is closed"
    assert server.program.wait() == 0
    server.start()
    assert user.status == "connected"


def test_sigterm_lets_a_refresh_in_flight_land(new_server, google):
    """A token call in flight may finish: with rotation its answer is the only copy."""
    server = new_server()
    user = server.someone()
    google.settings(rotate_refresh_tokens=True)
    google.lifetime(30)
    user.connect(google)
    server.stop()
    server.sql("UPDATE connections SET next_use_at = 1")
    google.fault("token", delay_ms=1000)
    calls = google.counts()["token"]
    server.start()
    until(lambda: google.counts()["token"] > calls, "the sweep's refresh")
    assert server.stop() == 0
    server.start()
    assert server.check_connection(user).returncode == 0 and user.status == "connected"


def test_out_of_descriptors_it_pauses_and_recovers(new_server):
    """64 descriptors: more connections than that wait; when some close, it serves again, and it burns no CPU."""
    server = new_server(descriptors=64)
    links = [server.address.open(5) for _ in range(100)]
    until(lambda: server.events("accepting_paused"), "it to pause")

    def ticks() -> int:
        with open(f"/proc/{server.program.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    before, start = ticks(), time.monotonic()
    until(lambda: time.monotonic() - start > 1, "a second of waiting")
    assert ticks() - before < 30, "a pause, not a loop"
    for link in links:
        link.socket.close()
    until(lambda: server.get("/healthz").status == 200, "it to serve again")
    user = User.put_in(server)
    assert user.me().status == 200
    assert server.stop() == 0


def test_a_crowd_of_idle_connections_does_not_stop_the_others(server):
    """Each costs next to nothing, and each is answered when it speaks."""
    def resident() -> int:
        with open(f"/proc/{server.program.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    before = resident()
    links = [server.address.open() for _ in range(400)]
    assert server.get("/healthz").status == 200
    assert resident() - before < 16 * MEBIBYTE
    for link in links[::40]:
        link.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert link.read_reply().status == 200
    for link in links:
        link.socket.close()


def test_the_log_has_one_json_line_a_request_without_query_body_or_path(server, user):
    """id, route template, status, duration; never a query, a body, or what a stranger put into a path."""
    before = len(server.events("request"))
    server.get("/v1/user/me?secret=in-the-query", token=user.token)
    server.post("/v1/auth/login", b'{"email":"in-the-body@x.example","password":"in-the-body"}')
    server.get("/in-the-path/of-a-stranger")
    server.request("IN-THE-METHOD", "/healthz", headers={"X-Header": "in-a-header"})
    lines = server.events("request")[before:]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/v1/user/me", 200), ("POST", "/v1/auth/login", 404), ("GET", "-", 404), ("other", "/healthz", 405)]
    for line in lines:
        assert set(line) == {"time", "level", "event", "id", "method", "route", "status", "duration_ms"}
    for text in ("in-the-", "in-a-", "secret=", "IN-THE"):
        assert text not in server.log


def test_a_client_that_goes_away_does_not_undo_what_it_asked_for(new_server, google):
    """The device's network breaks after it sent its tokens: they are stored all the same."""
    server = new_server()
    user = server.someone()
    tokens = google.mint(user.gmail)
    google.fault("tokeninfo", delay_ms=300)
    import json
    body = json.dumps({name: tokens[name] for name in ("access_token", "refresh_token")}).encode()
    with server.address.open() as link:
        link.send(b"POST /v1/auth/gmail-tokens HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + user.token.encode() +
                  b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        until(lambda: google.counts()["tokeninfo"] >= 1, "the upload to be under way")
    until(lambda: user.status == "connected", "it to be stored")
    assert user.upload(tokens).data["message"] == "First Gmail connection", "a repeat gets the reply that was lost"
