"""What a dialect cannot say is not applicable to its columns, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.faults import KINDS
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.world.spec import WorldSpec
from faultloop.scenarios.sayable import why_unsaid
from faultloop.scenarios.scenario import Accept, CallLine, Scenario, StepLine
from faultloop.scenarios.subject import Column

WRITE = CallLine(tool="append_file", args={"path": "a.txt", "line": "a line of some length"})
LOOK = CallLine(tool="list_files")
ALL = tuple(DIALECTS)
OPENAI = ("openai_chat", "openai_responses")


def scenario(kind: str = "", *calls: CallLine, **fields: Any) -> Scenario:
    """A reply with two calls, or with others, and a fault that strikes it."""
    more = {one: fields.pop(one) for one in ("events", "script") if one in fields}
    faults = (KINDS[kind](at="step 1", **fields),) if kind else ()
    said: dict[str, Any] = {
        "schema": 1,
        "name": "any",
        "claim": "It holds.",
        "claims": ("L1",),
        "checks": ("end_acceptable",),
        "world": WorldSpec(files={}),
        "input": "Go.",
        "script": (StepLine(say="I do.", calls=calls or (LOOK, WRITE)), StepLine(say="Done.")),
        "faults": faults,
        "accept": (Accept(effects=0),),
        "max_requests": 4,
    }
    return Scenario(**(said | more))


def sayable(played: Scenario, *, streaming: bool) -> tuple[str, ...]:
    """The dialects that can say it."""
    return tuple(
        name
        for name in DIALECTS
        if why_unsaid(played, Column(dialect=name, streaming=streaming)) is None
    )


@pytest.mark.parametrize("streaming", [True, False])
def test_what_is_no_business_of_the_model_can_be_staged_in_every_dialect(streaming: bool) -> None:
    assert sayable(scenario(), streaming=streaming) == ALL
    assert sayable(scenario("rate_limited"), streaming=streaming) == ALL
    held = scenario(events=(Trigger(at="call_arrived", do="cancel"),))
    assert sayable(held, streaming=streaming) == ALL


STREAMED = [
    ("gapped_indexes", ("openai_chat", "openai_responses", "anthropic_messages")),
    ("block_end_missing", ("openai_responses", "anthropic_messages")),
    ("usage_missing", OPENAI),
    ("end_mark_missing", ("openai_chat", "openai_responses", "anthropic_messages")),
    ("missing_id", ALL),
    ("reset_mid_stream", ALL),
]


@pytest.mark.parametrize(("kind", "dialects"), STREAMED)
def test_a_fault_of_the_stream_is_said_where_it_changes_a_byte(
    kind: str, dialects: tuple[str, ...]
) -> None:
    assert sayable(scenario(kind), streaming=True) == dialects


MODEL = [
    ("contradicting_finish", {"finish": "stop"}, ("openai_chat", "anthropic_messages"), None),
    ("glued_objects", {"second": {"path": "b"}}, (*OPENAI, "anthropic_messages"), OPENAI),
    ("trailing_prose", {}, (*OPENAI, "anthropic_messages"), OPENAI),
    ("double_encoded", {}, (*OPENAI, "anthropic_messages"), None),
    ("empty_arguments", {}, OPENAI, None),
    ("truncated_arguments", {}, ALL, None),
    ("wrong_type", {"field": "line", "value": 1}, ALL, None),
]


@pytest.mark.parametrize(("kind", "fields", "streamed", "whole"), MODEL)
def test_a_fault_of_the_model_is_said_in_a_form_of_its_own_or_not_at_all(
    kind: str, fields: dict[str, Any], streamed: tuple[str, ...], whole: tuple[str, ...] | None
) -> None:
    played = scenario(kind, **fields)
    assert sayable(played, streaming=True) == streamed
    assert sayable(played, streaming=False) == (streamed if whole is None else whole)


def test_of_a_cut_reply_another_call_tells_as_well() -> None:
    alone = scenario("truncated_arguments", WRITE)
    beside = scenario("truncated_arguments", LOOK, WRITE)
    assert "gemini" not in sayable(alone, streaming=True)
    assert "gemini" in sayable(beside, streaming=True)


def test_a_script_can_hold_what_a_dialect_cannot_say() -> None:
    raw = CallLine(tool="append_file", raw="[1]")
    assert sayable(scenario("", raw), streaming=False) == ALL[:3]
    cut = scenario("", CallLine(tool="append_file", raw='{"path":"a.txt","line":"a'))
    assert sayable(cut, streaming=True) == ALL[:3]
    assert sayable(cut, streaming=False) == OPENAI


def test_a_stream_can_have_too_few_chunks_for_an_event() -> None:
    def at(number: int) -> Scenario:
        return scenario(events=(Trigger(at=f"chunk:{number}", do="kill", step=1),))

    assert sayable(at(2), streaming=True) == ALL
    assert sayable(at(5), streaming=True) == ALL[:3]
    assert sayable(at(500), streaming=True) == ()


def test_a_fault_that_strikes_nothing_is_the_scenarios_own_affair() -> None:
    script = (StepLine(say="Nothing to call."),)
    assert sayable(scenario("truncated_arguments", script=script), streaming=True) == ALL


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (
            scenario("gapped_indexes"),
            "gemini has no way to say gapped_indexes: a streamed reply with it is the same as one "
            "without",
        ),
        (
            scenario("empty_arguments"),
            "gemini has no way to say empty_arguments: the call in a streamed reply has proper "
            "arguments all the same",
        ),
        (
            scenario("double_encoded"),
            "gemini has no form for a call whose arguments are no JSON object: it never reaches "
            "the subject",
        ),
        (
            scenario(events=(Trigger(at="chunk:9", do="kill", step=2),)),
            "gemini says that reply in fewer than 9 chunks",
        ),
    ],
)
def test_the_reason_is_told(played: Scenario, reason: str) -> None:
    assert why_unsaid(played, Column(dialect="gemini", streaming=True)) == reason
