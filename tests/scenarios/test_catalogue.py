"""The shipped catalogue: all of it can be read, and nothing that it must cover is missing.

That the reference loop holds every one of them, and that mutants break them, is the business of
the bench; here the files are looked at as files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
import yaml

from faultloop.fakes.faults import KINDS
from faultloop.fakes.landmarks import Landmark
from faultloop.scenarios import reading, schema
from faultloop.scenarios.scenario import Requirement, Scenario

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "scenarios/faultloop/scenarios/catalogue"
FILES = sorted(FOLDER.rglob("*.yaml"))
CATALOGUE = reading.catalogue()

everywhere = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
each = pytest.mark.parametrize("scenario", CATALOGUE, ids=[one.name for one in CATALOGUE])

KILLED_AT = {
    "before_effect",
    "after_effect",
    "result_sent",
    "before_next_request",
    "request_arrived",
    "before_journal",
    "after_journal",
}
"""Landmarks at which a process must be killed somewhere; in a stream it is `chunk:N`."""


def test_all_files_are_in_the_catalogue_under_their_own_names() -> None:
    assert [scenario.name for scenario in CATALOGUE] == sorted(path.stem for path in FILES)
    assert len(CATALOGUE) >= 46


@everywhere
def test_editors_find_the_schema(path: Path) -> None:
    first, _, _ = path.read_text(encoding="utf-8").partition("\n")
    prefix = "# yaml-language-server: $schema="
    assert first.startswith(prefix)
    found = (path.parent / first.removeprefix(prefix)).resolve()
    assert found == ROOT / "docs/scenario.schema.json"


def test_the_committed_schema_is_current() -> None:
    committed = (ROOT / "docs/scenario.schema.json").read_text(encoding="utf-8")
    assert committed == schema.text(), (
        "run: python -m faultloop.scenarios.schema > docs/scenario.schema.json"
    )


def test_the_schema_accepts_what_is_shipped_and_refuses_a_typo() -> None:
    published = json.loads(schema.text())
    jsonschema.Draft202012Validator.check_schema(published)
    validator = jsonschema.Draft202012Validator(published)
    for path in FILES:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert [error.message for error in validator.iter_errors(data)] == [], path.stem
        assert not validator.is_valid(data | {"max_request": 8})


@each
def test_a_scenario_survives_being_saved_as_a_failure(scenario: Scenario) -> None:
    assert reading.loads(reading.dump(scenario), Path("kept.yaml")) == scenario


def test_every_kind_of_fault_occurs() -> None:
    assert {fault.kind for scenario in CATALOGUE for fault in scenario.faults} == set(KINDS)


def test_every_requirement_but_whole_occurs() -> None:
    # No fault lies in whole replies alone so far.
    found = {requirement for scenario in CATALOGUE for requirement in scenario.requires}
    assert found == set(get_args(Requirement)) - {"whole"}


def test_processes_are_killed_everywhere_around_an_effect() -> None:
    killed_at = {
        event.at for scenario in CATALOGUE for event in scenario.events if event.do == "kill"
    }
    assert set(get_args(Landmark)) >= KILLED_AT
    assert killed_at >= KILLED_AT
    assert any(at.startswith("chunk:") for at in killed_at)


def test_turns_are_cancelled_in_tools_streams_and_waits() -> None:
    cancelled_at = {
        event.at for scenario in CATALOGUE for event in scenario.events if event.do == "cancel"
    }
    assert {"call_arrived", "after_effect", "reply_sent"} <= cancelled_at
    assert any(at.startswith("chunk:") for at in cancelled_at)


def test_users_steer_and_follow_up_while_the_loop_runs() -> None:
    deeds = {event.do for scenario in CATALOGUE for event in scenario.events}
    assert deeds == {"kill", "cancel", "steer", "follow_up"}


@each
def test_an_abnormal_end_is_followed_by_a_second_turn(scenario: Scenario) -> None:
    assert scenario.next_turns


@each
def test_there_is_room_for_the_retries_of_an_sdk(scenario: Scenario) -> None:
    # The official SDKs ask three times; each fault of the provider may cost as much, each kill
    # begins again. Only a script that has no end may not be read to its end.
    steps = sum(line.repeat for line in scenario.script)
    steps += sum(line.repeat for turn in scenario.next_turns for line in turn.script)
    if steps <= scenario.max_steps:
        kills = sum(event.do == "kill" for event in scenario.events)
        assert scenario.max_requests >= steps + 2 * len(scenario.faults) + 2 * kills


@each
def test_a_loop_that_never_ends_is_never_acceptable(scenario: Scenario) -> None:
    assert "end_acceptable" in scenario.checks
    assert "requests_bounded" in scenario.checks
    assert all(accept.end_reason for accept in scenario.accept)


@everywhere
def test_files_are_as_narrow_as_the_code(path: Path) -> None:
    wide = [
        number
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 100 and "content:" not in line
    ]
    assert wide == []
