"""Runs every measurement, or those that are named: `python -m benchmarks [--rounds N] [NAME ...]`."""

import argparse
import os
import sys

from . import connects, function, memory, profile, signins, start, tokens, vault
from .programs import allow_many_descriptors
from .report import Report
from .stage import Stage

MEASUREMENTS = {
    "profile": profile.measure, "vault": vault.measure, "connects": connects.measure, "tokens": tokens.measure,
    "start": start.measure, "memory": memory.measure, "signins": signins.measure,
    "function": function.measure,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is measured (5)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASUREMENTS)}")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASUREMENTS):
        parser.error(f"there is no measurement {', '.join(sorted(unknown))}")
    allow_many_descriptors()
    if os.getloadavg()[0] > 0.5 * (os.cpu_count() or 1):
        print(f"note: the machine is busy (load {os.getloadavg()[0]:.1f}); only ratios will mean something")
    report = Report()
    with Stage() as stage:
        print("making accounts")
        stage.sign_up()
        for name in arguments.names or MEASUREMENTS:
            print(name)
            MEASUREMENTS[name](stage, report, arguments.rounds)
    report.print_table()
    print(report.write())
    return 1 if report.missed else 0


sys.exit(main())
