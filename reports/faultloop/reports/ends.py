"""What a scenario accepts and what happened, each in one sentence for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from faultloop.fakes.history import Ended
from faultloop.reports.rows import Played

_TOLD = {
    "unknown": "the model is told that the outcome is unknown",
    "true": "the model is told nothing false about it",
}


def accepted(scenario: Mapping[str, Any]) -> list[str]:
    """One sentence for each acceptable way to go (field `accept` of a scenario file)."""
    return [_alternative(alternative) for alternative in scenario.get("accept", ())]


def happened(played: Played) -> str:
    """How the play went, in the order in which a reader asks: ends, requests, effects."""
    ends = [_end(entry) for entry in played.history if isinstance(entry, Ended)]
    if not ends:
        return "It was not played."
    later = f", then {', '.join(ends[1:])}" if len(ends) > 1 else ""
    faults = played.record.faults_fired
    struck = f"; struck by {_listed(faults, 'and').replace('_', ' ')}" if faults else ""
    return (
        f"Its first start {ends[0]}{later}; {_counted(played.requests, 'request')} and "
        f"{_counted(played.effects, 'effect')} in all{struck}."
    )


def _alternative(alternative: Mapping[str, Any]) -> str:
    parts: list[str] = []
    if reasons := alternative.get("end_reason"):
        parts.append(f"ends as {_listed(reasons, 'or')}")
    if (effects := alternative.get("effects")) is not None:
        parts.append(f"{_extent(effects, 'effect')} in the ledger")
    if (replies := alternative.get("replies")) is not None:
        parts.append(f"{_extent(replies, 'reply')} in the first turn")
    if told := alternative.get("told"):
        parts.append(_TOLD.get(told, str(told)))
    if reasons := alternative.get("next_turn"):
        parts.append(f"the next turn ends as {_listed(reasons, 'or')}")
    return "; ".join(parts) or "any end"


def _end(entry: Ended) -> str:
    if entry.how == "killed":
        return "was killed"
    if entry.how == "did_not_end":
        return "did not end"
    if entry.account.end_reason is None:
        return f"gave no reason (exit {entry.exit_code})"
    return f"ended as {entry.account.end_reason}"


def _extent(extent: int | Sequence[int], noun: str) -> str:
    if isinstance(extent, int):
        return _counted(extent, noun)
    least, most = extent
    return f"{least} to {_counted(most, noun)}" if least != most else _counted(most, noun)


def _listed(words: Sequence[str] | str, last: str) -> str:
    listed = [words] if isinstance(words, str) else list(words)
    return f" {last} ".join(filter(None, [", ".join(listed[:-1]), listed[-1]]))


def _counted(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number or 'no'} {noun if number == 1 else plural}"
