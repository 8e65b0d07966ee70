"""What can be served, and what is said about what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from faultloop.bench.serving.reading import read, read_text
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.faults.truncated_arguments import TruncatedArguments
from faultloop.fakes.hosting import BadScript, Hosting
from faultloop.fakes.script import ScriptedCall, Step
from faultloop.scenarios.reading import BadScenario, catalogue

SHORT = """
- say: Hello.
- say: I look.
  calls:
    - {tool: read_file, args: {path: a.txt}}
  faults:
    - {kind: rate_limited, retry_after_s: 2}
    - {kind: stall, after_deltas: 3, seconds: 1}
- calls: [{tool: read_file, raw: '{"path": '}]
  fault: {kind: truncated_arguments}
- {say: Again., repeat: 2, finish: length}
"""


def test_a_list_of_steps_is_a_script() -> None:
    script = read_text(SHORT, Path("my/talk.yaml"))
    again = Step(say="Again.", finish="length")
    look = ScriptedCall.of("read_file", {"path": "a.txt"})
    assert script.name == "talk.yaml"
    assert script.steps == (
        Step(say="Hello."),
        Step(say="I look.", calls=(look,)),
        Step(calls=(ScriptedCall(tool="read_file", arguments='{"path": '),)),
        again,
        again,
    )
    assert script.faults == (
        RateLimited(at="step 2", retry_after_s=2),
        Stalled(at="step 2", after_deltas=3, seconds=1),
        TruncatedArguments(at="step 3"),
    )


def test_a_fault_of_a_step_that_is_repeated_strikes_each() -> None:
    script = read_text("- {say: Hi., repeat: 2, fault: {kind: server_error}}\n- say: Ho.")
    assert [fault.at for fault in script.faults] == ["step 1", "step 2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "script:1: it is empty; write a step, as in '- say: Hello.'"),
        ("# only words\n", "script:1: it is empty; write a step"),
        ("hello", "script:1: it is neither a list of steps ('- say: ...') nor a scenario"),
        ("[]", "script:1: it has no steps; write '- say: ...'"),
        ("- hello", "script:1: [0]: a step is a mapping such as 'say: ...', not the text 'hello'"),
        ("- say: a\n- sya: b", "script:2: [1].sya: there is no such field; did you mean 'say'?"),
        ("- fualt: {}", "script:1: [0].fualt: there is no such field; did you mean 'fault'?"),
        ("- say: 3", "script:1: [0].say: it must be text, not the number 3"),
        (
            "- calls: [{tol: x}]",
            "script:1: [0].calls[0].tol: there is no such field; did you mean 'tool'?",
        ),
        (
            "- say: a\n  fault: {kind: rate_limitd}",
            "script:2: [0].fault.kind: there is no fault of the kind 'rate_limitd'; "
            "did you mean 'rate_limited'?",
        ),
        ("- {say: a, fault: {}}", "script:1: [0].fault: it has no kind; write 'kind: ...'"),
        ("- {say: a, fault: x}", "script:1: [0].fault: a fault is a mapping such as"),
        ("- {say: a, faults: {kind: x}}", "script:1: [0].faults: it must be a list, not a mapping"),
        (
            "- {say: a, fault: {kind: server_error, at: step 2}}",
            "script:1: [0].fault.at: a fault of a step strikes there; leave 'at' out",
        ),
        (
            "- {say: a, fault: {kind: rate_limited, retry_after_s: soon}}",
            "script:1: [0].fault.retry_after_s: it must be a number, not the text 'soon'",
        ),
        (
            "- {say: a, fault: {kind: tool_hang}}",
            "script:1: [0].fault.kind: tool_hang strikes at a tool of a world, and a list of steps",
        ),
        (
            "- say: a\n- say: b\n  faults:\n    - kind: glued_objects\n      second: {}",
            "script:4: [1].faults[0].kind: step 2 makes no call, so glued_objects cannot strike",
        ),
        ("- say: [", "this is not YAML"),
        ("schema: 1", "script:1: name: it is missing"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadScenario) as caught:
        read_text(text)
    assert sentence in str(caught.value)


def test_a_scenario_of_the_catalogue_is_known_by_its_name() -> None:
    script = read("one-call")
    assert (script.name, script.notes) == ("one-call", ())
    assert script.world.files is not None
    assert script.steps[0].calls


@pytest.mark.parametrize("scenario", catalogue(), ids=lambda scenario: scenario.name)
def test_every_scenario_can_be_served(scenario: object) -> None:
    script = read(scenario.name)  # type: ignore[attr-defined]
    Hosting(script)
    assert bool(script.notes) == bool(scenario.events)  # type: ignore[attr-defined]


def test_a_file_is_read_whatever_its_form(tmp_path: Path) -> None:
    short = tmp_path / "short.yaml"
    short.write_text("- say: Hello.")
    assert read(str(short)).steps == (Step(say="Hello."),)
    with pytest.raises(BadScenario, match=r"none\.yaml:1: it cannot be read: No such file"):
        read(str(tmp_path / "none.yaml"))


def test_a_name_of_nothing_is_said_with_its_neighbour() -> None:
    with pytest.raises(BadScript, match="no scenario 'one-cal'; did you mean 'one-call'"):
        read("one-cal")
    with pytest.raises(BadScript, match="no scenario 'zzz'; name a file, or a scenario of"):
        read("zzz")
