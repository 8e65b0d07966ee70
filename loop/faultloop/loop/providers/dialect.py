"""What a client must know of one API: the rest is the same for all (`http_provider`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from faultloop.loop.providers.event_stream import StreamEvent
from faultloop.loop.providers.port import Delta, ModelRequest


class Speller(Protocol):
    """Spells the requests of one session."""

    def body(self, request: ModelRequest) -> bytes:
        """The JSON body of a request. Raises ProviderFailure for one that cannot be."""
        ...


class Reader(Protocol):
    """Reads the events of one stream, in their order."""

    def read(self, event: StreamEvent) -> Iterable[Delta]:
        """What an event says, with `EndDelta` where it is the API's end mark.

        Raises ProviderFailure for an error in the stream, and for what cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one API is spoken."""

    path: Callable[[ModelRequest], str]
    """Where a request goes, behind the base URL."""
    headers: Callable[[str], dict[str, str]]
    """What shows the key, and whatever else the API wants to see."""
    reader: Callable[[], Reader]
    """For each stream a new one."""
    whole: Callable[[bytes], list[Delta]]
    """The deltas of a reply that is no stream, its end mark included. Raises ProviderFailure."""
    counts_late: bool = False
    """Token counts may still come behind the end mark, which is then no mark but a finish."""


def bearer(api_key: str) -> dict[str, str]:
    """OpenAI's way to show the key; without one, none is shown."""
    return {"authorization": f"Bearer {api_key}"} if api_key else {}
