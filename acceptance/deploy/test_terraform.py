"""deploy/aws agrees with itself and with the code that it deploys."""

import re
import shutil
import subprocess

import pytest

from . import sources
from .terraform import FOLDER, Configuration, statements

LOGGING = ("Domain", "Google", "API", "AWS", "Curl", "paypulse-lambda")


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


# MARK: Tables and settings


def test_tables_and_indexes_are_those_of_the_code(terraform):
    declared = {}
    for table in terraform.resources["aws_dynamodb_table"].values():
        types = {each["name"]: each["type"] for each in table["attribute"]}
        key = lambda block: [(block[end], types[block[end]]) for end in ("hash_key", "range_key") if end in block]
        declared[terraform.value(table["name"])] = (key(table), {
            index["name"]: (key(index), index["projection_type"]) for index in table["global_secondary_index"]})
    assert declared == sources.tables()


def test_tables_are_paid_by_request_kept_and_encrypted(terraform):
    for table in terraform.resources["aws_dynamodb_table"].values():
        assert table["billing_mode"] == "PAY_PER_REQUEST"
        assert table["deletion_protection_enabled"] is True
        assert table["point_in_time_recovery"][0]["enabled"] is True
        assert table["server_side_encryption"][0]["enabled"] is True


def test_items_end_by_the_attribute_that_the_code_writes(terraform):
    [ttl] = terraform.resources["aws_dynamodb_table"]["connections"]["ttl"]
    assert (ttl["enabled"], ttl["attribute_name"]) == (True, sources.constant("expiry"))


def test_every_variable_that_the_code_reads_is_set_or_can_be(terraform):
    set_ = set(re.findall(r"(\w+) = ", terraform.locals["environment"]))
    can_be = set(re.findall(r'"(PAYPULSE_\w+)"', str(terraform.variables["settings"]["validation"])))
    # Secrets: Terraform must not know them, and the code reads them from Secrets Manager.
    not_here = {"PAYPULSE_JWT_SECRET", "PAYPULSE_GOOGLE_CLIENT_IDS"}
    assert set_ | can_be == sources.variables() - not_here
    assert set_ & can_be == set()


def test_secrets_have_the_names_that_the_code_reads(terraform):
    text = sources.text("paypulse-lambda", "AWS")
    for name in ("jwt_secret", "google_client_id_secret", "token_secrets", "kept_secrets"):
        assert f'"{terraform.locals[name]}' in text


def test_events_come_from_what_the_code_knows(terraform):
    text = sources.text("AWS")
    assert terraform.resources["aws_cloudwatch_event_rule"].keys() == {"sweep"} and '"aws.events"' in text
    mapping = terraform.resources["aws_lambda_event_source_mapping"]["grants"]
    assert mapping["function_response_types"] == ["ReportBatchItemFailures"] and '"batchItemFailures"' in text
    assert '"aws:sqs"' in text


# MARK: Roles


def test_roles_allow_exactly_the_actions_that_the_code_calls(terraform):
    allowed = {action for function in terraform.locals["functions"] for statement in statements(terraform, function)
               if not statement.sid.startswith("Lambda") for action in statement.actions}
    assert allowed == sources.permissions()


def test_what_lambda_does_in_a_roles_name_stands_apart(terraform):
    platform = {
        "LambdaWritesTheLog": {"logs:CreateLogStream", "logs:PutLogEvents"},
        "LambdaTakesMessages": {"sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"},
        "LambdaKeepsWhatFailed": {"sqs:SendMessage"},
    }
    for function in terraform.locals["functions"]:
        for statement in statements(terraform, function):
            if statement.sid.startswith("Lambda"):
                assert statement.actions == platform[statement.sid]


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
    for metric, counted in terraform.locals["log_metrics"].items():
        named = re.findall(r'\$\.event = "(\w+)"', counted["pattern"])
        assert set(named) <= events.keys(), metric
        for level in re.findall(r'\$\.level = "(\w+)"', counted["pattern"]):
            assert level in sources.LEVELS
        assert named or "$.level" in counted["pattern"]
        for field in {counted["value"].removeprefix("$."), *re.findall(r"\$\.(\w+)", counted["pattern"])}:
            assert field in {"1", "level", "event"} or f'"{field}"' in sources.text(*LOGGING), metric


def test_the_documentation_names_everything_that_only_the_operator_can_mend():
    text = (FOLDER.parents[1] / "docs" / "aws.md").read_text()
    alerts = {event for event, levels in sources.log_events(*LOGGING).items() if "alert" in levels}
    assert {event for event in alerts if f"`{event}`" not in text} == set()


def test_log_lines_have_the_fields_that_the_filters_read():
    log = (sources.SOURCES / "Primitives" / "Log.swift").read_text()
    assert 'member("level", level.rawValue)' in log and '$0.key("event")' in log


def test_every_alarm_tells_somebody_and_every_metric_of_ours_has_one(terraform):
    alarms = terraform.resources["aws_cloudwatch_metric_alarm"]
    for name, alarm in alarms.items():
        assert alarm["alarm_actions"] == ["${aws_sns_topic.alarms.arn}"], name
    watched = {alarm.get("metric_name") for alarm in alarms.values()} | {
        metric["metric_name"] for alarm in alarms.values() for query in alarm.get("metric_query", [])
        for metric in query.get("metric", [])}
    assert set(terraform.locals["log_metrics"]) <= watched



def test_every_queue_that_work_waits_in_has_an_alarmed_dead_letter_queue(terraform):
    queues = terraform.resources["aws_sqs_queue"]
    dead = {name for name in queues if name.endswith("_dead")}
    alarmed = terraform.resources["aws_cloudwatch_metric_alarm"]["dead_letters"]["for_each"]
    assert {re.search(r"aws_sqs_queue\.(\w+)\.name", name)[1] for name in alarmed.values()} == dead
    for name in queues.keys() - dead:
        assert f"aws_sqs_queue.{name}_dead.arn" in str(queues[name]["redrive_policy"])
