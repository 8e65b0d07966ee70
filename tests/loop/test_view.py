"""Histories as they may be, and as a request must show them."""

from __future__ import annotations

import pytest

from faultloop.loop.message import AssistantMessage, Call, Notice, ResultMessage, UserMessage
from faultloop.loop.view import repaired
from faultloop.loop.wording import MISSING

USER = UserMessage(id="u", text="go")
NOTICE = Notice(text="careful")


def reply(*ids: str, text: str = "") -> AssistantMessage:
    calls = tuple(Call(id=name, name="act", arguments="{}") for name in ids)
    return AssistantMessage(id="m", text=text, calls=calls)


def result(call_id: str, content: str = "done") -> ResultMessage:
    return ResultMessage(call_id=call_id, content=content, ok=True)


def missing(call_id: str) -> ResultMessage:
    return ResultMessage(call_id=call_id, content=MISSING, ok=False)


REPAIRS = {
    "a valid pair is kept": (
        [USER, reply("a"), result("a"), reply(text="ok")],
        [USER, reply("a"), result("a"), reply(text="ok")],
    ),
    "an orphan result is dropped": (
        [USER, result("x"), reply(text="ok")],
        [USER, reply(text="ok")],
    ),
    "a result of another reply is dropped": (
        [reply("a"), result("a"), reply(text="ok"), result("a")],
        [reply("a"), result("a"), reply(text="ok")],
    ),
    "the first of two results is kept": (
        [reply("a"), result("a", "first"), result("a", "second")],
        [reply("a"), result("a", "first")],
    ),
    "missing results are filled in the order of the calls": (
        [reply("a", "b", "c"), result("b"), USER],
        [reply("a", "b", "c"), missing("a"), result("b"), missing("c"), USER],
    ),
    "results come in the order of the calls": (
        [reply("a", "b"), result("b"), result("a")],
        [reply("a", "b"), result("a"), result("b")],
    ),
    "what was said among results comes after them": (
        [reply("a", "b"), result("a"), NOTICE, USER, result("b")],
        [reply("a", "b"), result("a"), result("b"), NOTICE, USER],
    ),
    "an id may come again in a later reply": (
        [reply("a"), result("a", "1"), reply("a"), result("a", "2")],
        [reply("a"), result("a", "1"), reply("a"), result("a", "2")],
    ),
    "an empty reply is left out": ([USER, reply(), NOTICE, USER], [USER, NOTICE, USER]),
    "nothing is nothing": ([], []),
}


@pytest.mark.parametrize(("history", "shown"), REPAIRS.values(), ids=REPAIRS.keys())
def test_a_request_shows_every_call_with_one_result(history, shown) -> None:
    assert list(repaired(history)) == shown


@pytest.mark.parametrize("history", [case[0] for case in REPAIRS.values()], ids=REPAIRS.keys())
def test_what_was_repaired_needs_no_repair(history) -> None:
    once = repaired(history)
    assert repaired(once) == once


def test_a_missing_result_never_says_that_nothing_happened() -> None:
    assert "unknown" in MISSING
    assert "not executed" not in MISSING
