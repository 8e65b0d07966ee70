"""A round begins only for an idle loop, an active and armed goal, no prompt, and rounds left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from faultloop.bench.drills.kit.drill import Drill
from faultloop.bench.drills.kit.model import Line, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play
from faultloop.loop.events import GoalPhase, GoalRound, InputQueued, StepStarted, TurnEnded
from faultloop.loop.providers.port import ProviderFailure
from faultloop.loop.run_events import AnyRunEvent, GoalArmed, MessageEnded, WentIdle

TROUBLES: dict[str, Line] = {
    "error": [ProviderFailure("rejected", "400")],
    "max_tokens": say("half a", finish="length"),
    "blocked": say("no", finish="content_filter"),
}
"""By the end that it brings: what the model does in the first round. No second one may follow."""

QUIET: tuple[GoalPhase, ...] = ("paused", "blocked", "complete")


def run(kit: Kit) -> Iterator[str]:
    """As many rounds as there are; a prompt in between; then what disarms a goal."""
    yield from _rounds(kit)
    yield from _prompt_first(kit)
    for reason, line in TROUBLES.items():
        yield from _disarmed(kit, reason, line)
    for phase in QUIET:
        yield from _moved(kit, phase)


def _rounds(kit: Kit) -> Iterator[str]:
    session = Session(kit, *(say("not yet") for _ in range(9)))

    async def story() -> None:
        agent = session.listened()
        await agent.set_goal("all green", rounds_max=3)
        await agent.idle()

    play(story)
    if (rounds := len(session.of(GoalRound))) != 3:
        yield f"a goal of 3 rounds had {rounds}"
    if (causes := {event.cause for event in session.of(StepStarted)}) != {"goal"}:
        yield f"the steps of rounds are recorded as {sorted(causes)}"
    lanes = {event.lane for event in session.of(InputQueued)}
    if lanes != {"next_turn"}:
        yield f"rounds entered through {sorted(lanes)}, not as follow-ups"
    idles = sum(isinstance(event, WentIdle) for event in session.heard)
    if idles != len(session.of(TurnEnded)):
        yield f"between {len(session.of(TurnEnded))} rounds the loop was idle {idles} times"
    armed = [event.armed for event in session.heard if isinstance(event, GoalArmed)]
    if armed != [True, False]:
        yield f"arming and disarming were told as {armed}"


def _prompt_first(kit: Kit) -> Iterator[str]:
    session = Session(kit, *(say("not yet") for _ in range(9)))

    async def ask(event: AnyRunEvent) -> None:
        if isinstance(event, MessageEnded) and len(session.of(StepStarted)) == 1:
            await agent.follow_up("a question")

    async def story() -> None:
        agent.subscribe(ask)
        await agent.set_goal("all green", rounds_max=2)
        await agent.idle()

    agent = session.agent()
    play(story)
    if (causes := [event.cause for event in session.of(StepStarted)]) != PROMPT_FIRST:
        yield f"a prompt came during a round; then the steps were for {causes}, not {PROMPT_FIRST}"


PROMPT_FIRST = ["goal", "follow_up", "goal"]


def _disarmed(kit: Kit, reason: str, line: Line) -> Iterator[str]:
    session = Session(kit, line, say("again"), say("and again"), truncation="end")

    async def story() -> bool:
        agent = session.agent()
        await agent.set_goal("all green", rounds_max=3)
        await agent.idle()
        return agent.pursuing.armed

    armed = play(story)
    ends: list[Any] = [event.end_reason for event in session.of(TurnEnded)]
    if ends != [reason]:
        yield f"a round that ended as {reason} was followed by others: {ends}"
    if armed:
        yield f"a goal stayed armed after a round that ended as {reason}"


def _moved(kit: Kit, phase: GoalPhase) -> Iterator[str]:
    session = Session(kit, say("one"), say("two"), say("three"))

    async def story() -> None:
        agent = session.agent()
        await agent.set_goal("all green", rounds_max=3, armed=False)
        await agent.move_goal(phase, "the user said so")
        await asyncio.sleep(60)
        await agent.prompt("a question")
        await agent.idle()

    play(story)
    if rounds := len(session.of(GoalRound)):
        yield f"a goal that is {phase} began {rounds} rounds"


DRILL = Drill(
    name="rounds-begin-when-due",
    claim="a round begins only for an idle loop, an active armed goal, no prompt, and rounds left",
    claims=("G2", "L10"),
    evidence="journal",
    run=run,
)
