"""Cues: the bench acts when a landmark is passed.

Each trigger counts the passings that match it and acts once, at the one it names. A landmark is
passed by awaiting `reach`: what follows it does not happen before the deed is done, and must not
happen at all if the deed was a kill.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from faultloop.fakes.history import Acted, History
from faultloop.fakes.landmarks import Trigger


class Deeds(Protocol):
    """What the bench can do to the running start of a subject; given to the stage by the play."""

    async def kill(self, start: int) -> None:
        """End it at once."""
        ...

    async def cancel(self, start: int) -> None:
        """The user's cancel."""
        ...

    async def say(
        self, start: int, kind: Literal["message", "steer", "follow_up"], text: str
    ) -> None:
        """Input while it runs."""
        ...


class NoDeeds:
    """Nobody was started, so nobody can be killed, cancelled or told anything."""

    async def kill(self, start: int) -> None:
        """Raises AssertionError, as all of these: the plan has no triggers."""
        raise AssertionError("a plan without a subject has no triggers")

    async def cancel(self, start: int) -> None:
        """The same."""
        raise AssertionError("a plan without a subject has no triggers")

    async def say(self, start: int, kind: str, text: str) -> None:
        """The same."""
        raise AssertionError("a plan without a subject has no triggers")


class Cues:
    """The triggers of one play."""

    def __init__(self, triggers: tuple[Trigger, ...], deeds: Deeds, history: History) -> None:
        self._deeds = deeds
        self._history = history
        self._passed = [0] * len(triggers)
        self._acted = [False] * len(triggers)
        self._by_landmark: dict[str, list[tuple[int, Trigger]]] = {}
        for index, trigger in enumerate(triggers):
            self._by_landmark.setdefault(trigger.at, []).append((index, trigger))

    @property
    def staged(self) -> bool:
        """Whether there is a trigger at all."""
        return bool(self._acted)

    def watches(self, landmark: str) -> bool:
        """Whether any trigger waits for it; most landmarks of most plays pass unseen."""
        return landmark in self._by_landmark

    async def reach(
        self,
        landmark: str,
        *,
        start: int,
        step: int | None = None,
        tools: Sequence[str] = (),
        events: Sequence[str] = (),
    ) -> bool:
        """Pass a landmark. `step`, `tools` and `events` are those that this passing concerns.

        False: the start was killed here. Whatever was about to be said or done must not be.
        """
        for index, trigger in self._by_landmark.get(landmark, ()):
            if trigger.step not in (None, step):
                continue
            if trigger.tool is not None and trigger.tool not in tools:
                continue
            if trigger.event is not None and trigger.event not in events:
                continue
            self._passed[index] += 1
            if self._passed[index] == trigger.occurrence:
                self._acted[index] = True
                await self._act(index, trigger, start)
                if trigger.do == "kill":
                    return False
        return True

    def idle(self) -> tuple[int, ...]:
        """Indexes of triggers that never acted."""
        return tuple(index for index, acted in enumerate(self._acted) if not acted)

    async def _act(self, index: int, trigger: Trigger, start: int) -> None:
        self._history.add(
            Acted,
            start=start,
            trigger=index,
            do=trigger.do,
            landmark=trigger.at,
            text=trigger.text,
        )
        match trigger.do:
            case "kill":
                await self._deeds.kill(start)
            case "cancel":
                await self._deeds.cancel(start)
            case "steer" | "message" | "follow_up":
                await self._deeds.say(start, trigger.do, trigger.text)
