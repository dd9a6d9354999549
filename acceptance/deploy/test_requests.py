"""How many requests to AWS each action makes, by the vault: what docs/cost.md reckons with."""

import pytest

from harness.emulated_lambda import EmulatedLambda
from harness.lambda_server import LambdaServer

from . import cost
from .gate import Gate
from .times import make_due

SETTINGS = {"secret:PayPulseAppJWTSecret", "secret:Google-OAuth-Client-ID"}


class CountedServer(LambdaServer):
    """Counts what each action asks for. Each is done by a process of its own: what was read for another request
    does not help, and reading the settings is left out."""

    def start(self) -> "CountedServer":
        self.gate, self.rows = Gate(self.world.endpoint), {}
        return super().start()

    def fresh(self) -> None:
        self.function.stop()
        self.function = EmulatedLambda(self.environment | {"AWS_ENDPOINT_URL": self.gate.url}, timeout=self.timeout)
        self.functions.append(self.function)

    def count(self, action: str, work) -> None:
        self.fresh()
        self.gate.taken()
        work()
        asked = [each for each in self.gate.taken() if each.needs[0].on not in SETTINGS]
        by = lambda service: sum(each.service == service for each in asked)
        self.rows[action] = {
            "Requests": len(asked), "DynamoDB": by("dynamodb"), "Secrets Manager": by("secretsmanager"), "KMS": by("kms"),
            "Read units": sum(each.reads for each in asked), "Write units": sum(each.writes for each in asked)}


@pytest.fixture(scope="module", params=cost.VAULTS)
def counted(request, the_emulator):
    """Every action once."""
    google = the_emulator
    google.reset()
    server = CountedServer(google.url, environment={"PAYPULSE_VAULT": request.param})
    people = []
    server.count("Sign up", lambda: people.append(server.user()))
    [user] = people
    server.count("Sign in", user.log_in)
    server.count("First connect", lambda: user.connect(google))
    server.count("Profile", lambda: user.profile)
    server.count("Reconnect", lambda: user.connect(google))
    make_due(server, user)
    server.function.invoke({"version": "0", "source": "aws.events"})
    before = google.counts()["token"]
    server.count("Daily use", server.work_off)
    assert google.counts()["token"] == before + 1
    server.count("Disconnect", user.disconnect)
    yield request.param, server.rows
    server.stop()


def test_the_document_says_what_was_counted(counted):
    vault, rows = counted
    assert cost.requests(vault) == rows, "\n".join(
        f"| {action} | " + " | ".join(map(str, row.values())) + " |" for action, row in rows.items())


def test_the_budgets_are_kept(counted):
    _, rows = counted
    assert rows["Profile"]["Requests"] <= 2
    assert rows["First connect"]["Requests"] <= 4
    assert rows["Reconnect"]["Requests"] <= 6
