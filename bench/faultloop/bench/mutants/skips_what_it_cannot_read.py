"""A loop that skips an event that is no JSON, and puts the rest of the stream together."""

import json
from collections.abc import AsyncIterator

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.other_bodies import OtherBody, ReadsOtherBodies

MARK = b"data: "
END = b"\n\n"


def is_read(event: bytes) -> bool:
    """Whether it is what such a reader expects."""
    try:
        json.loads(event.removeprefix(MARK))
    except ValueError:
        return event == MARK + b"[DONE]"
    return True


class Sifted(OtherBody):
    """A body without the events that cannot be read."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = b""
        async for piece in self.body:
            *events, seen = (seen + piece).split(END)
            for event in filter(is_read, events):
                yield event + END
        yield seen


class SkipsWhatItCannotRead(ReadsOtherBodies):
    """Goes on as if nothing had been said there."""

    body = Sifted


MUTANT = Mutant(
    name="skips-what-it-cannot-read",
    does="skips an event that is no JSON and runs what the others amount to",
    claims=("P2", "C3"),
    breaks=("truncated_not_executed", "arguments_exact"),
    agent=SkipsWhatItCannotRead,
    scenarios=("hole-in-the-arguments", "one-call"),
)
