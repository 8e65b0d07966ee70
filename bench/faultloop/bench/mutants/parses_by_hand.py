"""A loop that reads event streams with a few lines of its own."""

import json
from collections.abc import AsyncIterator

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.other_bodies import OtherBody, ReadsOtherBodies

PREFIX = "data: "


def read_by_hand(events: str) -> None:
    """Read events as if there were no others than the usual ones. Raises for any other."""
    for line in filter(None, events.split("\n")):
        if not line.startswith(PREFIX):
            raise ValueError(f"what is {line!r}?")
        if line == f"{PREFIX}[DONE]":
            continue
        chunk = json.loads(line.removeprefix(PREFIX))
        if not chunk.get("usage"):
            chunk["choices"][0]["delta"].get("content")


class ByHand(OtherBody):
    """A body that is read by hand first."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self.body:
            read_by_hand(piece.decode())
            yield piece


class ParsesByHand(ReadsOtherBodies):
    """Knows one provider, on a good day."""

    body = ByHand


MUTANT = Mutant(
    name="parses-by-hand",
    does="breaks on comments, unknown events, null deltas and chunks without choices",
    claims=("P3", "L3"),
    breaks=("end_acceptable",),
    agent=ParsesByHand,
    scenarios=("comments-*", "events-of-*", "deltas-that-*", "chunks-without-*", "one-call"),
)
