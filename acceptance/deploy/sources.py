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
