"""An event that is cut on its way, where a dialect says its items again and where it does not."""

import json
from typing import Any

import pytest

from faultloop.fakes.answers import Said
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Frame
from faultloop.fakes.dialects.showing import sent
from faultloop.fakes.faults.malformed_event import MalformedEvent
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Delta,
    EndMark,
    Item,
    Reply,
    ReplyCall,
    Stall,
    Text,
    pieces,
)

FRAME = Frame(created_s=1_767_225_600, model="fake-model")
CALL = ReplyCall(
    id="call_1", tool="append_file", arguments='{"path": "b.md", "line": "By the whole team."}'
)
REPLY = Reply(
    id="r",
    turn=0,
    step=1,
    text="I add it, and then I look at it.",
    calls=(CALL,),
    finish="tool_calls",
)
PIECES = tuple(pieces(REPLY))
RESPONSES = DIALECTS["openai_responses"]


def garble(at: int, items: tuple[Item, ...] = PIECES) -> tuple[Item, ...]:
    return MalformedEvent(at="step 1", after_deltas=at).shape(items)


def places(kind: type[Delta]) -> list[int]:
    return [at for at, item in enumerate(PIECES) if isinstance(item, kind)]


def events(at: int) -> list[dict[str, Any] | None]:
    """What a client reads of it; None where the data is no JSON."""
    (spelt,) = sent(RESPONSES, FRAME, REPLY, garble(at))
    assert isinstance(spelt, bytes)
    lines = spelt.decode().splitlines()
    return [read(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def read(text: str) -> dict[str, Any] | None:
    try:
        return json.loads(text)
    except ValueError:
        return None


def complete(dialect: str, at: int) -> tuple[str, ...]:
    said = Said(
        request=1,
        reply=REPLY,
        items=garble(at),
        streaming=True,
        frame=FRAME,
        repeats=DIALECTS[dialect].repeats,
    )
    return said.ending(len(PIECES)).calls_complete


@pytest.mark.parametrize("at", [*places(Text), *places(CallBegan), *places(CallArguments)])
def test_a_response_says_all_of_it_again_though_one_event_is_lost(at: int) -> None:
    seen = events(at)
    last = seen[-1]

    assert seen.count(None) == 1
    assert last is not None
    assert last["response"]["output"] == json.loads(RESPONSES.whole(REPLY, FRAME))["output"]
    assert [
        (one["name"], one["arguments"])
        for event in seen
        if event is not None and event["type"] == "response.output_item.done"
        for one in [event["item"]]
        if one["type"] == "function_call"
    ] == [(CALL.tool, CALL.arguments)]


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        (places(Text)[0], "response.output_text.delta"),
        (places(CallBegan)[0], "response.output_item.added"),
        (places(CallArguments)[-1], "response.function_call_arguments.delta"),
    ],
)
def test_what_is_lost_is_the_event_of_its_delta_and_none_beside_it(at: int, kind: str) -> None:
    meant, seen = events(len(PIECES)), events(at)
    (lost,) = [one for one, other in zip(meant, seen, strict=True) if other is None]

    assert lost is not None
    assert lost["type"] == kind
    assert [one for one in meant if one is not lost] == [one for one in seen if one is not None]


@pytest.mark.parametrize("at", places(CallArguments))
def test_a_piece_that_is_lost_leaves_a_hole_only_where_nothing_is_said_again(at: int) -> None:
    assert complete("openai_chat", at) == ()
    assert complete("anthropic_messages", at) == ()
    assert complete("openai_responses", at) == (CALL.id,)


def test_the_last_event_is_not_said_again() -> None:
    assert events(places(EndMark)[0])[-1] is None


def test_only_an_event_can_be_cut() -> None:
    items = (PIECES[0], Stall(1.0), *PIECES[1:])

    assert garble(1, items) == items
