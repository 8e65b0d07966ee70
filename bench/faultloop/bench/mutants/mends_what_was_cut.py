"""A loop that takes whatever came for the whole reply, and mends half JSON until it parses."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.asking import Asking
from faultloop.loop.assembler import Ending, Reply
from faultloop.loop.checking import Ready, Refused
from faultloop.loop.engine import Agent
from faultloop.loop.executing import Executing
from faultloop.loop.providers.port import Delta, ModelRequest, Provider, ProviderFailure
from faultloop.loop.state import CallRecord
from faultloop.loop.stop import StopSignal

CLOSING = {"{": "}", "[": "]"}


def mended(text: str) -> str:
    """The text with its open string, object and lists closed; of nothing an empty object."""
    closers, quoted, escaped = list[str](), False, False
    for char in text:
        if escaped or char == "\\":
            escaped = not escaped
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in CLOSING:
            closers.append(CLOSING[char])
        elif not quoted and closers and char == closers[-1]:
            closers.pop()
    end = '"' if quoted else ""
    return (text[:-1] if escaped else text) + end + "".join(reversed(closers)) or "{}"


class Gullible(Provider):
    """Keeps quiet about a stream that broke off."""

    def __init__(self, provider: Any) -> None:
        self.provider = provider

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """What came, however it ended."""
        began = False
        async with aclosing(self.provider.stream(request)) as deltas:
            try:
                async for delta in deltas:
                    began = True
                    yield delta
            except ProviderFailure:
                if not began:
                    raise


class Trusting(Asking):
    """Does not look at how a reply ended."""

    def judge(self, reply: Reply) -> Ending:
        """Whole, always."""
        return "whole"


class Mending(Executing):
    """Runs what can be made to parse."""

    async def check(self, record: CallRecord, signal: StopSignal) -> Ready | Refused | None:
        """What the reference says of the mended text."""
        whole = msgspec.structs.replace(record, arguments=mended(record.arguments))
        return await super().check(whole, signal)


class MendsWhatWasCut(Agent):
    """Guesses how the model would have gone on."""

    asking = Trusting
    executing = Mending

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        super().__init__(provider=Gullible(provider), **parts)


MUTANT = Mutant(
    name="mends-what-was-cut",
    does="completes half JSON of a cut or torn reply and executes it",
    claims=("P2", "P1"),
    breaks=("truncated_not_executed", "end_acceptable"),
    agent=MendsWhatWasCut,
)
