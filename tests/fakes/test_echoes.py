"""Where a hosted script stands, told by what comes back of its words."""

from __future__ import annotations

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.echoes import Due, Echoes
from faultloop.fakes.reply import Reply, ReplyCall

U = Message(role="user", text="Go.")
T = Message(role="tool", text="done", result_of="id1")


def said(text: str, *ids: str) -> Message:
    calls = tuple(SaidCall(id=id_, name="t", arguments="{}") for id_ in ids)
    return Message(role="assistant", text=text, calls=calls)


def reply(text: str, *ids: str) -> Reply:
    calls = tuple(ReplyCall(id=id_, tool="t", arguments="{}") for id_ in ids)
    return Reply(id="r", turn=0, step=1, text=text, calls=calls, finish="stop")


STEPS = (reply("One."), reply("", "id1"), reply("Same."), reply("Same."), reply("Last."))


def echoes(steps: int, first: tuple[Message, ...] = (U,)) -> Echoes:
    """A conversation of which so many steps were said."""
    told = Echoes()
    told.met(first)
    for index in range(steps):
        told.said(index, STEPS[index])
    return told


ONE, CALLS, SAME = said("One."), said("", "id1"), said("Same.")


@pytest.mark.parametrize(
    ("so_far", "messages", "due"),
    [
        (0, (U,), Due(0, "first")),
        (1, (U,), Due(0, "first")),  # a retry
        (1, (U, ONE, U), Due(1, "mark")),
        (1, (U, said(" One.\n"), U), Due(1, "mark")),
        (2, (U, ONE, U, CALLS, T), Due(2, "mark")),
        (2, (CALLS, T), Due(2, "mark")),  # the beginning was dropped
        (3, (U, ONE, U, CALLS, T, SAME, U), Due(3, "mark")),
        (4, (U, ONE, U, CALLS, T, SAME, U, SAME, U), Due(4, "mark")),
        (5, (U, ONE, U, CALLS, T, SAME, U, SAME, U, said("Last."), U), Due(5, "mark")),
        (1, (U, said("Reworded."), U), Due(1, "count")),
        (4, (U, ONE, U, CALLS, T, said("Reworded."), U), Due(3, "count")),
        (1, (U, said(""), U), Due(0, "first")),  # nothing was said
        (1, (U, ONE, U, said("So I say:")), Due(1, "mark")),  # words put into its mouth
    ],
)
def test_the_step_that_is_due(so_far: int, messages: tuple[Message, ...], due: Due) -> None:
    assert echoes(so_far).due(messages, None) == due


def test_examples_that_the_first_request_brought_are_no_steps() -> None:
    examples = (U, said("Example."), U, said("Another."))
    told = echoes(1, (*examples, U))
    assert told.due((*examples, U), None) == Due(0, "first")
    assert told.due((*examples, U, ONE, U), None) == Due(1, "mark")
    assert told.due((*examples, U, said("Reworded."), U), None) == Due(1, "count")


def test_ids_of_calls_that_occur_anywhere_are_followed() -> None:
    told = echoes(4)
    flat = Message(role="user", text="You called id1 and it said done.")
    assert told.due((flat,), (1, 1)) is None, "the marks know better"
    assert told.due((U, ONE, flat, said("Reworded."), U), (1, 1)) == Due(3, "count")
    assert told.due((U, CALLS, T, SAME, U), (1, 1)) == Due(3, "mark")


def test_what_is_beside_the_script_is_no_step_of_it() -> None:
    told = echoes(1)
    told.said(-1, reply("(beside)"))
    assert told.due((U, said("(beside)"), U), None) == Due(1, "count")
