"""Uncertain calls: invocations of which the loop cannot know from the world how they ended.

Four ways lead there: an answer that leaves it open (504, or a broken connection), a kill between
the arrival and the moment at which the loop could have recorded the answer, letting go of the call,
and a start that was over before the answer came. Calls of tools that only read are never uncertain:
nothing hangs on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from faultloop.scenarios.views import Invocation, Views


class Uncertain(NamedTuple):
    """One such invocation."""

    invocation: Invocation
    why: str
    since: int
    """The position from which on it was uncertain."""


def uncertain_in(views: Views, changes_world: Callable[[str], bool]) -> list[Uncertain]:
    """The uncertain invocations of tools that may change the world, in order of arrival."""
    found = []
    for one in views.invocations:
        if one.call is not None and one.ran and changes_world(one.tool):
            uncertain = _judge(views, one)
            if uncertain is not None:
                found.append(uncertain)
    return found


def _judge(views: Views, one: Invocation) -> Uncertain | None:
    start = views.start(one.start)
    ended = start.ended.position if start and start.ended else None
    if one.answered is not None and one.answered.outcome == "unknown":
        return Uncertain(one, f"was answered {one.answered.how}", one.answered.position)
    if start is not None and start.killed and ended is not None:
        following = views.request_after(one.position)
        # A request of the same start shows that the loop went on with the result in its hands.
        if one.answered is None or following is None or following.start != one.start:
            return Uncertain(one, "was under way when the process was killed", ended)
    if one.answered is None and one.abandoned is not None:
        return Uncertain(one, "was let go of before it was answered", one.abandoned.position)
    if one.answered is None and ended is not None:
        return Uncertain(one, "was not answered before the start was over", ended)
    return None
