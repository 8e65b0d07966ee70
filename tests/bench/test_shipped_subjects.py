"""The subjects that come with the bench keep the contract and are what they claim to be."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import faultloop.bench.subjects
from faultloop.fakes.history import CallArrived, Ended, Requested
from faultloop.loop.presets import PRESETS
from faultloop.scenarios.house import House, open_house
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import BadSubject, Column, Subject, SubjectUnusable
from faultloop.scenarios.subjects.conformance import conform
from faultloop.scenarios.subjects.finding import find, shipped
from faultloop.scenarios.verdict import Verdict

FOLDER = Path(faultloop.bench.subjects.__file__).parent
NAIVE = {
    "naive-openai": "openai_chat",
    "naive-responses": "openai_responses",
    "naive-anthropic": "anthropic_messages",
    "naive-gemini": "gemini",
}
"""The naive loops on official SDKs, each with its dialect."""
PROCESSES = ("naive-node", *NAIVE, "reference-process")

APART = [
    path.parent.name.replace("_", "-")
    for path in FOLDER.glob("*/subject.toml")
    if "\n[install]\n" in path.read_text()
]
"""Frameworks and agents that are not part of faultloop's own installation."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
each = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs_node) if "node" in n else n for n in PROCESSES]
)


# --- what is there --------------------------------------------------------------------------


def test_the_reference_its_presets_and_the_processes_ship_under_their_names() -> None:
    presets = [f"reference:{name}" for name in PRESETS if name != "reference"]
    names = [one.name for one in shipped() if one.name not in APART]
    assert names == ["reference", *presets, *sorted(PROCESSES)]
    assert all(subject.about for subject in shipped())


def test_each_folder_has_its_three_files_and_a_short_readme() -> None:
    for name in (*PROCESSES, *APART):
        folder = FOLDER / name.replace("-", "_")
        assert (folder / "subject.toml").is_file()
        assert list(folder.glob("driver.*")) or name in APART  # versions share one
        assert len((folder / "README.md").read_text().splitlines()) <= 5


@pytest.mark.parametrize("name", NAIVE)
def test_a_naive_loop_is_a_loop_of_some_thirty_lines(name: str) -> None:
    text = (FOLDER / name.replace("-", "_") / "driver.py").read_text()
    lines = [line for line in text.splitlines() if line.strip() and '"""' not in line]
    assert len(lines) <= 40


@pytest.mark.parametrize("name", NAIVE)
def test_a_naive_loop_speaks_the_dialect_of_its_sdk(name: str) -> None:
    assert find(name).capabilities.dialects == (NAIVE[name],)


def test_a_subject_is_found_by_name_by_file_and_by_folder() -> None:
    folder = FOLDER / "naive_node"
    for name in ("naive-node", str(folder), str(folder / "subject.toml")):
        assert find(name).name == "naive-node"


def test_a_name_that_nobody_has_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadSubject, match=r"no subject 'qqqq': choose one of reference,"):
        find("qqqq")
    with pytest.raises(BadSubject, match=r"no subject 'naive': did you mean naive-"):
        find("naive")


def test_without_node_the_node_loop_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SubjectUnusable, match=r"naive-node needs 'node': install Node\.js 18"):
        asyncio.run(conform(find("naive-node")))


# --- what they do ---------------------------------------------------------------------------


@each
def test_it_keeps_the_contract(name: str) -> None:
    concluded = {one.name: one for one in asyncio.run(conform(find(name)))}
    of_ids = concluded.pop("calls-by-their-ids")
    assert of_ids.verdict in (Verdict.HELD, Verdict.NOT_APPLICABLE), of_ids.sentence  # optional
    amiss = {
        one.name: one.sentence for one in concluded.values() if one.verdict is not Verdict.HELD
    }
    assert amiss == {}


@pytest.fixture(params=[pytest.param(n, marks=needs_node) if "node" in n else n for n in PROCESSES])
def at_home(request: pytest.FixtureRequest) -> Iterator[tuple[Subject, House]]:
    subject = find(request.param)
    with open_house(subject, parallel=2) as house:
        yield subject, house


def order(subject: Subject, *, streaming: bool = True, **parts: Any) -> Order:
    scenario = Scenario.model_validate(
        {
            "schema": 1,
            "name": "shipped",
            "claim": "A shipped subject is played.",
            "claims": ["L1"],
            "checks": ["results_closed"],
            "world": {
                "files": {"notes.txt": "alpha\n"},
                "commands": {
                    "npm test": {"output": "5 passed\n"},
                    "npm run deploy": {"takes_s": 20, "effect": "deployed"},
                },
            },
            "input": "Append beta and run the tests.",
            "script": [
                {
                    "calls": [
                        {"tool": "append_file", "args": {"path": "notes.txt", "line": "beta"}},
                        {"tool": "run_command", "args": {"command": "npm test"}},
                    ]
                },
                {"say": "Five tests passed."},
            ],
            "accept": [{}],
            "max_requests": 9,
            **parts,
        }
    )
    column = Column(dialect=subject.capabilities.dialects[0], streaming=streaming)
    return Order(scenario=scenario, subject=subject, column=column, seed=1)


def ends(done: Done) -> list[str | None]:
    return [one.account.end_reason for one in done.evidence.history if isinstance(one, Ended)]


def test_it_plays_both_columns_with_a_command_of_its_own(
    at_home: tuple[Subject, House],
) -> None:
    subject, house = at_home
    orders = [order(subject, streaming=streaming) for streaming in (True, False)]
    for done in house.play(orders):
        assert (done.crash, ends(done)) == ("", ["completed"])
        own = [one.own for one in done.evidence.history if isinstance(one, CallArrived)]
        assert own == [False, True]
        last = [one for one in done.evidence.history if isinstance(one, Requested)][-1]
        assert "5 passed" in last.messages[-1].text


def test_it_is_killed_after_the_effect_and_started_again(at_home: tuple[Subject, House]) -> None:
    subject, house = at_home
    event = {"at": "after_effect", "do": "kill", "tool": "append_file"}
    (done,) = house.play([order(subject, events=[event])])
    assert (done.crash, done.outcomes[0].how, done.idle_triggers) == ("", "killed", ())
    doubled = subject.capabilities.resume == "rerun"
    assert len(done.evidence.ledger) == (2 if doubled else 1)


def test_only_the_reference_stops_its_own_command_when_it_is_cancelled(
    at_home: tuple[Subject, House],
) -> None:
    subject, house = at_home
    call = {"tool": "run_command", "args": {"command": "npm run deploy"}}
    event = {"at": "call_arrived", "do": "cancel", "tool": "run_command"}
    (done,) = house.play(
        [order(subject, script=[{"calls": [call]}, {"say": "Deployed."}], events=[event])]
    )
    assert (done.crash, ends(done)[0]) == ("", "aborted")
    late = [effect.what for effect in done.evidence.ledger]
    assert late == ([] if subject.name == "reference-process" else ["deployed"])
