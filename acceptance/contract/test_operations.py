"""`/healthz`, `/readyz`, `/openapi.json` (DESIGN 5) and `check-config`."""

import os
import re

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from harness.target import ON_LAMBDA
from harness.users import User


def test_healthz_and_readyz(server):
    assert (server.get("/healthz").status, server.get("/readyz").status) == (200, 200)


def test_readyz_is_503_while_the_store_cannot_be_used(new_server):
    server = new_server(breakable=True)
    # On AWS nothing is written to find out.
    with server.unreadable("users") if ON_LAMBDA else server.unwritable():
        reply = server.get("/readyz")
        assert reply.status == 503 and reply.code == "DEPENDENCY_FAILURE" and reply.header("Retry-After"), reply
        assert server.get("/healthz").status == 200, "the process itself is well"
    assert server.get("/readyz").status == 200


@pytest.fixture(scope="module")
def document(server):
    reply = server.get("/openapi.json")
    assert reply.status == 200 and reply.header("Content-Type").startswith("application/json")
    return reply.json


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def test_openapi_is_a_valid_3_1_document(document):
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_every_route_of_the_document_is_served(server, document):
    for method, path, operation in operations(document):
        reply = server.request(method, path)
        assert reply.status not in (404, 405), (method, path, reply)
        assert str(reply.status) in operation["responses"], (method, path, reply.status)


def test_every_route_that_is_served_is_in_the_document(server, document):
    """A path is in the document, and a method it does not name is 405 with exactly those it names."""
    for path, methods in document["paths"].items():
        named = {method.upper() for method in methods}
        reply = server.request("PUT", path)
        assert reply.status == 405
        assert {name.strip() for name in reply.header("Allow").split(",")} - {"HEAD"} == named
    for path in ("/v1/auth/signup", "/v1/auth/login", "/v1/auth/gmail-tokens", "/v1/auth/gmail/store-tokens",
                 "/v1/user/me", "/healthz", "/readyz", "/openapi.json"):
        assert path in document["paths"]


def test_real_replies_match_the_documents_schemas(server, document, user, google):
    """Each reply is held against the schema that the document gives for its status."""
    tokens = google.mint(user.gmail)
    cases = [
        ("/v1/auth/signup", "post", server.post("/v1/auth/signup", User.fresh())),
        ("/v1/auth/signup", "post", server.post("/v1/auth/signup", {})),
        ("/v1/auth/login", "post", user.log_in()),
        ("/v1/auth/gmail-tokens", "post", user.upload(tokens)),
        ("/v1/auth/gmail-tokens", "post", user.upload({"access_token": "ya29.x"})),
        ("/v1/user/me", "get", user.me()),
        ("/v1/user/me", "get", server.get("/v1/user/me")),
        ("/v1/auth/gmail-tokens", "delete", user.disconnect()),
        ("/v1/user/me", "delete", server.user().delete()),
        ("/healthz", "get", server.get("/healthz")),
    ]
    for path, method, reply in cases:
        content = document["paths"][path][method]["responses"][str(reply.status)]["content"]
        schema = content["application/json"]["schema"] | {"components": document["components"]}
        Draft202012Validator(schema).validate(reply.json)


def test_the_document_says_which_routes_need_a_session(document):
    for method, path, operation in operations(document):
        needs = path.startswith("/v1/user") or "gmail" in path
        assert bool(operation.get("security")) is needs, (method, path)


@pytest.mark.self_hosted("the function has no command line")
def test_check_config_finds_what_cannot_work_and_makes_nothing(new_server, google):
    """`check-config` says what is wrong, exits 1, and leaves no file."""
    server = new_server(start=False)
    good = server.command("check-config")
    assert good.returncode == 0 and "ok" in good.stdout, good
    bad = server.command("check-config", "--listen", "0.0.0.0:8080")
    assert bad.returncode == 1 and "--behind-proxy" in bad.stderr, bad
    assert not os.path.exists(server.data)


@pytest.mark.self_hosted("the function has no command line")
@pytest.mark.parametrize("arguments", [
    ["--nonsense"], ["serve", "--listen"], ["serve", "--listen", "here"], ["serve", "--trusted-proxy", "10.0.0.0/99"],
    ["serve", "--tls-certificate", "x"], ["serve", "extra"], ["frobnicate"], ["serve", "--google-base-url", "ftp://x"],
    ["check-connection"], ["check-connection", "a@b.example", "--concurrent", "0"], ["set-password"],
])
def test_usage_errors_exit_2_and_say_what_is_wrong(new_server, arguments):
    from harness.programs import run
    result = run("paypulse-server", arguments, timeout=10)
    assert result.returncode == 2 and result.stderr.strip(), result


@pytest.mark.self_hosted("the function has no command line")
def test_help_lists_every_command_and_flag():
    from harness.programs import run
    result = run("paypulse-server", ["help"])
    assert result.returncode == 0
    for word in ("serve", "check-config", "connections", "restore", "set-password", "check-connection", "--listen",
                 "--data-dir", "--google-client-id", "--google-base-url", "--jwt-secret-file", "--wrapping-key-file",
                 "--tls-certificate", "--tls-key", "--behind-proxy", "--trusted-proxy", "--hide-unknown-users",
                 "--no-rate-limits"):
        assert re.search(rf"(?<![\w-]){re.escape(word)}\b", result.stdout), word
