"""The assembler gives a call away once nothing can be added to it, and never before (SPEC L4)."""

from __future__ import annotations

import pytest

from faultloop.loop.assembler import Assembler
from faultloop.loop.providers.port import (
    CallDelta,
    FinishDelta,
)

from .test_each_item import more, piece

WHOLE: dict[str, tuple[list[CallDelta], list[str]]] = {
    "one call alone never is": ([piece(0, "{}"), more(0, "")], []),
    "a call after which another has begun is": ([piece(0, "{}"), piece(1, "")], ["{}"]),
    "half an object is not": ([piece(0, '{"x":'), piece(1, "{}"), piece(2, "")], []),
    "what comes after it does not overtake it": (
        [piece(0, '{"x":'), piece(1, "{}"), more(0, '"1"}'), piece(2, "")],
        ['{"x":"1"}', "{}"],
    ),
    "a number could go on": ([piece(0, "7"), piece(1, "")], []),
    "nothing at all is no object": ([piece(0, ""), piece(1, "{}"), piece(2, "")], []),
    "glued objects wait for what they mean": ([piece(0, "{}{}"), piece(1, "")], []),
    "a gap in the indexes may yet be filled": ([piece(1, "{}"), piece(3, "")], []),
    "one index for all is told apart by ids": (
        [
            CallDelta(0, id="a", name="act", arguments="{}"),
            CallDelta(0, id="b", name="act", arguments="{}"),
        ],
        ["{}"],
    ),
    "no index at all is told apart by ids": (
        [
            CallDelta(None, id="a", name="act", arguments="{}"),
            CallDelta(None, id="b", name="act", arguments=""),
        ],
        ["{}"],
    ),
    "a call without an id waits": (
        [CallDelta(0, name="act", arguments="{}"), CallDelta(1, id="b", name="act")],
        [],
    ),
}


@pytest.mark.parametrize(("deltas", "whole"), WHOLE.values(), ids=WHOLE.keys())
def test_a_call_is_whole_once_nothing_can_be_added_to_it(deltas, whole) -> None:
    assembler, settled = Assembler("1/1/1"), []
    for delta in deltas:
        assembler.feed(delta)
        settled += assembler.settled()
    assert [call.arguments for call in settled] == whole
    assert list(assembler.finish().message.calls[: len(whole)]) == settled


def test_what_comes_for_a_call_that_was_given_away_is_ignored() -> None:
    assembler = Assembler("1/1/1")
    for delta in (piece(0, "{}"), piece(1, "")):
        assembler.feed(delta)
    given_away = assembler.settled()
    for delta in (more(0, '{"y":1}'), piece(0, "", name="other"), piece(1, "{}")):
        assembler.feed(delta)
    assert assembler.finish().message.calls[:1] == given_away


def test_nothing_is_given_away_after_the_finish() -> None:
    assembler = Assembler("1/1/1")
    for delta in (piece(0, "{}"), piece(1, "{}"), FinishDelta("length", "length")):
        assembler.feed(delta)
    assert assembler.settled() == ()
