"""Deltas in any shape, one message out (SPEC P2, P3, P11)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.assembler import MISSING_NAME, TOKENS_MAX, Assembler, Ending, Reply
from faultloop.loop.message import Call, FinishReason
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    TextDelta,
    UsageDelta,
)

DONE = (FinishDelta("tool_calls", "tool_calls"), EndDelta())


def assemble(*deltas: Delta, taken: tuple[str, ...] = ()) -> Reply:
    assembler = Assembler("m1", taken=taken)
    for delta in deltas:
        assembler.feed(delta)
    return assembler.finish()


def calls(*deltas: Delta) -> list[tuple[str, str, str]]:
    found = assemble(*deltas, *DONE).message.calls
    return [(call.id, call.name, call.arguments) for call in found]


A = ("a", "read", "{}")
B = ("b", "write", '{"x":1}')

PILES: list[tuple[str, list[CallDelta], list[tuple[str, str, str]]]] = [
    ("id and name first, arguments after", [
        CallDelta(0, "a", "read"), CallDelta(0, arguments="{"), CallDelta(0, arguments="}"),
    ], [A]),
    ("whole calls", [CallDelta(0, *A), CallDelta(1, *B)], [A, B]),
    ("interleaved", [
        CallDelta(0, "a", "read"), CallDelta(1, "b", "write"), CallDelta(1, arguments='{"x"'),
        CallDelta(0, arguments="{}"), CallDelta(1, arguments=":1}"),
    ], [A, B]),
    ("gapped and out of order", [CallDelta(7, *B), CallDelta(2, *A)], [A, B]),
    ("id and name repeated in every delta", [
        CallDelta(0, "a", "read", "{"), CallDelta(0, "a", "read", "}"),
    ], [A]),
    ("name in pieces", [CallDelta(0, "a", "re"), CallDelta(0, None, "ad"),
                        CallDelta(0, None, None, "{}")], [A]),
    ("name growing", [CallDelta(0, "a", "re"), CallDelta(0, "a", "read", "{}")], [A]),
    ("id after the name", [CallDelta(0, None, "read"), CallDelta(0, "a", None, "{}")], [A]),
    ("no index, told apart by id", [
        CallDelta(None, "a", "read"), CallDelta(None, "b", "write"),
        CallDelta(None, "a", None, "{}"), CallDelta(None, "b", None, '{"x":1}'),
    ], [A, B]),
    ("no index, ids only at the beginning", [
        CallDelta(None, "a", "read"), CallDelta(None, arguments="{}"),
        CallDelta(None, "b", "write"), CallDelta(None, arguments='{"x":1}'),
    ], [A, B]),
    ("one index for every call", [CallDelta(0, *A), CallDelta(0, *B)], [A, B]),
    ("one index for every call, interleaved", [
        CallDelta(0, "a", "read"), CallDelta(0, "b", "write"),
        CallDelta(0, "a", None, "{}"), CallDelta(0, "b", None, '{"x":1}'),
    ], [A, B]),
    ("a new id for every chunk", [
        CallDelta(0, "a", "read"), CallDelta(0, "zz", None, "{"), CallDelta(0, "yy", None, "}"),
    ], [A]),
    ("one index, and the second id comes late", [
        CallDelta(0, *A), CallDelta(0, None, "write", '{"x"'), CallDelta(0, "b", None, ":1}"),
    ], [A, B]),
    ("empty chunks", [CallDelta(0), CallDelta(0, *A), CallDelta(3), CallDelta(None, "", "")], [A]),
]  # fmt: skip


@pytest.mark.parametrize(("deltas", "expected"), [row[1:] for row in PILES], ids=lambda _: "")
def test_each_delta_falls_on_its_own_call(
    deltas: list[CallDelta], expected: list[tuple[str, str, str]]
) -> None:
    assert calls(*deltas) == expected


def test_a_name_that_comes_after_the_arguments_is_still_their_calls() -> None:
    late = (CallDelta(0, "a"), CallDelta(0, arguments='{"x":1}'), CallDelta(0, name="read"))
    assert calls(*late) == [("a", "read", '{"x":1}')]


def test_missing_ids_and_names_get_recognisable_stand_ins() -> None:
    first, second = assemble(
        CallDelta(0, None, "read", "{}"), CallDelta(1, "b", None, "{}"), *DONE
    ).message.calls
    assert first.id.startswith("missing_id_")
    assert (second.id, second.name) == ("b", MISSING_NAME)
    (bare,) = calls(CallDelta(0, arguments='{"x"'), CallDelta(0, arguments=":1}"))
    assert bare[1:] == (MISSING_NAME, '{"x":1}')


def test_two_calls_without_ids_or_indexes_stay_two() -> None:
    found = assemble(
        CallDelta(None, None, "read", '{"n":1}'), CallDelta(None, None, "read", '{"n":2}'), *DONE
    ).message.calls
    assert [call.arguments for call in found] == ['{"n":1}', '{"n":2}']
    assert len({call.id for call in found}) == 2


def test_an_id_is_never_used_twice_in_a_conversation() -> None:
    found = assemble(
        CallDelta(0, "a", "x"), CallDelta(1, "a", "y"), CallDelta(2, "old", "z"), *DONE,
        taken=("old",),
    ).message.calls  # fmt: skip
    assert found[0].id == "a"
    assert found[1].id.startswith("reused_id_")
    assert found[2].id.startswith("reused_id_")
    assert len({call.id for call in found}) == 3


def test_stand_ins_are_the_same_each_time_and_short_enough_for_any_provider() -> None:
    deltas = (CallDelta(0, None, "read", "{}"), *DONE)
    once, again = assemble(*deltas).message.calls, assemble(*deltas).message.calls
    assert once == again
    assert len(once[0].id) <= 40


ENDINGS: list[tuple[tuple[Delta, ...], Ending, FinishReason | None]] = [
    ((FinishDelta("tool_calls", "tool_calls"), EndDelta()), "whole", "tool_calls"),
    ((FinishDelta("stop", "stop"), EndDelta()), "whole", "stop"),  # P11: the calls decide
    ((FinishDelta("other", "pause"), EndDelta()), "whole", "other"),
    ((FinishDelta("tool_calls", "tool_calls"),), "whole", "tool_calls"),
    ((EndDelta(),), "whole", None),
    ((FinishDelta("length", "length"), EndDelta()), "cut", "length"),
    ((FinishDelta("content_filter", "content_filter"),), "cut", "content_filter"),
    ((FinishDelta("stop", "stop"), FinishDelta("length", "length")), "cut", "length"),
    ((FinishDelta("length", "length"), FinishDelta("stop", "stop")), "cut", "length"),
    ((), "broken", None),
]


@pytest.mark.parametrize(("end", "ending", "reason"), ENDINGS)
def test_only_a_proper_end_completes_the_calls(
    end: tuple[Delta, ...], ending: Ending, reason: FinishReason | None
) -> None:
    reply = assemble(CallDelta(0, *A), *end)
    assert [(call.id, call.name, call.arguments) for call in reply.message.calls] == [A]
    assert reply.ending == ending
    assert reply.message.finish_reason == reason
    assert reply.message.truncated == (ending == "cut")


def test_what_comes_after_the_end_is_ignored_but_usage_counts() -> None:
    late = (TextDelta("late"), CallDelta(0, None, None, "}"), CallDelta(5, *B))
    reply = assemble(
        TextDelta("hi"), CallDelta(0, *A), FinishDelta("tool_calls", "tool_calls"), *late,
        UsageDelta(10, 5, 4), EndDelta(), *late,
    )  # fmt: skip
    assert reply.message.text == "hi"
    assert reply.message.calls == (Call(id="a", name="read", arguments="{}"),)
    assert reply.usage == UsageDelta(10, 5, 4)


def test_a_character_whose_halves_came_apart_is_joined_and_a_lone_half_is_replaced() -> None:
    reply = assemble(
        TextDelta("\ud83d"), TextDelta("\ude00 \ud83d!"),
        CallDelta(0, "a", "read", '{"x":"\ud83d'), CallDelta(0, None, None, '\ude00"}'), *DONE,
    )  # fmt: skip
    assert reply.message.text == "😀 \ufffd!"
    assert reply.message.calls[0].arguments == '{"x":"😀"}'


@given(data=st.data())
def test_any_slicing_and_interleaving_gives_the_same_message(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(max_size=20), min_size=1, max_size=4), label="arguments")
    indexes = data.draw(
        st.lists(st.integers(0, 20), min_size=len(texts), max_size=len(texts), unique=True)
    )
    numbered = list(zip(indexes, texts, strict=True))
    streams: list[list[Delta]] = [slices(data, text, index) for index, text in numbered]
    said = data.draw(st.text(max_size=20), label="text")
    streams.append([TextDelta(piece) for piece in cuts(data, said)])
    dealt: list[Delta] = []
    while any(streams):
        dealt.append(data.draw(st.sampled_from([s for s in streams if s]), label="next").pop(0))
    reply = assemble(*dealt, *DONE)
    assert reply.message.text == clean(said)
    assert [(call.id, call.name, call.arguments) for call in reply.message.calls] == [
        (f"id{index}", f"tool{index}", clean(text)) for index, text in sorted(numbered)
    ]


def slices(data: st.DataObject, text: str, index: int) -> list[Delta]:
    """One call's deltas: id and name in the first, perhaps again later, never lost."""
    pieces = ["", *cuts(data, text)]
    again = data.draw(st.booleans(), label="repeats id and name")
    return [
        CallDelta(
            index,
            f"id{index}" if again or number == 0 else None,
            f"tool{index}" if again or number == 0 else None,
            piece,
        )
        for number, piece in enumerate(pieces)
    ]


def cuts(data: st.DataObject, text: str) -> list[str]:
    places = data.draw(st.lists(st.integers(0, len(text)), max_size=4), label="cuts")
    bounds = [0, *sorted(places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def clean(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def test_half_a_character_in_an_id_is_replaced_and_ids_stay_apart() -> None:
    reply = assemble(CallDelta(0, "a\ud800", "x", "{}"), CallDelta(1, "a\ud801", "y", "{}"), *DONE)
    first, second = (call.id for call in reply.message.calls)
    assert first == "a\ufffd"
    assert second.startswith("reused_id_")


def test_counts_that_cannot_be_are_brought_within_bounds() -> None:
    reply = assemble(TextDelta("hi"), UsageDelta(-7, 10**30, -3), *DONE)
    assert reply.usage == UsageDelta(0, TOKENS_MAX, 0)


def test_counts_are_known_also_of_a_reply_that_never_ends() -> None:
    assembler = Assembler("m1")
    assembler.feed(TextDelta("half"))
    assert assembler.usage is None
    assembler.feed(UsageDelta(10, 5))
    assert assembler.usage == UsageDelta(10, 5)
