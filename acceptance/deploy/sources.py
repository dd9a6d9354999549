"""What the Swift sources name: routes, log events, actions of AWS's services, tables, variables."""

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "Sources"
LEVELS = ("info", "warning", "error", "alert")


def text(*folders: str) -> str:
    """Every Swift file below these folders of Sources, as one text without its comments."""
    paths = [path for folder in folders for path in sorted((SOURCES / folder).rglob("*.swift"))]
    assert paths, folders
    return "\n".join(
        line for path in paths for line in path.read_text().splitlines() if not line.lstrip().startswith("//"))


def routes() -> set[str]:
    """The table of routes, as API Gateway writes them."""
    table = (SOURCES / "WireModels" / "Routes" / "APIRoute.swift").read_text()
    return {f"{method} {path}" for method, path in re.findall(r'\("([A-Z]+)", "(/[^"]*)", (?:true|false),', table)}


def routes_without_session() -> set[str]:
    table = (SOURCES / "WireModels" / "Routes" / "APIRoute.swift").read_text()
    return {f"{method} {path}" for method, path in re.findall(r'\("([A-Z]+)", "(/[^"]*)", false,', table)}


def log_events(*folders: str) -> dict[str, set[str]]:
    """The events that are logged there, and at which levels."""
    events: dict[str, set[str]] = {}
    for level, event in re.findall(rf'\.({"|".join(LEVELS)})\(\s*"([a-z0-9_]+)"', text(*folders)):
        events.setdefault(event, set()).add(level)
    return events


def actions() -> dict[str, dict[str, str]]:
    """The enums of actions: by enum, each case and its action's name."""
    found = {}
    for name, body in re.findall(r"enum (\w+): String, CaseIterable, AWSAction \{(.*?)\n\}", text("AWS"), re.S):
        found[name] = dict(re.findall(r'case (\w+) = "(\w+)"', body))
    return found


# The folders that make requests of actions; what calls their methods is everything else.
BASE = ("Client", "DynamoDB", "SecretsManager", "KMS", "SQS")


def called() -> dict[str, set[str]]:
    """Of each enum, the cases whose request anything outside of the module's base can cause."""
    base = "\n".join(text(f"AWS/{folder}") for folder in BASE)
    # What makes the request of an action: every method around a mention of its case, and around a call of that.
    makers: dict[str, set[str]] = {}
    methods = re.findall(r"func (\w+)[^{]*\{(.*?)(?=\n  (?:(?:private|package|static|fileprivate) )*func |\Z)", base, re.S)
    for enum, cases in actions().items():
        for case in cases:
            names = {name for name, body in methods if re.search(rf"\bcall\([^)]*\.{case}\b", body)}
            grown = set()
            while names != grown:
                grown = names
                names = names | {name for name, body in methods
                                 if any(re.search(rf"\b{each}\(", body) for each in names)}
            makers[f"{enum}.{case}"] = names
    others = "\n".join(
        text(f"AWS/{folder.name}") for folder in sorted((SOURCES / "AWS").iterdir())
        if folder.is_dir() and folder.name not in (*BASE, "Lambda", "Signing", "Credentials")
    ) + text("paypulse-lambda")
    found: dict[str, set[str]] = {}
    for name, names in makers.items():
        enum, case = name.split(".")
        assert names, f"nothing makes the request of {name}"
        # A query without keys is a scan.
        keys = {"scan": r"keys: nil\b", "query": r"keys: (?!nil\b)"}.get(case, "")
        if any(re.search(rf"\.{each}\(", others) for each in names) and re.search(keys, others):
            found.setdefault(enum, set()).add(case)
    return found


def permissions() -> set[str]:
    """The IAM actions that a role must allow for what is called (`permissions` of each enum in Swift)."""
    service = {"DynamoDBAction": "dynamodb", "SecretsManagerAction": "secretsmanager", "KMSAction": "kms"}
    found = set()
    for enum, cases in called().items():
        for case in cases:
            action = actions()[enum][case]
            if action == "TransactWriteItems":
                found |= {f"dynamodb:{each}" for each in ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")}
            elif enum == "SQSAction":
                found.add("sqs:SendMessage")
            else:
                found.add(f"{service[enum]}:{action}")
    return found


def constant(name: str) -> str:
    """A constant of text of the tables'."""
    return re.search(rf'static let {name} = "(\w+)"', text("AWS"))[1]


def tables() -> dict:
    """Tables by name: their keys with types, and their indexes with keys and projection."""
    source = text("AWS")
    named = dict(re.findall(r'(\w+): String = "([\w-]+)"', re.search(r"struct StoreTables.*?\n\}", source, re.S)[0]))
    named |= dict(re.findall(r'static let (\w+) = "(\w+)"', source))
    name = lambda expression: named[expression.removeprefix("Self.")]
    key = lambda part: [
        (attribute, "N" if kind else "S")
        for attribute, kind in re.findall(r'TableDefinition\.Key\("(\w+)"(, \.number)?\)', part)]
    body = re.search(r"var definitions: \[TableDefinition\] \{(.*?)\n  \}", source, re.S)[1]
    found = {}
    for table in re.split(r"\bTableDefinition\(", body)[1:]:
        own, *indexes = re.split(r"\bTableDefinition\.Index\(", table)
        found[name(re.match(r"\s*([\w.]+)", own)[1])] = (key(own), {
            name(re.match(r"\s*([\w.]+)", index)[1]): (key(index), "KEYS_ONLY" if "projection: []" in index else "ALL")
            for index in indexes})
    return found


def variables() -> set[str]:
    """Environment variables of the function's own."""
    return set(re.findall(r'"((?:PAYPULSE|USERS)_[A-Z_]+)"', text("paypulse-lambda") + text("AWS")))
