"""The measurements that Swift takes within its own process."""

import subprocess

from .programs import REPOSITORY, binary, clean_environment


def command(name: str, *arguments: str) -> list[str]:
    """What measures the named thing."""
    return [binary("paypulse-benchmarks"), name, *arguments]


def run(name: str, *arguments: str) -> float:
    """How often a second it did the named thing."""
    return rate(command(name, *arguments))


def rate(command: list[str]) -> float:
    """What a program prints that measures how often a second it did something."""
    result = subprocess.run(
        command, capture_output=True, text=True, check=True, env=clean_environment(), cwd=REPOSITORY)
    return float(result.stdout)
