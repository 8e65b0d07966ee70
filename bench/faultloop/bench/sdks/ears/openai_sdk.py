"""What both dialects of OpenAI have in common in `openai`: client and failures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import openai
from openai.types.shared import ErrorObject

from faultloop.bench.sdks import typed
from faultloop.bench.sdks.ears.stainless import StainlessEar
from faultloop.bench.sdks.heard import Trouble
from faultloop.fakes.hosting import BaseUrls


class OpenAIEar(StainlessEar):
    """The client, and what it raises."""

    package = "openai"
    kinds: Mapping[int, str] = {
        400: "BadRequestError",
        401: "AuthenticationError",
        403: "PermissionDeniedError",
        404: "NotFoundError",
        409: "ConflictError",
        422: "UnprocessableEntityError",
        429: "RateLimitError",
    }

    def __init__(self) -> None:
        super().__init__(
            openai.OpenAI(
                api_key="none",
                base_url="http://127.0.0.1/v1",
                max_retries=0,
                http_client=openai.DefaultHttpxClient(trust_env=False),
            )
        )

    def at(self, urls: BaseUrls) -> Any:
        """The client of one conversation."""
        return self._client.with_options(base_url=urls.openai)

    def trouble(self, error: Exception) -> Trouble | None:
        """A failure of the API."""
        if not isinstance(error, openai.APIStatusError):
            return None
        body: Any = error.body
        told = body.get("message", error.message) if isinstance(body, dict) else error.message
        return Trouble(
            kind=type(error).__name__,
            status=error.status_code,
            message=told,
            code=error.code,
            request_id=error.request_id,
            waits_s=self.waits_s(error.response),
            complaints=tuple(_complaints(error)),
        )

    def code_of(self, status: int) -> str | None:
        """A code is of the failure, not of its status: what the script says comes back."""
        return None


def _complaints(error: openai.APIStatusError) -> Iterator[str]:
    if isinstance(error.body, dict):
        yield from typed.refused(ErrorObject, error.body)
    headers = error.response.headers
    if ("retry-after" in headers) != ("retry-after-ms" in headers):
        yield "when to come again is told in one of its two headers only"
