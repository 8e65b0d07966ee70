"""What recovery did, told from what it wrote to the journal (SPEC D2, D7)."""

from __future__ import annotations

from collections.abc import Sequence

from faultloop.loop.events import (
    AnyEvent,
    AttemptStarted,
    CallEnded,
    CallNotExecuted,
    TurnEnded,
)
from faultloop.loop.state import State


def account(before: State, wrote: Sequence[AnyEvent]) -> str | None:
    """Sentences for the person; None where nothing had been left open.

    `before`: the session as the vanished process left it.
    """
    ended = next((event for event in wrote if isinstance(event, TurnEnded)), None)
    if ended is None:
        return None
    tools = {record.call: record.tool or record.name for record in before.turn.batch}
    unknown = [
        tools.get(event.call, event.call)
        for event in wrote
        if isinstance(event, CallEnded) and event.outcome == "unknown"
    ]
    failed = [
        tools.get(event.call, event.call)
        for event in wrote
        if isinstance(event, CallEnded) and event.outcome != "unknown"
    ]
    queried = [
        tools.get(event.call or "", "?")
        for event in wrote
        if isinstance(event, AttemptStarted) and event.of == "query"
    ]
    waiting = [
        tools.get(event.call, event.call) for event in wrote if isinstance(event, CallNotExecuted)
    ]
    sentences = [
        f"The process that ran this session vanished in turn {ended.turn}, which recovery has"
        f" closed as {ended.end_reason}."
    ]
    if unknown:
        sentences.append(
            f"Nobody saw the end of {_several(unknown)}: the outcome is unknown. The model is told"
            " so, and nothing is run again by itself."
        )
    if queried:
        sentences.append(f"The world was asked what became of {_several(queried)}.")
    if failed:
        sentences.append(f"{_several(failed)} only read, and gave no answer.")
    if waiting:
        sentences.append(f"{_several(waiting)} had not started, and was not executed.")
    return " ".join(sentences)


def _several(names: Sequence[str]) -> str:
    return ", ".join(names)
