"""checkov, without the network: nothing that is not mended or explained beside its line."""

import json
import re
import subprocess

import pytest

from .terraform import FOLDER

ROOT = FOLDER.parents[1]
SKIP = re.compile(r"#checkov:skip=(CKV2?_[A-Z]+_[0-9]+):(.*)")


@pytest.fixture(scope="module")
def reports():
    """One report a framework, by its name."""
    run = subprocess.run(
        [ROOT / ".venv-checkov" / "bin" / "checkov", "--directory", FOLDER, "--skip-download", "--output", "json"],
        capture_output=True, text=True, timeout=300)
    return {report["check_type"]: report["results"] for report in json.loads(run.stdout)}


def test_it_looked_at_terraform_and_at_the_image(reports):
    assert {"terraform", "dockerfile"} <= reports.keys()
    assert len(reports["terraform"]["passed_checks"]) > 50
    assert [report["parsing_errors"] for report in reports.values()] == [[]] * len(reports)


def test_it_finds_nothing(reports):
    found = [f"{check['check_id']} {check['file_path']}: {check['resource']}: {check['check_name']}"
             for report in reports.values() for check in report["failed_checks"]]
    assert found == []


def test_every_exception_gives_its_reason_and_is_still_one(reports):
    explained = {(path.name, *found) for path in FOLDER.iterdir() if path.is_file()
                 for found in SKIP.findall(path.read_text())}
    assert [found for found in explained if len(found[2].split()) < 2] == []
    skipped = {(check["file_path"].strip("/"), check["check_id"])
               for report in reports.values() for check in report.get("skipped_checks", [])}
    assert {found[:2] for found in explained} == skipped
