"""A loop that reads event streams with a few lines of its own."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Provider

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


class ByHand(httpx.AsyncByteStream):
    """A body that is read by hand first."""

    def __init__(self, body: Any) -> None:
        self.body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self.body:
            read_by_hand(piece.decode())
            yield piece

    async def aclose(self) -> None:
        """Close the body."""
        await self.body.aclose()


class Careless:
    """A client whose streams are read by hand."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.build_request = client.build_request

    async def send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        """The response."""
        response: httpx.Response = await self.client.send(request, stream=stream)
        if "text/event-stream" in response.headers.get("content-type", ""):
            response.stream = ByHand(response.stream)
        return response


class ParsesByHand(Agent):
    """Knows one provider, on a good day."""

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        inside = vars(provider)
        inside["_client"] = Careless(inside["_client"])
        super().__init__(provider=provider, **parts)


MUTANT = Mutant(
    name="parses-by-hand",
    does="breaks on comments, unknown events, null deltas and chunks without choices",
    claims=("P3", "L3"),
    breaks=("end_acceptable",),
    agent=ParsesByHand,
    scenarios=("comments-*", "events-of-*", "deltas-that-*", "chunks-without-*", "one-call"),
)
