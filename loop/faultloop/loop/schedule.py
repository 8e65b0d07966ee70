"""What may start now (SPEC C5, S1, S3, S5, S6).

A batch is a queue in the model's order. Calls that are declared safe for their arguments overtake
nothing but may run beside each other; an exclusive call is a barrier: it waits for everything
before it, and everything after it waits. Nothing here awaits or remembers: the engine asks again
after every change, and each time every waiting call is classified anew, so that a call is judged
by what its contract says right before it starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from faultloop.loop.contract import Contract
from faultloop.loop.strict_json import copied

Mode = Literal["parallel", "exclusive"]
Progress = Literal["waiting", "running", "ok", "failed"]
"""`failed`: ended in any way but ok, also never executed or of unknown outcome."""

WholeBatch = Literal["per_call", "one_sequential_serialises", "all_read_only"]
"""SPEC S6. `per_call`: no whole-batch rule. `one_sequential_serialises`: one exclusive call makes
the batch sequential. `all_read_only`: parallel only if all are read-only, safe and valid."""

POOL = 8
"""How many calls of one batch run at a time, unless a policy says otherwise."""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A call that passed every check before it, or that must still be seen to end."""

    call: str
    """Its identity within the batch."""
    contract: Contract | None
    """None: there is no such tool."""
    args: dict[str, Any] | None
    """None: they were rejected."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What the engine does next with the batch."""

    start: tuple[str, ...] = ()
    """Calls that may start now, in the model's order."""
    refuse: Mapping[str, str]
    """Calls that will never start, each with the tool whose failure is to blame (SPEC S3)."""


class _Asks(NamedTuple):
    """What a call asks of those beside it."""

    mode: Mode
    resource: str | None = None
    """What it changes; of an exclusive call nobody needs to know."""


_TO_BE_ALONE = _Asks("exclusive")


def classify(contract: Contract | None, args: dict[str, Any] | None) -> Mode:
    """Parallel only if the contract says exactly True for valid arguments (SPEC C5)."""
    return _asked(contract, args).mode


def _asked(contract: Contract | None, args: dict[str, Any] | None) -> _Asks:
    if contract is None or args is None:
        return _TO_BE_ALONE
    declared = contract.concurrency_safe
    try:
        safe = declared(copied(args)) if callable(declared) else declared
        resource = _resource(contract, args)
    except Exception:  # the declaration's own code: what it cannot answer counts as undeclared
        return _TO_BE_ALONE
    return _Asks("parallel", resource) if safe is True else _TO_BE_ALONE


def decide(
    batch: Sequence[Planned],
    progress: Mapping[str, Progress],
    *,
    pool: int = POOL,
    whole_batch: WholeBatch = "per_call",
) -> Decision:
    """Say which waiting calls may start, and which never will.

    `batch` is all of the model's calls in its order, `progress` tells where each of them is.
    """
    states = dict(progress)
    refuse: dict[str, str] = {}
    for place, planned in enumerate(batch):
        if states[planned.call] == "waiting":
            culprit = _depended_on(batch, place, states, "failed")
            if culprit is not None:
                refuse[planned.call] = culprit
                states[planned.call] = "failed"  # and so for those that depend on it in turn
    asked = _all_asked(batch, whole_batch)
    return Decision(start=_startable(batch, states, asked, pool), refuse=refuse)


def in_the_way(planned: Planned, strays: Iterable[Planned]) -> Planned | None:
    """Work of an earlier call that could not be stopped and forbids this one to start beside it.

    It keeps the place that it had: what is exclusive never runs beside anything, and what changes
    the same resource waits for it. Waiting could take for ever, so the call is to be refused.
    """
    mode, resource = _asked(planned.contract, planned.args)
    for stray in strays:
        if mode == "exclusive" or (resource is not None and resource == _resource_if_known(stray)):
            return stray
    return None


def _startable(
    batch: Sequence[Planned],
    states: Mapping[str, Progress],
    asked: Sequence[_Asks],
    pool: int,
) -> tuple[str, ...]:
    start: list[str] = []
    active = sum(1 for state in states.values() if state == "running")
    held: set[str] = set()
    all_over = True
    for place, planned in enumerate(batch):
        state = states[planned.call]
        if state in ("ok", "failed"):
            continue
        mode, resource = asked[place]
        if mode == "exclusive":
            if state == "waiting" and all_over and active == 0:
                start.append(planned.call)
            break  # the barrier: whatever comes after it waits for it
        all_over = False
        blocked = (
            active >= pool
            or resource in held
            or _depended_on(batch, place, states, "waiting", "running") is not None
        )
        if state == "waiting" and not blocked:
            start.append(planned.call)
            active += 1
        if resource is not None:
            held.add(resource)  # also while it waits: mutations of one thing keep their order
    return tuple(start)


def _all_asked(batch: Sequence[Planned], whole_batch: WholeBatch) -> list[_Asks]:
    asked = [_asked(planned.contract, planned.args) for planned in batch]
    if whole_batch == "per_call":
        return asked
    one_is_sequential = _TO_BE_ALONE in asked
    serial = {
        "one_sequential_serialises": one_is_sequential,
        "all_read_only": one_is_sequential or not all(map(_read_only, batch)),
    }[whole_batch]
    return [_TO_BE_ALONE] * len(batch) if serial else asked


def _depended_on(
    batch: Sequence[Planned], place: int, states: Mapping[str, Progress], *wanted: Progress
) -> str | None:
    """The first tool that this call depends on whose earlier call is in one of these states."""
    contract = batch[place].contract
    needed = contract.depends_on if contract is not None else ()
    for other in batch[:place] if needed else ():
        name = other.contract.name if other.contract is not None else None
        if name in needed and states[other.call] in wanted:
            return name
    return None


def _resource(contract: Contract | None, args: dict[str, Any] | None) -> str | None:
    """What the call changes; only asked of calls for which `classify` had an answer."""
    if contract is None or contract.resource is None or args is None:
        return None
    return contract.resource(copied(args))


def _resource_if_known(planned: Planned) -> str | None:
    try:
        return _resource(planned.contract, planned.args)
    except Exception:  # the declaration's own code, as in `classify`
        return None


def _read_only(planned: Planned) -> bool:
    return planned.contract is not None and planned.contract.read_only
