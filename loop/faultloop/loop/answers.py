"""What a hook may answer, point by point: a whole value, every field of it, or none at all (L13).

The hint of a type holds nobody back: a `Block` without a reason, an outcome that there is not, a
text where messages belong would all be found much later, by somebody who cannot say whose they
are. So each is looked at here, where the hook that gave it is still known.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TypeVar, cast, get_args

import msgspec
from msgspec.structs import replace

from faultloop.loop.hooks import Block, Entering, GoOn, Reject, Rerouted, Verdict
from faultloop.loop.message import Message
from faultloop.loop.providers.port import Delta, ModelRequest
from faultloop.loop.tools.port import ToolResult

T = TypeVar("T")


class NoAnswer(Exception):
    """What a hook answered is none of what it may answer, or it did not answer; says which."""


def entering(answer: object) -> Entering | Reject:
    """Of `pre_step`. Raises NoAnswer, as all of these do."""
    return cast(Entering | Reject, _whole(answer, Entering, Reject))


def messages(answer: object) -> tuple[Message, ...]:
    """Of `context`."""
    if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
        raise _none(answer)
    kinds = get_args(Message)
    return tuple(cast(Message, _whole(one, *kinds, goes_out=True)) for one in answer)


def rerouted(answer: object) -> Rerouted:
    """Of `request`. That the tools are the same is looked at where they are known."""
    if not isinstance(answer, Rerouted):
        raise _none(answer)
    if not isinstance(cast(object, answer.provider), str):
        raise _none(answer.provider)
    request = cast(object, answer.request)
    if not isinstance(request, ModelRequest):
        raise _none(request)
    _whole(replace(request, messages=(), tools=()), ModelRequest, goes_out=True)
    whole = messages(request.messages)
    if not isinstance(cast(object, request.messages), tuple):
        return replace(answer, request=replace(request, messages=whole))
    return answer


def stream(answer: object) -> AsyncIterator[Delta] | None:
    """Of `stream`."""
    if answer is None or isinstance(answer, AsyncIterator):
        return answer
    raise _none(answer)


def delta(answer: object) -> Delta:
    """Of the iterator that a `stream` hook answered with."""
    return cast(Delta, _whole(answer, *get_args(Delta)))


def verdict(answer: object) -> Verdict | None:
    """Of `request_error`."""
    if answer is None or answer in get_args(Verdict):
        return cast(Verdict | None, answer)
    raise NoAnswer(f"it answered {answer!r}, not one of {', '.join(get_args(Verdict))}")


def block(answer: object) -> Block | None:
    """Of `before_tool`."""
    return None if answer is None else _whole(answer, Block)


def result(answer: object) -> ToolResult:
    """Of `after_tool`."""
    return _whole(answer, ToolResult)


def going_on(answer: object) -> GoOn | None:
    """Of `stopping`."""
    return None if answer is None else _whole(answer, GoOn)


def _whole(answer: object, *kinds: type[T], goes_out: bool = False) -> T:
    """`goes_out`: as it stands, so that half a character in it could be sent to nobody."""
    if not isinstance(answer, kinds):
        raise _none(answer)
    try:
        if goes_out:
            msgspec.json.encode(answer)
        msgspec.convert(msgspec.to_builtins(answer), type(answer))
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as wrong:
        kind = type(answer).__name__
        raise NoAnswer(f"it answered with a {kind} that is none: {wrong}") from wrong
    return answer


def _none(answer: object) -> NoAnswer:
    return NoAnswer(f"it answered with a {type(answer).__name__}")
