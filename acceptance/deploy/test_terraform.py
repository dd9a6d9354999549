"""deploy/aws agrees with itself and with the code that it deploys."""

import re
import shutil
import subprocess

import pytest

from . import sources
from .terraform import FOLDER, Configuration, statements


@pytest.fixture(scope="module")
def terraform():
    return Configuration.read()


def test_everything_that_is_referred_to_is_declared(terraform):
    undeclared = []
    for match in terraform.references():
        kind, name, data, type_, named = match.groups()
        if kind == "local":
            declared = name in terraform.locals
        elif kind == "var":
            declared = name in terraform.variables
        else:
            declared = named in (terraform.data if data else terraform.resources).get(type_, {})
        if not declared:
            undeclared.append(match[0])
    assert undeclared == []


def test_everything_that_can_be_set_is_used(terraform):
    used = {(match[1], match[2]) for match in terraform.references()}
    assert {name for name in terraform.variables if ("var", name) not in used} == set()
    assert {name for name in terraform.locals if ("local", name) not in used} == set()


@pytest.mark.skipif(shutil.which("terraform") is None, reason="terraform is not installed")
def test_it_is_formatted():
    run = subprocess.run(["terraform", "fmt", "-check", "-diff", FOLDER], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "")


def test_the_provider_is_pinned():
    text = (FOLDER / "versions.tf").read_text()
    assert 'required_version = ">= 1.5"' in text
    assert re.search(r'version = "5\.\d+\.\d+"', text)


# MARK: The API


def test_every_route_of_the_code_and_no_other_reaches_the_function(terraform):
    assert set(terraform.locals["routes"]) == sources.routes()
    route = terraform.resources["aws_apigatewayv2_route"]["this"]
    assert route["for_each"] == "${toset(local.routes)}"
    assert route["route_key"] == "${each.key}"


def test_routes_that_hash_a_password_have_a_throttle_of_their_own(terraform):
    assert set(terraform.locals["sign_in_routes"]) == {
        route for route in sources.routes_without_session() if route.startswith("POST")}


def test_the_access_log_holds_no_query_header_path_or_address(terraform):
    stage = terraform.resources["aws_apigatewayv2_stage"]["default"]
    [settings] = stage["access_log_settings"]
    named = set(re.findall(r"\$context\.([A-Za-z.]+)", settings["format"]))
    assert named == {"requestTime", "requestId", "routeKey", "status", "responseLatency", "integrationLatency",
                     "integrationStatus", "integrationErrorMessage", "responseLength"}


def test_events_have_the_form_that_the_code_reads(terraform):
    for integration in terraform.resources["aws_apigatewayv2_integration"].values():
        assert integration["payload_format_version"] == "2.0"
        assert integration["timeout_milliseconds"] <= 30_000
    [api] = [each for name, each in terraform.locals["functions"].items() if name == "api"]
    assert api["timeout"] * 1000 < integration["timeout_milliseconds"]


# MARK: Secrets


def test_no_value_of_a_secret_can_be_in_the_state(terraform):
    for kind in (terraform.resources, terraform.data):
        assert not [type_ for type_ in kind if type_.startswith("aws_secretsmanager_secret_version")]
    assert not [type_ for type_ in terraform.resources if type_.startswith("random_")]


def test_there_is_no_identity_for_guests(terraform):
    assert not [type_ for type_ in [*terraform.resources, *terraform.data] if "cognito" in type_]


# MARK: Roles


def test_no_role_is_given_a_wildcard_action_or_a_resource_of_more_than_a_known_beginning(terraform):
    for function in terraform.locals["functions"]:
        for statement in statements(terraform, function):
            assert not [action for action in statement.actions if "*" in action], statement
            for resource in statement.resources:
                assert "*" not in resource.removesuffix("*"), statement
                assert resource != "*", statement


# MARK: Alarms


def test_alarms_count_events_that_the_code_logs(terraform):
    events = sources.log_events(*LOGGING)
    for metric, pattern in terraform.locals["log_metrics"].items():
        named = re.findall(r'\$\.event = "(\w+)"', pattern)
        assert set(named) <= events.keys(), metric
        for level in re.findall(r'\$\.level = "(\w+)"', pattern):
            assert level in sources.LEVELS
        assert named or '$.level' in pattern


def test_log_lines_have_the_fields_that_the_filters_read():
    log = (sources.SOURCES / "Primitives" / "Log.swift").read_text()
    assert 'member("level", level.rawValue)' in log and '$0.key("event")' in log


def test_every_alarm_tells_somebody_and_every_metric_of_ours_has_one(terraform):
    alarms = terraform.resources["aws_cloudwatch_metric_alarm"]
    for name, alarm in alarms.items():
        assert alarm["alarm_actions"] == ["${aws_sns_topic.alarms.arn}"], name
    assert set(terraform.locals["log_metrics"]) <= {alarm.get("metric_name") for alarm in alarms.values()}


LOGGING = ("Domain", "Google", "API", "AWS", "Curl", "paypulse-lambda")


def test_every_queue_that_work_waits_in_has_an_alarmed_dead_letter_queue(terraform):
    queues = terraform.resources["aws_sqs_queue"]
    dead = {name for name in queues if name.endswith("_dead")}
    alarmed = terraform.resources["aws_cloudwatch_metric_alarm"]["dead_letters"]["for_each"]
    assert {re.search(r"aws_sqs_queue\.(\w+)\.name", name)[1] for name in alarmed.values()} == dead
    for name in queues.keys() - dead:
        assert f"aws_sqs_queue.{name}_dead.arn" in str(queues[name]["redrive_policy"])
