"""The plays of the conformance suite, and what a rule may ask of them.

Tiny ones: the model calls a tool and says that it is done. `whole` and `streamed` call it twice in
one reply, so that one call can be told from the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from faultloop.fakes.conversation import Message
from faultloop.fakes.history import AnyEntry, CallArrived, MadeCall, Replied, Requested, Started
from faultloop.scenarios.play import Done
from faultloop.scenarios.subject import Capabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """All that was seen of a subject."""

    able: Capabilities
    plays: Mapping[str, Done]
    """By the name of the play in PLAYS; those that the declaration rules out are missing."""

    def history(self, play: str) -> tuple[AnyEntry, ...]:
        """The history of a play; empty where it was not made."""
        done = self.plays.get(play)
        return done.evidence.history if done else ()

    def requests(self, play: str, start: int | None = None) -> list[Requested]:
        """The provider requests of a play, or of one start in it, but for those beside the loop's
        own (a title, a summary), where it has any of its own."""
        history = self.history(play)
        replies = (entry for entry in history if isinstance(entry, Replied))
        beside = {reply.request for reply in replies if reply.cursor == "side"}
        asked = [entry for entry in history if isinstance(entry, Requested)]
        own = [entry for entry in asked if entry.request not in beside] or asked
        return [entry for entry in own if start in (None, entry.start)]

    def silent(self, *names: str) -> str:
        """The first of these plays, of those that were made, in which no request arrived."""
        made = (name for name in names or self.plays if name in self.plays)
        return next((name for name in made if not self.requests(name)), "")

    def messages(self, play: str, start: int) -> tuple[Message, ...]:
        """The messages of the first request of a start."""
        asked = self.requests(play, start)
        if not asked:
            return ()
        by_number = {entry.request: entry for entry in self.requests(play)}
        first = asked[0]
        return by_number[first.same_as].messages if first.same_as else first.messages

    def inputs(self, play: str) -> list[str]:
        """What the user said in a play, with the marks that no other play has."""
        begun = (entry for entry in self.history(play) if isinstance(entry, Started))
        return [entry.input for entry in begun if entry.input]

    def arrived(self, play: str) -> Iterator[CallArrived]:
        """The calls of a play that reached the world."""
        return (entry for entry in self.history(play) if isinstance(entry, CallArrived))

    def made(self, play: str) -> dict[str, MadeCall]:
        """The calls that the model made in a play, by their ids."""
        replies = (entry for entry in self.history(play) if isinstance(entry, Replied))
        return {call.id: call for reply in replies for call in reply.calls}


TOOL = "append_file"
SCENARIO: dict[str, Any] = {
    "schema": 1,
    "claim": "The bench sees the subject as it is.",
    "claims": ["L1"],
    "checks": ["results_closed"],
    "world": {"files": {"notes.txt": "alpha\n"}},
    "input": "Please append the word beta to notes.txt.",
    "script": [
        {"calls": [{"tool": TOOL, "args": {"path": "notes.txt", "line": "beta"}}]},
        {"say": "It is done."},
    ],
    "next_turns": [{"when": "always"}],
    "accept": [{}],
    "max_requests": 20,
}


TWO_CALLS = {
    "script": [
        {
            "calls": [
                {"tool": TOOL, "args": {"path": "notes.txt", "line": line}}
                for line in ("beta", "gamma")
            ]
        },
        {"say": "It is done."},
    ]
}


class Play(NamedTuple):
    """One play of the suite."""

    parts: dict[str, Any]
    """What the scenario has beside the common ones."""
    streaming: bool | Literal["first", "other"]
    """Or the form that the subject declares first, or the one beside that."""
    applies: Callable[[Capabilities], bool]

    def form(self, able: Capabilities) -> bool:
        """Whether replies are streamed in it."""
        if isinstance(self.streaming, bool):
            return self.streaming
        return able.streaming[0] if self.streaming == "first" else able.streaming[-1]


CANCELLED = {
    "faults": [{"kind": "tool_slow", "at": f"tool {TOOL}"}],
    "events": [{"at": "call_arrived", "do": "cancel", "tool": TOOL}],
}
PLAYS: dict[str, Play] = {
    "whole": Play(TWO_CALLS, False, lambda able: False in able.streaming),
    "streamed": Play(TWO_CALLS, True, lambda able: True in able.streaming),
    "cancelled": Play(CANCELLED, "first", lambda able: able.cancel != "none"),
    "cancelled-in-the-other-form": Play(
        CANCELLED, "other", lambda able: able.cancel != "none" and len(able.streaming) > 1
    ),
    "killed": Play(
        {"events": [{"at": "after_effect", "do": "kill", "tool": TOOL}]},
        "first",
        lambda able: True,
    ),
}
