"""The subject's starts: how each ended, and what the bench did to it meanwhile.

An end that the loop did not account for is worded as subject contract v1 says: death by SIGINT
after a cancel is `aborted`, any other silence is `error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from faultloop.fakes.history import Acted, Ended, Started
from faultloop.scenarios.ends import INTERRUPT_EXITS
from faultloop.scenarios.views.kinds import Kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One start of the subject."""

    started: Started
    ended: Ended | None
    """None: the play was over before the start was."""
    acts: tuple[Acted, ...]
    """What the bench did while it ran."""

    @property
    def number(self) -> int:
        """Its number in the play, from 1."""
        return self.started.start

    @property
    def turn(self) -> int:
        """The user message that it was started for, from 0."""
        return self.started.turn

    @property
    def position(self) -> int:
        """Where it began."""
        return self.started.position

    def acts_of(self, *deeds: str) -> tuple[Acted, ...]:
        """What the bench did of these kinds."""
        return tuple(act for act in self.acts if act.do in deeds)

    @property
    def killed(self) -> bool:
        """Whether the scenario's own kill ended it."""
        return self.ended is not None and self.ended.how == "killed" and bool(self.acts_of("kill"))

    @property
    def overdue(self) -> bool:
        """Whether it had to be killed because it did not end by itself."""
        return self.ended is not None and (
            self.ended.how == "did_not_end" or (self.ended.how == "killed" and not self.killed)
        )

    @property
    def end_reason(self) -> str:
        """Why it ended, by its own account; `killed` or `did_not_end` where it could give none."""
        if self.ended is None or self.overdue:
            return "did_not_end"
        if self.killed:
            return "killed"
        if self.ended.account.end_reason is not None:
            return self.ended.account.end_reason
        interrupted = self.acts_of("cancel") and self.ended.exit_code in INTERRUPT_EXITS
        return "aborted" if interrupted else "error"


def starts_of(kinds: Kinds) -> tuple[Start, ...]:
    """The starts of a history, in their order."""
    begun: dict[int, Started] = {}
    ended = {entry.start: entry for entry in kinds.of(Ended)}
    acts: dict[int, list[Acted]] = {}
    latest = 0
    both: list[Started | Acted] = [*kinds.of(Started), *kinds.of(Acted)]
    for entry in sorted(both, key=attrgetter("position")):
        if isinstance(entry, Started):
            latest = entry.start
            begun.setdefault(latest, entry)
        else:
            # An act of the bench may be recorded under its own number, 0.
            acts.setdefault(entry.start or latest, []).append(entry)
    return tuple(
        Start(started=started, ended=ended.get(number), acts=tuple(acts.get(number, ())))
        for number, started in begun.items()
    )
