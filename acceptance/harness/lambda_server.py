"""PayPulse on AWS: the function under AWS's emulator, an HTTP API in front of it, `moto` behind it."""

import contextlib
import json
import subprocess
import threading
import time

from . import scratch
from .aws_faults import FaultyAWS
from .backend import Backend
from .emulated_lambda import EmulatedLambda, Failed
from .emulator import IOS_CLIENT
from .gateway import Gateway
from .moto import CLIENT_ID_SECRET, JWT_SECRET, OWN, USERS, World, queue_event, schedule_event
from .users import User
from .wire import Address

_VARIABLES = {"--trusted-proxy": "PAYPULSE_TRUSTED_PROXIES", "--hide-unknown-users": "PAYPULSE_HIDE_UNKNOWN_USERS",
              "--behind-proxy": None}


def _environment(flags: list[str]) -> dict[str, str]:
    """The server's flags as the function's environment."""
    made: dict[str, list[str]] = {}
    rest = list(flags)
    while rest:
        flag = rest.pop(0)
        name = _VARIABLES[flag]
        value = rest.pop(0) if flag == "--trusted-proxy" else "true"
        if name:
            made.setdefault(name, []).append(value)
    return {name: ",".join(values) for name, values in made.items()}


class LambdaServer(Backend):
    """An installation in an AWS of its own."""

    every: list["LambdaServer"] = []

    def __init__(self, google: str | None, *, clients=(IOS_CLIENT,), flags=(), environment=None, limits=False, start=True,
                 world: World | None = None, timeout: int = 60, breakable=False):
        self.google, self.clients, self.world, self.timeout = google, tuple(clients), world or World(), timeout
        self.extra, self.limits, self.own_environment = list(flags), limits, environment or {}
        self.jwt_secret = scratch.remember(f"the session key of {self.world.region}, long enough for HS256")
        self.world.put_secret(JWT_SECRET, self.jwt_secret)
        self.aws = FaultyAWS(self.world.endpoint) if breakable else None
        self.function: EmulatedLambda | None = None
        self.functions: list[EmulatedLambda] = []
        self.gateway = Gateway(lambda event: self.function.answer(event))
        self.address = Address(self.gateway.url)
        self.url = self.address.url
        self.every.append(self)
        if start:
            self.start()

    # Running

    @property
    def program(self):
        return self.function.program if self.function else None

    @property
    def environment(self) -> dict[str, str]:
        """What the function's process finds in its environment."""
        made = self.world.environment | _environment(self.extra) | self.own_environment
        if self.aws:
            made["AWS_ENDPOINT_URL"] = self.aws.url
        if self.google:
            made["PAYPULSE_GOOGLE_BASE_URL"] = self.google
        return made | ({} if self.limits else {"PAYPULSE_NO_RATE_LIMITS": "true"})

    def start(self) -> "LambdaServer":
        self.world.put_secret(CLIENT_ID_SECRET, ",".join(self.clients) or " ")
        self.function = EmulatedLambda(self.environment, timeout=self.timeout)
        self.functions.append(self.function)
        return self

    def kill(self) -> None:
        self.function.stop()

    def stop(self) -> int:
        return self.function.stop()

    def restart(self) -> "LambdaServer":
        self.stop()
        return self.start()

    def beside(self, **changes) -> "LambdaServer":
        """Another function over the same AWS."""
        return LambdaServer(changes.pop("google", self.google), world=self.world, **changes)

    # The operator, the schedule and the queue

    def command(self, *arguments: str, input: str | None = None, timeout: float = 60) -> subprocess.CompletedProcess:
        """An operator's command, by direct invocation."""
        try:
            report = self.function.invoke(_command(list(arguments), input))
        except Failed as failure:
            return subprocess.CompletedProcess(arguments, 2, "", failure.message)
        return subprocess.CompletedProcess(
            arguments, report["status"], "".join(line + "\n" for line in report["output"]),
            "".join(line + "\n" for line in report["complaints"]))

    def begin(self, *arguments: str) -> "Begun":
        """Begins an operator's command, and does not wait for its end."""
        return Begun(self, arguments)

    def check_connection(self, user: User, *more: str, timeout: float = 60) -> subprocess.CompletedProcess:
        """Has a valid access token asked for, and the mailbox read with it."""
        return self.command("check-connection", user.email, *more, timeout=timeout)

    def sweep(self) -> int:
        """The schedule comes round, and the queue hands over what it put there; how many grants that were."""
        if self.program.process.poll() is not None:
            self.start()
        due = self.function.invoke(schedule_event(self.world.region))["due"]
        assert self.work_off() == []
        return due

    def work_off(self) -> list[str]:
        """Has the function do what is in the queue; the ids of messages that failed."""
        messages, failed = self.world.messages(), []
        for start in range(0, len(messages), 10):
            event = queue_event(messages[start:start + 10], self.world.region)
            failed += [each["itemIdentifier"] for each in self.function.invoke(event)["batchItemFailures"]]
        return failed

    # Time that passes, and an AWS that breaks: each done behind the function's back

    def make_uses_due(self) -> None:
        """The day is over: each grant is to be used."""
        for item in self._queued("use#"):
            item["At"] = item["Connection"]["M"]["NextUseAt"] = {"N": "1"}
            self.world.dynamodb.put_item(TableName=OWN, Item=item)

    def make_revocations_due(self, older_by: int = 0) -> int:
        """The pause after a failed attempt is over, and `older_by` seconds have passed; how many are owed."""
        orders = self._queued("orders")
        for item in orders:
            item["At"] = {"N": "1"}
            item["QueuedAt"] = {"N": str(int(item["QueuedAt"]["N"]) - older_by * 1_000_000)}
            self.world.dynamodb.put_item(TableName=OWN, Item=item)
        return len(orders)

    def age_asides(self, seconds: int) -> None:
        """What is set aside is so much older."""
        for item in self._queued("aside"):
            since = {"N": str(int(item["At"]["N"]) - seconds * 1_000_000)}
            item["At"] = item["Aside"]["M"]["Since"] = since
            self.world.dynamodb.put_item(TableName=OWN, Item=item)

    def _queued(self, queue: str) -> list[dict]:
        return [item for item in self.world.items() if item.get("Queue", {}).get("S", "").startswith(queue)]

    @contextlib.contextmanager
    def unwritable(self):
        """AWS takes no write meanwhile."""
        with self.aws.failing(lambda call: call.writes):
            yield

    @contextlib.contextmanager
    def unreadable(self, what: str):
        """A table, or Secrets Manager, does not answer meanwhile."""
        which = {"users": lambda call: call.names(USERS), "connections": lambda call: call.names(OWN),
                 "secrets": lambda call: call.service == "secretsmanager"}[what]
        with self.aws.failing(which):
            yield

    # Looking at it

    def next_use(self, user: User) -> float:
        """When the user's grant is to be used, in seconds since 1970."""
        key = {"PK": {"S": "USER#" + user.id}, "SK": {"S": "CONNECTION"}}
        item = self.world.dynamodb.get_item(TableName=OWN, Key=key)["Item"]
        return int(item["Connection"]["M"]["NextUseAt"]["N"]) / 1e6

    def has_secret(self, user: User) -> bool:
        """Whether tokens of the user's are stored under their name."""
        return self.secret(user.id) is not None

    def count(self, what: str) -> int:
        """How many there are of `users`, `revocations` (owed), `asides` or `leases`."""
        match what:
            case "leases":
                return len([item for item in self.world.items() if "LeaseOwner" in item])
            case "users":
                return len(self.world.items(USERS))
            case "revocations":
                return len(self._queued("orders"))
            case "asides":
                return len(self._queued("aside"))
        raise AssertionError(what)

    def dump(self) -> str:
        """Everything that is stored, as text."""
        secrets = self.world.secrets.list_secrets(IncludePlannedDeletion=True)["SecretList"]
        return repr([self.world.items(USERS), self.world.items(), secrets])

    def put_in(self, id: str, email: str, name: str, password_hash: str, created: int) -> None:
        """Puts a user into the table, as the older backend writes them."""
        moment = time.gmtime(created)
        self.world.dynamodb.put_item(TableName=USERS, Item={
            "UserID": {"S": id}, "Email": {"S": email}, "Name": {"S": name}, "Password": {"S": password_hash},
            "CreatedOn": {"S": time.strftime("%Y-%m-%d", moment)}, "CreatedAt": {"S": time.strftime("%H:%M:%S.000000", moment)}})

    def secret(self, user_id: str) -> dict | None:
        """The value under `gmail/user/{user_id}`."""
        try:
            return json.loads(self.world.secrets.get_secret_value(SecretId=f"gmail/user/{user_id}")["SecretString"])
        except (self.world.secrets.exceptions.ResourceNotFoundException, self.world.secrets.exceptions.InvalidRequestException):
            return None

    @property
    def log(self) -> str:
        """What all the processes of this installation logged."""
        return "".join(function.program.output + function.program.log for function in self.functions)


