"""The shipped table of policies: each line names a subject, a promise and plays that there are."""

from __future__ import annotations

import fnmatch
from collections import Counter
from pathlib import Path

import faultloop.bench.subjects
from faultloop.bench.matrix.command import POLICIES
from faultloop.bench.regressions_command.reading import SCENARIOS, SHIPPED
from faultloop.reports.matrix.policy import read_policies
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue
from faultloop.scenarios.subjects.finding import shipped

POLICY_LINES = read_policies(Path(faultloop.bench.subjects.__file__).parent / POLICIES)
STORIES = {scenario.name for scenario in catalogue()} | {
    file.stem for file in (SHIPPED.parent / SCENARIOS).glob("*.yaml")
}


def test_each_policy_is_of_a_shipped_subject() -> None:
    assert {policy.subject for policy in POLICY_LINES} <= {one.name for one in shipped()}


def test_each_policy_is_about_a_known_check() -> None:
    assert {policy.check for policy in POLICY_LINES} <= set(CHECKS)


def test_each_glob_of_a_policy_matches_a_scenario() -> None:
    idle = [
        f"{policy.subject}: {policy.check}: {glob}"
        for policy in POLICY_LINES
        for glob in policy.globs
        if not fnmatch.filter(STORIES, glob)
    ]
    assert idle == []


def test_no_finding_is_covered_by_two_policies() -> None:
    covered = Counter(
        (policy.subject, policy.check, story)
        for policy in POLICY_LINES
        for glob in policy.globs
        for story in fnmatch.filter(STORIES, glob)
    )
    assert [found for found, count in covered.items() if count > 1] == []


def test_each_policy_is_a_sentence() -> None:
    assert [policy.says for policy in POLICY_LINES if not policy.says.endswith(".")] == []
