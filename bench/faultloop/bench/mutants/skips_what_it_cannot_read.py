"""A loop that skips an event that is no JSON, and puts the rest of the stream together."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Provider

MARK = b"data: "
END = b"\n\n"


def is_read(event: bytes) -> bool:
    """Whether it is what such a reader expects."""
    try:
        json.loads(event.removeprefix(MARK))
    except ValueError:
        return event == MARK + b"[DONE]"
    return True


class Sifted(httpx.AsyncByteStream):
    """A body without the events that cannot be read."""

    def __init__(self, body: Any) -> None:
        self.body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = b""
        async for piece in self.body:
            *events, seen = (seen + piece).split(END)
            for event in filter(is_read, events):
                yield event + END
        yield seen

    async def aclose(self) -> None:
        """Close the body."""
        await self.body.aclose()


class Lenient:
    """A client whose streams are sifted."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.build_request = client.build_request

    async def send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        """The response."""
        response: httpx.Response = await self.client.send(request, stream=stream)
        if "text/event-stream" in response.headers.get("content-type", ""):
            response.stream = Sifted(response.stream)
        return response


class SkipsWhatItCannotRead(Agent):
    """Goes on as if nothing had been said there."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        inside = vars(provider)
        inside["_client"] = Lenient(inside["_client"])
        super().__init__(provider=provider, **parts)


MUTANT = Mutant(
    name="skips-what-it-cannot-read",
    does="skips an event that is no JSON and runs what the others amount to",
    claims=("P2", "C3"),
    breaks=("truncated_not_executed", "arguments_exact"),
    agent=SkipsWhatItCannotRead,
    scenarios=("hole-in-the-arguments", "one-call"),
)
