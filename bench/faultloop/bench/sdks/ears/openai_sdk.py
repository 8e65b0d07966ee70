"""What both dialects of OpenAI have in common in `openai`: client, failures, models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import openai

from faultloop.bench.sdks.heard import Seen, Trouble
from faultloop.fakes.hosting import BaseUrls

_KINDS: Mapping[int, str] = {
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    409: "ConflictError",
    422: "UnprocessableEntityError",
    429: "RateLimitError",
}
"""By status; other 4xx are an `APIStatusError`, 5xx an `InternalServerError`."""


class OpenAIEar:
    """The client, and what it raises."""

    package = "openai"

    def __init__(self) -> None:
        self.seen = Seen()
        self._client = openai.OpenAI(
            api_key="none",
            base_url="http://127.0.0.1/v1",
            max_retries=0,
            http_client=openai.DefaultHttpxClient(trust_env=False),
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
            # What its retries wait; there is no public way to ask.
            waits_s=self._client._parse_retry_after_header(error.response.headers),
        )

    def kind_of(self, status: int) -> str:
        """Name of the exception's class."""
        return _KINDS.get(status, "InternalServerError" if status >= 500 else "APIStatusError")

    def code_of(self, status: int) -> str | None:
        """A code is of the failure, not of its status: what the script says comes back."""
        return None

    def models(self, urls: BaseUrls) -> Iterable[str]:
        """Ids of the models that are listed."""
        return [model.id for model in self.at(urls).models.list()]

    def model(self, urls: BaseUrls, name: str) -> str:
        """One model."""
        found: str = self.at(urls).models.retrieve(name).id
        return found

    def close(self) -> None:
        """Let go of its connections."""
        self._client.close()
