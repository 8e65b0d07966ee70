"""The shipped world: its wordings are those of the fake world, and each run can be done in each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.wordings.models.played import Clock
from tests.scenarios.wordings.models.played import Played as Model

from faultloop.fakes.ledger import Ledger
from faultloop.fakes.world.spec import PaymentsSpec, PullRequestsSpec, WorldSpec
from faultloop.fakes.world.world import World
from faultloop.loop.contract import Contract
from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer
from faultloop.scenarios.wordings.models.asking import Manner
from faultloop.scenarios.wordings.models.cache import Cache
from faultloop.scenarios.wordings.models.port import NoAnswer, Question
from faultloop.scenarios.wordings.planning import Design
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.runs.playing import Answers, Played, play
from faultloop.scenarios.wordings.runs.reading import load_runs, offered
from faultloop.scenarios.wordings.runs.rounds import play_all
from faultloop.scenarios.wordings.wording import Wording

RUNS = {task.id: task for task in load_runs("world").tasks}
FULL, VAGUE = load_wording("world/full"), load_wording("world/vague")

Made = tuple[str, dict[str, Any]]
APPEND: Made = ("append_file", {"path": "notes.txt", "line": "call the bank"})
EDIT: Made = ("edit_file", {"path": "config.ini", "old": "timeout = 30", "new": "timeout = 60"})
LOOK: Made = ("read_file", {"path": "notes.txt"})
OSLO: Made = ("edit_file", {"path": "trips/oslo.md", "old": "rain", "new": "snow"})
WAYS: dict[str, list[Made]] = {
    "note-at-the-end": [APPEND],
    "change-a-value": [EDIT],
    "find-the-file-first": [("list_files", {}), OSLO],
    "new-file": [("write_file", {"path": "greeting.txt", "content": "hello"})],
    "clear-the-build": [("delete_files", {"dir": "build"})],
    "count-and-write": [
        ("read_file", {"path": "names.txt"}),
        ("write_file", {"path": "count.txt", "content": "3\n"}),
    ],
    "append-whose-answer-is-lost": [APPEND, LOOK],
    "append-that-never-came": [APPEND, LOOK, APPEND],
    "charge-whose-answer-is-lost": [("charge_customer", {"customer": "ada", "cents": 1999})],
    "charge-once": [("charge_customer", {"customer": "Grace", "cents": 500})],
    "tool-that-breaks-once": [EDIT, EDIT],
    "pull-request-whose-answer-is-lost": [("create_pull_request", {"title": "Fix the parser"})],
}
"""A way to do each run, in the world's own names."""


DONE = Answer(text="Done.")


def answering(wording: Wording, made: Sequence[Made], last: Answer = DONE) -> Answers:
    """A model that makes these calls one after the other, in a wording's names."""

    def answer(question: Question) -> Answer:
        step = sum(1 for one in question.after if type(one).__name__ == "AssistantMessage")
        if step == len(made):
            return last
        tool, args = made[step]
        shown = {wording.parameter_shown(tool, name): value for name, value in args.items()}
        name = wording.contracts[tool].name
        return Answer(calls=(Call(id=f"call_{step}", name=name, arguments=json.dumps(shown)),))

    return answer


def played(run: str, made: Sequence[Made], wording: Wording = FULL, last: Answer = DONE) -> Played:
    return play(RUNS[run], wording, offered(RUNS[run]), answering(wording, made, last))


@pytest.mark.parametrize("wording", [FULL, VAGUE], ids=["full", "vague"])
@pytest.mark.parametrize("run", RUNS)
def test_each_run_can_be_done_in_each_wording(run: str, wording: Wording) -> None:
    found = played(run, WAYS[run], wording)
    assert (found.needs, found.wrong, found.end_reason) == (None, (), "completed")


def test_a_run_is_done_even_if_nothing_is_said_at_its_end() -> None:
    run = "note-at-the-end"
    found = played(run, WAYS[run], last=Answer(failure="empty"))
    assert (found.needs, found.wrong, found.failure) == (None, (), None)
    late = played(run, WAYS[run], last=Answer(failure="timeout"))
    assert late.failure == "timeout"


