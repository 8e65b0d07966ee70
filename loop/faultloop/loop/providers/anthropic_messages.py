"""The client of Anthropic's Messages. Thinking is never asked for, so none has to come back."""

from __future__ import annotations

import time
from collections.abc import Callable

from faultloop.loop.client import Client
from faultloop.loop.providers import anthropic_messages_reply as reply
from faultloop.loop.providers.anthropic_messages_request import Speller
from faultloop.loop.providers.dialect import Dialect
from faultloop.loop.providers.http_provider import HttpProvider

VERSION = "2023-06-01"


def headers(api_key: str) -> dict[str, str]:
    """The version that is spoken, and the key, if there is one."""
    key = {"x-api-key": api_key} if api_key else {}
    return {"anthropic-version": VERSION, **key}


DIALECT = Dialect(
    path=lambda request: "/v1/messages",
    headers=headers,
    reader=reply.Reader,
    whole=reply.of_whole,
)


class AnthropicMessages(HttpProvider):
    """A provider that speaks Messages."""

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
        """`base_url` ends before `/v1`, as for Anthropic's own SDK; the rest is as `HttpProvider`
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
