"""The shipped tasks: as many and as varied as they must be, and each answer fits its tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import jsonschema_rs

from .coding_agent_files import CHOICES, HAN, TASK_FILES, TASKS, TOOLS, choices

NOW = re.compile(
    r"(\d{4}-\d\d-\d\dT[\d:]+(?:Z|[+-]\d\d:\d\d))(?:, the user's zone is ([A-Z]\w*(?:/\w+)?))?"
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def test_there_are_enough_of_every_kind() -> None:
    expect = Counter(task["expect"] for task in TASKS)
    assert len(TASKS) >= 160
    assert sum(task["language"] == "zh" for task in TASKS) >= 50
    assert expect["no call"] >= 20
    assert expect["ask back"] >= 20
    assert sum(len(task.get("calls", ())) > 1 for task in TASKS) >= 15
    assert sum(task.get("ordered", False) for task in TASKS) >= 5
    assert sum("before" in task for task in TASKS) >= 30
    assert sum("near miss" in task["tags"] for task in TASKS) >= 100


def test_ids_and_questions_are_unique() -> None:
    ids = Counter(task["id"] for task in TASKS)
    asked = Counter((task["prompt"], str(task.get("before"))) for task in TASKS)
    assert not [one for counts in (ids, asked) for one, count in counts.items() if count > 1]
    assert not [one for one in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one)]


def test_every_tool_is_expected_by_several_tasks() -> None:
    tasks = {tool: {one.task for one in CHOICES if one.tool == tool} for tool in TOOLS}
    assert not {tool: found for tool, found in tasks.items() if len(found) < 4}


def test_the_language_is_that_of_the_prompt() -> None:
    wrong = [t["id"] for t in TASKS if bool(HAN.search(t["prompt"])) != (t["language"] == "zh")]
    assert not wrong


def test_a_call_is_expected_or_said_not_to_be() -> None:
    wrong = [t["id"] for t in TASKS if (t["expect"] == "calls") != bool(t.get("calls"))]
    assert not wrong


def test_no_prompt_names_a_tool() -> None:
    named = re.compile("|".join(TOOLS))
    assert not [task["id"] for task in TASKS if named.search(task["prompt"])]


def test_the_system_does_not_give_the_answer_away() -> None:
    """All tasks share one, but for those where it says what time it is, or that nobody knows."""
    systems = {
        task["system"] for task in TASKS if not re.match("It is |.*not know", task["system"])
    }
    assert len(systems) == 1


def test_a_cluster_is_named_after_the_task_that_it_is_alike() -> None:
    expected = {task["id"]: [one.tool for one in choices(task)] for task in TASKS}
    named = {task["id"]: task["cluster"] for task in TASKS if "cluster" in task}
    assert named
    assert set(named.values()) <= expected.keys() - named.keys()
    assert not [one for one, other in named.items() if expected[one][:1] != expected[other][:1]]


def test_no_text_ends_at_a_number_sign_that_was_not_quoted() -> None:
    """`see #12` without quotes is `see` to YAML, and the rest a comment."""
    said = re.compile(r"^ +(?:- )?\w+: [^\"'>|{\[].* #", re.MULTILINE)
    assert said.search("  prompt: see #12 and go on")
    cut = {one.name: said.findall(one.read_text(encoding="utf-8")) for one in TASK_FILES}
    assert not any(cut.values()), cut


def test_a_file_is_short_enough_to_review() -> None:
    assert TASK_FILES
    long = [
        one.name for one in TASK_FILES if len(one.read_text(encoding="utf-8").splitlines()) > 400
    ]
    assert not long


def test_the_tool_takes_what_is_expected() -> None:
    for choice in CHOICES:
        parameters = TOOLS[choice.tool]["parameters"]
        given = choice.args.keys() | choice.may_have.keys()
        assert given <= parameters["properties"].keys(), choice
        assert set(parameters.get("required", ())) <= choice.args.keys(), choice
        assert not choice.args.keys() & choice.may_have.keys(), choice


def test_every_value_that_is_written_out_fits_the_schema() -> None:
    schemas = {
        (tool, name): jsonschema_rs.validator_for(schema, validate_formats=True)
        for tool, contract in TOOLS.items()
        for name, schema in contract["parameters"]["properties"].items()
    }
    wrong = [
        (choice.task, name, value)
        for choice in CHOICES
        for name, matcher in (choice.args | choice.may_have).items()
        for value in written_out(matcher)
        if not schemas[choice.tool, name].is_valid(value)
    ]
    assert not wrong


def test_what_an_argument_must_be_can_be_shown() -> None:
    hidden = [
        (choice.task, name)
        for choice in CHOICES
        for name, matcher in choice.args.items()
        if not [*written_out(matcher)]
    ]
    assert not hidden


def test_the_time_that_is_said_is_possible() -> None:
    told = [task for task in TASKS if task["system"].startswith("It is ")]
    assert told
    for task in told:
        said = said_in(task)
        now = datetime.fromisoformat(said[1])
        if said[2]:
            assert now.astimezone(ZoneInfo(said[2])).utcoffset() == now.utcoffset(), task["id"]
        named = [day for day in WEEKDAYS if day in task["system"]]
        assert named in ([], [WEEKDAYS[now.weekday()]]), task["id"]


def test_a_moment_is_in_the_future() -> None:
    moments = [
        (choice.task, matcher["moment"])
        for choice in CHOICES
        for matcher in choice.args.values()
        if isinstance(matcher, dict) and "moment" in matcher
    ]
    tasks = {task["id"]: task for task in TASKS}
    assert len(moments) >= 10
    for name, moment in moments:
        now = datetime.fromisoformat(said_in(tasks[name])[1])
        assert datetime.fromisoformat(moment) > now, name


def said_in(task: dict[str, Any]) -> re.Match[str]:
    """Now and the zone, as the system says them."""
    found = NOW.search(task["system"])
    assert found is not None, task["id"]
    return found


def written_out(matcher: Any) -> Iterator[Any]:
    """The right values that a matcher shows."""
    match matcher:
        case {"regex": expression, **options}:
            flags = re.IGNORECASE if options.get("ignore_case") else 0
            look = re.search if options.get("anywhere") else re.fullmatch
            assert look(expression, options["such_as"], flags)
            yield options["such_as"]
        case {"anything": True, **options}:
            yield from [options["such_as"]] if "such_as" in options else []
        case {"one_of": members}:
            for member in members:
                yield from written_out(member)
        case {"unordered": items} | {"path": items} | {"moment": items} | {"number": items}:
            yield items
        case dict():
            raise AssertionError(f"a matcher of a kind that is not looked at: {matcher}")
        case value:
            yield value
