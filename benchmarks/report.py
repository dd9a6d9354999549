"""What was measured: as a table for people, as JSON for the next comparison."""

import json
import os
import platform
import statistics
import time
from dataclasses import asdict, dataclass

from .programs import REPOSITORY


@dataclass
class Line:
    """One measured thing: the median of its rounds."""

    name: str
    value: float
    unit: str
    rounds: list[float]
    at_least: float | None = None
    below: float | None = None
    # What stands beside it: the thing it is compared to, or the floor that physics sets.
    beside: str = ""

    @property
    def is_reached(self) -> bool | None:
        """Whether the wanted value is reached; None for a line that informs only."""
        if self.at_least is not None:
            return self.value >= self.at_least
        return self.value < self.below if self.below is not None else None

    @property
    def wanted(self) -> str:
        if self.at_least is not None:
            return "≥ " + number(self.at_least)
        return "< " + number(self.below) if self.below is not None else ""


def number(value: float) -> str:
    """Three digits that count, large numbers whole."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


class Report:
    """The lines, in the order they came."""

    def __init__(self):
        self.lines: list[Line] = []

    def add(self, name: str, rounds: list[float], unit: str, *, at_least=None, below=None, beside="") -> float:
        """Takes the median of `rounds` as a line; gives it."""
        value = statistics.median(rounds)
        line = Line(name, value, unit, rounds, at_least, below, beside)
        self.lines.append(line)
        print("  " + self._text(line), flush=True)
        return value

    @staticmethod
    def _text(line: Line) -> str:
        mark = {True: "reached", False: "MISSED", None: ""}[line.is_reached]
        return f"{line.name:<58}{number(line.value):>9} {line.unit:<11}{line.wanted:<10}{mark:<8} {line.beside}".rstrip()

    @property
    def judged(self) -> list[Line]:
        """The lines with a wanted value."""
        return [line for line in self.lines if line.is_reached is not None]

    @property
    def missed(self) -> list[Line]:
        return [line for line in self.judged if not line.is_reached]

    def print_table(self) -> None:
        print(f"\n{'':<58}{'median':>9} {'':<11}{'wanted':<10}{'':<8} beside")
        for line in self.lines:
            print(self._text(line))
        reached = len(self.judged) - len(self.missed)
        print(f"\n{reached} of {len(self.judged)} wanted values reached")

    def write(self) -> str:
        """Writes everything, each round included; gives the file's path."""
        folder = os.path.join(REPOSITORY, "benchmarks", "results")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime()) + ".json")
        machine = {"processors": os.cpu_count(), "kernel": platform.release(), "load": os.getloadavg()}
        lines = [asdict(line) | {"is_reached": line.is_reached} for line in self.lines]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "lines": lines}, file, indent=1, ensure_ascii=False)
        return path


def percentile(values: list[float], share: float) -> float:
    """The value that this share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
