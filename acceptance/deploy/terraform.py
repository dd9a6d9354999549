"""deploy/aws as python-hcl2 reads it: blocks by type and name, values with the locals and defaults put in."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import hcl2

FOLDER = Path(__file__).parents[2] / "deploy" / "aws"
REFERENCE = re.compile(r"\b(local|var)\.([a-z_]+)|\b(data\.)?(aws_[a-z0-9_]+)\.([a-z_]+)")


def plain(value):
    """Python's own values: quotes and the parser's marks taken off; an expression stays as `${...}`."""
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items() if not key.startswith("__")}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value


@dataclass
class Configuration:
    resources: dict[str, dict[str, dict]] = field(default_factory=dict)
    data: dict[str, dict[str, dict]] = field(default_factory=dict)
    locals: dict = field(default_factory=dict)
    variables: dict[str, dict] = field(default_factory=dict)
    outputs: dict[str, dict] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path = FOLDER) -> "Configuration":
        configuration = cls()
        for path in sorted(folder.glob("*.tf")):
            document = plain(hcl2.loads(path.read_text()))
            for kind, into in [("resource", configuration.resources), ("data", configuration.data)]:
                for block in document.get(kind, []):
                    for type_, named in block.items():
                        into.setdefault(type_, {}).update(named)
            for kind, into in [("variable", configuration.variables), ("output", configuration.outputs)]:
                for block in document.get(kind, []):
                    into.update(block)
            for block in document.get("locals", []):
                configuration.locals.update(block)
        return configuration

    def value(self, of):
        """`of` with every local and every variable's default put in, as far as they are plain values."""
        if isinstance(of, dict):
            return {key: self.value(each) for key, each in of.items()}
        if isinstance(of, list):
            return [self.value(each) for each in of]
        if not isinstance(of, str):
            return of
        whole = re.fullmatch(r"\$\{(local|var)\.([a-z_]+)((?:\.[a-z_]+)*)\}", of)
        if whole:
            return self._named(whole[1], whole[2], whole[3])
        return re.sub(
            r"\$\{(local|var)\.([a-z_]+)((?:\.[a-z_]+)*)\}",
            lambda match: str(self._named(match[1], match[2], match[3])) if self._is_plain(match) else match[0],
            of)

    def _named(self, kind: str, name: str, path: str):
        found = self.locals[name] if kind == "local" else self.variables[name].get("default")
        for step in path.split(".")[1:]:
            found = self.value(found)[step]
        return self.value(found)

    def _is_plain(self, match) -> bool:
        return isinstance(self._named(match[1], match[2], match[3]), str | int)

    def references(self):
        """Every local, variable, resource and data source that anything refers to."""
        return REFERENCE.finditer(" ".join(path.read_text() for path in sorted(FOLDER.glob("*.tf"))))


@dataclass(frozen=True)
class Statement:
    sid: str
    actions: frozenset[str]
    resources: tuple[str, ...]
    conditions: tuple[str, ...]


def statements(configuration: Configuration, document: str) -> list[Statement]:
    """What a policy document allows, its sources included."""
    block = configuration.data["aws_iam_policy_document"][document]
    found = [
        Statement(
            each["sid"], frozenset(each["actions"]), tuple(configuration.value(each["resources"])),
            tuple(condition["variable"] for condition in each.get("condition", [])))
        for each in block.get("statement", [])
    ]
    for source in block.get("source_policy_documents", []):
        found += statements(configuration, re.search(r"aws_iam_policy_document\.([a-z_]+)", source)[1])
    return found


def shared(configuration: Configuration) -> set[tuple[str, str]]:
    """What every function's role allows."""
    return grants(configuration, "connections")


def grants(configuration: Configuration, document: str) -> set[tuple[str, str]]:
    """What a function's role allows its code: actions with the short names of resources that `gate.Need` uses."""
    return {(action, _short(resource)) for statement in statements(configuration, document)
            if not statement.sid.startswith("Lambda")
            for action in statement.actions for resource in statement.resources}


def _short(resource: str) -> str:
    if resource == "${aws_kms_key.tokens.arn}":
        return "key"
    if resource == "${aws_sqs_queue.grants.arn}":
        return "queue"
    if ":secret:" in resource:
        # Secrets Manager's six characters are no part of the name.
        return "secret:" + resource.split(":secret:")[1].replace("-*", "")
    return "table/" + resource.split(":table/")[1]