class Begun:
    """A command that goes on beside the test."""

    def __init__(self, server: LambdaServer, arguments):
        self.result: subprocess.CompletedProcess | None = None
        self.failure: Exception | None = None

        def run():
            try:
                self.result = server.command(*arguments)
            except Exception as failure:
                self.failure = failure
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    @property
    def output(self) -> str:
        return self.result.stdout if self.result else ""

    @property
    def log(self) -> str:
        return self.result.stderr if self.result else str(self.failure)

    def wait(self, timeout: float = 60) -> int:
        self._thread.join(timeout)
        if self.failure:
            raise self.failure
        assert self.result is not None, "the command takes longer"
        return self.result.returncode


def _command(arguments: list[str], input: str | None) -> dict:
    """The operator's event for a command line."""
    match arguments:
        case ["set-password", email]:
            event = {"operator": "set-password", "email": email}
            return event | ({"password": input.rstrip("\n")} if input else {})
        case ["connections"]:
            return {"operator": "connections"}
        case ["connections", "restore", email]:
            return {"operator": "restore", "email": email}
        case ["check-connection", email, *rest]:
            event = {"operator": "check-connection", "email": email}
            if "--concurrent" in rest:
                event["concurrent"] = int(rest[rest.index("--concurrent") + 1])
            return event | ({"show_latest": True} if "--show-latest" in rest else {})
    raise AssertionError(f"the function has no command {arguments}")
