"""What `openai` and `anthropic` have in common, as one generator (Stainless) makes both of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from faultloop.bench.sdks.heard import Seen
from faultloop.fakes.hosting import BaseUrls


class StainlessEar:
    """The client, the classes of what it raises, and models."""

    kinds: Mapping[int, str]
    """Names of exceptions by status; other 4xx are an `APIStatusError`, 5xx an
    `InternalServerError`."""

    def __init__(self, client: Any) -> None:
        self.seen = Seen()
        self._client = client

    def at(self, urls: BaseUrls) -> Any:
        """The client of one conversation."""
        raise NotImplementedError

    def kind_of(self, status: int) -> str:
        """Name of the exception's class."""
        return self.kinds.get(status, "InternalServerError" if status >= 500 else "APIStatusError")

    def waits_s(self, response: Any) -> float | None:
        """What its retries wait after a failure; there is no public way to ask."""
        waits_s: float | None = self._client._parse_retry_after_header(response.headers)
        return waits_s

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
