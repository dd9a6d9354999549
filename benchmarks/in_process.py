"""The measurements that Swift takes within its own process."""

import subprocess

from .programs import binary, clean_environment


def command(name: str, *arguments: str) -> list[str]:
    """What measures the named thing."""
    return [binary("paypulse-benchmarks"), name, *arguments]


def run(name: str, *arguments: str) -> float:
    """How often a second it did the named thing."""
    result = subprocess.run(
        command(name, *arguments), capture_output=True, text=True, check=True, env=clean_environment())
    return float(result.stdout)