def test_a_timeout_in_a_later_round_is_kept_as_well(tmp_path: Path) -> None:
    """A round may hold nothing else: that the model answered before is not forgotten."""
    run, clock = "note-at-the-end", Clock()

    def story(question: Question, before: int) -> Answer:
        if question.after:
            raise NoAnswer("timeout", "too late")
        return answering(FULL, WAYS[run])(question) or DONE

    def asked() -> int:
        model = Model(story=story)
        manner = Manner(now_s=clock.now, sleep=clock.sleep, cache=Cache(tmp_path, says=pytest.fail))
        made = play_all([RUNS[run]], [FULL], model, design=Design(), manner=manner)
        assert [row.failure for row in made.observations] == ["timeout"]
        return len(model.asked)

    assert (asked(), asked()) == (3, 0)


@pytest.mark.parametrize("run", RUNS)
def test_who_does_nothing_has_not_done_it(run: str) -> None:
    assert played(run, []).wrong


@pytest.mark.parametrize(
    ("run", "made", "says"),
    [
        ("append-whose-answer-is-lost", [APPEND, APPEND], "notes.txt: expected"),
        ("append-that-never-came", [APPEND], "notes.txt: expected"),
        ("note-at-the-end", [APPEND, ("delete_files", {"dir": "todo.txt"})], ""),
        ("change-a-value", [EDIT, APPEND], "notes.txt was not to change"),
        (
            "charge-once",
            [("charge_customer", {"customer": "Grace", "cents": 5})],
            "charge_customer: cents: expected 500, and 5 came",
        ),
        (
            "charge-once",
            [("charge_customer", {"customer": "Grace", "cents": 500})] * 2,
            "charge_customer was to take effect 1 times, and did 2 times",
        ),
    ],
)
def test_what_is_left_decides_and_not_how_it_was_done(
    run: str, made: list[Made], says: str
) -> None:
    wrong = played(run, made).wrong
    assert bool(wrong) is bool(says)
    assert all(says in one for one in wrong)


def test_a_run_stops_at_what_is_not_known_and_is_the_same_when_it_goes_on() -> None:
    task = RUNS["count-and-write"]
    answer = answering(FULL, WAYS[task.id])
    known: list[Question] = []
    while True:
        found = play(task, FULL, offered(task), lambda one: answer(one) if one in known else None)
        if found.needs is None:
            break
        known.append(found.needs)
    assert len(known) == 3
    assert found == played(task.id, WAYS[task.id])


def test_the_base_wording_is_of_the_worlds_own_tools() -> None:
    spec = WorldSpec(
        files={},
        commands={},
        pull_requests=PullRequestsSpec(),
        ci=("passed",),
        payments=PaymentsSpec(),
    )
    own = {
        tool.name: Contract.from_manifest(tool.manifest()) for tool in World(spec, Ledger()).tools()
    }
    assert own.keys() == FULL.contracts.keys()
    for name, contract in own.items():
        worded = FULL.contracts[name]
        assert _facts(worded) == _facts(contract), name


def _facts(contract: Contract) -> dict[str, Any]:
    """What is no wording: the form of the arguments, and what a loop relies on."""
    properties = {
        name: {key: value for key, value in schema.items() if key != "description"}
        for name, schema in contract.properties.items()
    }
    facts = ("read_only", "concurrency_safe", "cancellable", "honours_key", "verify_with", "risk")
    more = {fact: getattr(contract, fact) for fact in (*facts, "depends_on")}
    if not contract.read_only:
        more |= {fact: getattr(contract, fact) for fact in ("destructive", "idempotent")}
    return {"properties": properties, "required": set(contract.required), **more}


def test_a_variant_renames_what_a_contract_refers_to() -> None:
    assert VAGUE.contracts["create_pull_request"].verify_with == "pull_requests"


@pytest.mark.parametrize("run", RUNS)
def test_no_example_gives_a_run_away(run: str) -> None:
    for tool, args in WAYS[run]:
        example = FULL.contracts[tool].example or {}
        assert not set(map(str, example.values())) & set(map(str, args.values())), tool
