"""What mutants have in common that read event streams in a way of their own."""

from typing import Any

import httpx

from faultloop.loop.engine import Agent
from faultloop.loop.providers.port import Provider


class OtherBody(httpx.AsyncByteStream):
    """A body on its way; how it is read is each mutant's own."""

    def __init__(self, body: Any) -> None:
        self.body = body

    async def aclose(self) -> None:
        """Close the body."""
        await self.body.aclose()


class OtherClient:
    """A client whose streams have other bodies."""

    def __init__(self, client: Any, body: type[OtherBody]) -> None:
        self.client = client
        self.other = body
        self.build_request = client.build_request

    async def send(self, request: httpx.Request, *, stream: bool) -> httpx.Response:
        """The response."""
        response: httpx.Response = await self.client.send(request, stream=stream)
        if "text/event-stream" in response.headers.get("content-type", ""):
            response.stream = self.other(response.stream)
        return response


class ReadsOtherBodies(Agent):
    """An agent whose provider reads its streams as `body` has it."""

    body: type[OtherBody]

    def __init__(self, *, provider: Provider, **parts: Any) -> None:
        inside = vars(provider)
        inside["_client"] = OtherClient(inside["_client"], self.body)
        super().__init__(provider=provider, **parts)
