"""Streamed equals whole: two histories of one scenario, alike or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import ByteFault, StreamFault
from faultloop.scenarios.both_forms import NAME, compare, why_not
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.verdict import Finding, Verdict

from .checks.conftest import SCENARIO, Story

Told = Callable[[Story], object]


def scenario(**changes: Any) -> Scenario:
    return Scenario.model_validate(SCENARIO | changes)


class Form:
    """One play of two calls and a last word, with what this loop does otherwise."""

    def __init__(self, ids: str, mark: str, **otherwise: Any) -> None:
        self.ids, self.mark, self.otherwise = ids, mark, otherwise

    def tell(self, story: Story) -> None:
        does = self.otherwise.get
        a, b = story.append(f"{self.ids}1", "x"), story.append(f"{self.ids}2", "y")
        calls = does("calls", (a, b)) if "calls" not in self.otherwise else self.turned(a, b)
        text = f"I write. [ref {self.mark}]"
        story.start()
        story.ask(story.user())
        story.reply(a, b, text=text, step=1)
        for call in does("ran", (0, 1)):
            story.ran((a, b)[call])
        said = tuple(
            SaidCall(id=call.id, name=call.tool, arguments=does("spells", str)(call.arguments))
            for call in calls
        )
        kept = Message(role="assistant", text=does("text", text), calls=said)
        if does("asks", True):
            story.ask(story.user(), kept, *(story.result(call.id) for call in (a, b)))
            story.reply(text="Done.", step=2)
        story.end(does("end", "completed"))

    def turned(self, *calls: Any) -> tuple[Any, ...]:
        return tuple(calls[at] for at in self.otherwise["calls"])


def seen(**otherwise: Any) -> Finding:
    """What is found where the whole form does `otherwise`."""
    one, other = Story(), Story()
    Form("call_a", "aaaaaaaa").tell(one)
    Form("call_b", "bbbbbbbb", **otherwise).tell(other)
    return compare(scenario(), tuple(one.history.entries), tuple(other.history.entries))


def spaced(arguments: str) -> str:
    return json.dumps(json.loads(arguments), indent=1)


def test_ids_marks_and_spaces_of_json_make_no_difference() -> None:
    finding = seen(spells=spaced)
    assert finding.verdict is Verdict.HELD
    assert (finding.check, finding.claim) == (NAME, "P3")
    assert finding.positions


DIFFERENCES: Mapping[str, tuple[dict[str, Any], str]] = {
    "text is lost beside calls": (
        {"text": ""},
        "of step 1 the next request holds 'I write.', append_file",
    ),
    "calls change places": ({"calls": (1, 0)}, "of step 1 the next request holds"),
    "an argument changes": (
        {"spells": lambda arguments: arguments.replace("x", "z")},
        "of step 1 the next request holds",
    ),
    "a call is lost": ({"calls": (0,)}, "of step 1 the next request holds"),
    "a tool runs in one form only": (
        {"ran": (0,)},
        'append_file({"line":"y","path":"notes.txt"}) ran 1 times streamed, and 0 times whole',
    ),
    "the turn ends otherwise": (
        {"end": "max_tokens"},
        "turn 0 ends as completed streamed, and as max_tokens whole",
    ),
    "no request follows": ({"asks": False}, "step 2 was asked for in the streamed play only"),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_what_differs_is_told(name: str) -> None:
    otherwise, sentence = DIFFERENCES[name]
    finding = seen(**otherwise)

    assert finding.verdict is Verdict.BROKEN
    assert sentence in finding.sentence


def test_parallel_calls_may_arrive_in_any_order() -> None:
    assert seen(ran=(1, 0)).verdict is Verdict.HELD


def ran(*lines: str) -> Story:
    """A play in which a tool ran with each of these lines."""
    story = Story()
    call = story.append("call_1", "x")
    story.start()
    story.ask(story.user())
    story.reply(call, step=1)
    for line in lines:
        story.ran(story.append("call_1", line))
    story.end("completed")
    return story


def of_tools(one: Story, other: Story, **changes: Any) -> Finding:
    return compare(scenario(**changes), tuple(one.history.entries), tuple(other.history.entries))


def test_which_of_parallel_calls_a_fault_of_a_tool_strikes_is_a_race() -> None:
    one, other = ran("x", "x", "y"), ran("x", "y", "y")
    faults = [{"kind": "gateway_timeout_before_effect", "at": "any tool"}]

    assert of_tools(one, other).verdict is Verdict.BROKEN
    assert of_tools(one, other, faults=faults).verdict is Verdict.HELD
    assert "0 times whole" in of_tools(one, ran("x"), faults=faults).sentence


def test_long_arguments_are_compared_to_their_end() -> None:
    long = "x" * 500
    sentence = of_tools(ran(long), ran(long + "y")).sentence

    assert "1 times streamed, and 0 times whole" in sentence
    assert "…" in sentence


def test_a_play_without_any_request_tells_nothing() -> None:
    one = Story()
    Form("call_a", "aaaaaaaa").tell(one)
    finding = compare(scenario(), tuple(one.history.entries), ())

    assert finding.verdict is Verdict.UNKNOWN
    assert finding.sentence == "the whole play made no request"


EVENTS = [
    ({"at": "call_arrived", "do": "kill"}, "a kill strikes"),
    ({"at": "reply_sent", "do": "cancel"}, "a cancel strikes"),
    ({"at": "chunk:2", "do": "steer", "text": "Stop."}, "the landmark chunk:2"),
]


@pytest.mark.parametrize(("event", "reason"), EVENTS)
def test_what_strikes_at_a_moment_of_one_form_is_not_compared(
    event: dict[str, Any], reason: str
) -> None:
    told = why_not(scenario(events=[event]))

    assert (told or "").startswith(reason)
    assert compare(scenario(events=[event]), (), ()).verdict is Verdict.NOT_APPLICABLE


OF_SENDING = [kind for kind, one in KINDS.items() if issubclass(one, (StreamFault, ByteFault))]


def test_there_are_faults_of_streams_and_of_bytes() -> None:
    assert {"gapped_indexes", "sliced_bytes"} <= {*OF_SENDING}


@pytest.mark.parametrize("kind", OF_SENDING)
def test_faults_in_how_a_reply_is_sent_are_not_compared(kind: str) -> None:
    told = why_not(scenario(faults=[{"kind": kind, "at": "step 1"}]))

    assert told == f"the fault {kind} lies in how a reply is sent, which is what differs"


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "truncated_arguments", "at": "step 1"},
        {"kind": "rate_limited", "at": "step 1"},
        {"kind": "tool_exception", "at": "any tool"},
    ],
)
def test_faults_of_model_http_and_tools_are(fault: dict[str, Any]) -> None:
    assert why_not(scenario(faults=[fault])) is None
