"""The client of OpenAI's Responses. Nothing is kept there: each request says the whole history."""

from __future__ import annotations

import time
from collections.abc import Callable

from faultloop.loop.client import Client
from faultloop.loop.providers import openai_responses_reply as reply
from faultloop.loop.providers.dialect import Dialect, bearer
from faultloop.loop.providers.http_provider import HttpProvider
from faultloop.loop.providers.openai_chat_request import NoticeRole
from faultloop.loop.providers.openai_responses_request import Speller

DIALECT = Dialect(
    path=lambda request: "/responses",
    headers=bearer,
    reader=reply.Reader,
    whole=reply.of_whole,
)


class OpenAIResponses(HttpProvider):
    """A provider that speaks Responses."""

    def __init__(
        self,
        client: Client,
        base_url: str,
        api_key: str = "",
        *,
        idle_timeout_s: float | None = 60.0,
        answer_timeout_s: float | None = 600.0,
        notice_role: NoticeRole = "system",
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """`base_url` ends in `/v1`; the rest is as `HttpProvider` has it."""
        super().__init__(
            client,
            base_url,
            api_key,
            dialect=DIALECT,
            speller=Speller(notice_role=notice_role),
            idle_timeout_s=idle_timeout_s,
            answer_timeout_s=answer_timeout_s,
            now_s=now_s,
        )
