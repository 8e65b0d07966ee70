"""How the first turn of a play ended, and what failed where it ended as an error.

Two accounts of one end are told apart by it: `error` and `error` may be two different things, and
one of them the fault of who tells it.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable

from faultloop.fakes.history import AnyEntry, Ended, Started

NO_ACCOUNT = "no account"
"""What failed where a start wrote no result line: only how its process ended is known of it."""
WORDS_CHARS_MAX = 200
"""Of an error, where its words are kept."""
ANYBODYS = frozenset(
    (
        *(
            name
            for name, one in vars(builtins).items()
            if isinstance(one, type) and issubclass(one, BaseException)
        ),
        *("Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "URIError"),
    )
)
"""Kinds of errors that are Python's and JavaScript's own: a driver's mistake may raise any."""

_KIND = re.compile(r"[\w.]+(?=:|$)")


def first_end(history: Iterable[AnyEntry]) -> Ended | None:
    """Of the last start that played the first turn: a turn may be killed and then finished."""
    turn_of: dict[int, int] = {}
    last: Ended | None = None
    for entry in history:
        if isinstance(entry, Started):
            turn_of[entry.start] = entry.turn
        elif isinstance(entry, Ended) and turn_of.get(entry.start, 0) == 0:
            last = entry
    return last


def reason_of(end: Ended | None) -> str:
    """Why, by the subject's own account; `killed` or `did_not_end` without one."""
    if end is None:
        return ""
    return end.how if end.how != "exited" else end.account.end_reason or ""


def failed_with(end: Ended | None) -> str | None:
    """What a start that ended as `error` names as its error; None where it did not end so.

    Its kind (`ModelBehaviorError`); its words where it names none, or one of `ANYBODYS`;
    `NO_ACCOUNT` where the words are the bench's, for the start had none of its own.
    """
    if end is None or reason_of(end) != "error":
        return None
    said = end.account.error or ""
    if said in end.complaints:
        return NO_ACCOUNT
    named = _KIND.match(said)
    kind = named[0] if named else ""
    return kind if kind and kind not in ANYBODYS else said[:WORDS_CHARS_MAX]
