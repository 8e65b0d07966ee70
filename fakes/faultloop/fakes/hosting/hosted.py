"""One hosted conversation: a stage of its own, and what can be told of it.

Only the stage writes here; the rest reads its history. `Summary` is folded over the entries as they
come, so that looking on costs the same however long a conversation is.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import msgspec

from faultloop.fakes.answers import Answer, Rejected
from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.cues import NoDeeds
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.history import AnyEntry, FaultFired, Refused, Replied, Requested
from faultloop.fakes.hosting.hosted_script import HostedScript
from faultloop.fakes.plan import Plan
from faultloop.fakes.stage import Stage


class FaultState(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of the script, and whether it came to pass."""

    kind: str
    at: str
    fired: int
    """How often."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation in one line."""

    conversation: str
    script: str
    """The script's name."""
    own: bool
    """It was loaded for this conversation alone."""
    begun: int
    """Number of this beginning among all on this server: another number is another history."""
    requests: int
    refused: int
    """Requests that were answered as a real provider answers bad ones."""
    steps: int
    said: int
    """Steps of the script that were said at least once."""
    effects: int
    """Entries in the ledger of its world."""
    entries: int
    """Length of the history."""
    faults: tuple[FaultState, ...]


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """One request for a reply, as it arrived."""

    request: int
    """From 1."""
    dialect: str
    streaming: bool
    tools: tuple[str, ...]
    """Names of the tools that it offers."""
    messages: tuple[Message, ...]
    """What it says was said; empty where it could not be read."""
    body: Any
    """The body's JSON, or its text where that is none."""


class Hosted:
    """One conversation from its beginning on."""

    def __init__(
        self,
        name: str,
        script: HostedScript,
        stage: HostedStage,
        *,
        own: bool,
        begun: int,
        heard: Callable[[], None],
    ) -> None:
        self.name = name
        self.script = script
        self.stage = stage
        self.is_own = own
        self._begun = begun
        self._seen = 0
        self._requests = self._refused = 0
        self._said: set[int] = set()
        self._fired = [0] * len(script.faults)
        stage.history.heard = heard

    def summary(self) -> Summary:
        """As of now."""
        entries = self.stage.history.entries
        for entry in islice(entries, self._seen, None):
            self._take(entry)
        self._seen = len(entries)
        return Summary(
            conversation=self.name,
            script=self.script.name,
            own=self.is_own,
            begun=self._begun,
            requests=self._requests,
            refused=self._refused,
            steps=len(self.script.steps),
            said=len(self._said),
            effects=len(self.stage.ledger.effects),
            entries=len(entries),
            faults=tuple(
                FaultState(kind=fault.kind, at=fault.at, fired=fired)
                for fault, fired in zip(self.script.faults, self._fired, strict=True)
            ),
        )

    def _take(self, entry: AnyEntry) -> None:
        match entry:
            case Requested():
                self._requests += 1
            case Refused():
                self._refused += 1
            case Replied(step=step) if step:
                self._said.add(step)
            case FaultFired(fault=fault):
                self._fired[fault] += 1
            case _:
                pass

    def history(self, since: int = 0) -> list[AnyEntry]:
        """The entries from position `since` on."""
        return self.stage.history.entries[since:]

    def requests(self) -> list[Received]:
        """All requests for replies, in the order of their arrival."""
        found: dict[int, Received] = {}
        for entry in self.stage.history:
            if isinstance(entry, Requested):
                same = found.get(entry.same_as or 0)
                found[entry.request] = Received(
                    request=entry.request,
                    dialect=entry.dialect,
                    streaming=entry.streaming,
                    tools=entry.tools,
                    messages=entry.messages if same is None else same.messages,
                    body=_json(self.stage.bodies[entry.request - 1]),
                )
        return list(found.values())

    async def over(self) -> None:
        """It ends: nobody looks on any more, and what is held is let go of."""
        self.stage.history.heard = None
        await self.stage.close()


class HostedStage(Stage):
    """A stage that remembers what it was asked, word for word, up to the plan's most requests.

    Of those that come after them one is written down; all are refused.
    """

    def __init__(self, plan: Plan, *, clock: Callable[[], float]) -> None:
        # `sim`: a command takes its time by the clock, for here nobody opens a gate after it.
        super().__init__(plan, clock=clock, deeds=NoDeeds(), tier="sim")
        self.bodies: list[str] = []
        """By the number of the request, from 1."""
        self._full: Rejected | None = None

    async def answer(self, start: int, dialect: str, conversation: Conversation) -> Answer:
        """Take in a provider request and say what it is answered."""
        if self._full is not None:
            return self._full
        # A dialect puts behind the body what only signatures or references tell, without a brace.
        self.bodies.append(conversation.raw[: conversation.raw.rfind("}") + 1])
        answer = await super().answer(start, dialect, conversation)
        if isinstance(answer, Rejected) and answer.request > self.plan.requests_max:
            self._full = answer
        return answer

    async def unreadable(self, start: int, dialect: str, bad: BadRequest, body: bytes) -> Rejected:
        """Take in a body that the dialect could not parse; it is answered in the API's words."""
        if len(self.bodies) >= self.plan.requests_max:
            return Rejected(
                request=self.plan.requests_max + 1,
                status=bad.status,
                message=bad.message,
                code=bad.code,
                param=bad.param,
            )
        self.bodies.append(body.decode(errors="replace"))
        return await super().unreadable(start, dialect, bad, body)


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
