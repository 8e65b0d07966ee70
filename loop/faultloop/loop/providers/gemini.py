"""The client of Gemini's generateContent and streamGenerateContent."""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.parse import quote

from faultloop.loop.client import Client
from faultloop.loop.providers import gemini_reply as reply
from faultloop.loop.providers.dialect import Dialect
from faultloop.loop.providers.gemini_request import Speller
from faultloop.loop.providers.http_provider import HttpProvider
from faultloop.loop.providers.port import ModelRequest


def path(request: ModelRequest) -> str:
    """The model and the form are in the address; `tunedModels/NAME` is a model's name, too."""
    name = request.model if "/" in request.model else f"models/{request.model}"
    method = "streamGenerateContent?alt=sse" if request.stream else "generateContent"
    return f"/v1beta/{quote(name)}:{method}"


def headers(api_key: str) -> dict[str, str]:
    """The key, if there is one; never in the address, which ends up in logs."""
    return {"x-goog-api-key": api_key} if api_key else {}


DIALECT = Dialect(
    path=path,
    headers=headers,
    reader=reply.Reader,
    whole=reply.of_whole,
    counts_late=True,
)


class Gemini(HttpProvider):
    """A provider that speaks Gemini's API."""

    def __init__(
        self,
        client: Client,
        base_url: str,
        api_key: str = "",
        *,
        idle_timeout_s: float | None = 60.0,
        answer_timeout_s: float | None = 600.0,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """`base_url` ends before `/v1beta`, as for Google's own SDK; the rest is as `HttpProvider`
        has it."""
        super().__init__(
            client,
            base_url,
            api_key,
            dialect=DIALECT,
            speller=Speller(),
            idle_timeout_s=idle_timeout_s,
            answer_timeout_s=answer_timeout_s,
            now_s=now_s,
        )
