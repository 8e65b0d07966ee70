"""An ear: one dialect as its official SDK speaks it, reduced to what the rows ask of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from faultloop.bench.sdks.heard import Asked, Heard, Seen, Trouble, Wire
from faultloop.bench.sdks.kinds import Family
from faultloop.fakes.hosting import BaseUrls
from faultloop.fakes.script import Finish

NAME = "read_file"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "text": {"type": "string"}},
}
MODEL = "fake-model"
GO = "Go."
RESULT = "done"


class Ear(Protocol):
    """One dialect, heard through its SDK."""

    @property
    def dialect(self) -> str:
        """Its name in `DIALECTS`."""
        ...

    @property
    def package(self) -> str:
        """The SDK as it is installed."""
        ...

    @property
    def id_prefix(self) -> str:
        """What a reply's id begins with."""
        ...

    @property
    def finishes(self) -> Mapping[Finish, str]:
        """The dialect's own words."""
        ...

    @property
    def families(self) -> Sequence[Family]:
        """What the SDK defines, kind by kind."""
        ...

    @property
    def seen(self) -> Seen:
        """What of that has gone over the wire since this ear was made."""
        ...

    def ask(self, urls: BaseUrls, asked: Asked, *, streamed: bool) -> Heard:
        """One reply, as the SDK's most convenient call gives it. Raises what the SDK raises."""
        ...

    def wire(self, urls: BaseUrls, asked: Asked) -> Wire:
        """One streamed reply, line by line."""
        ...

    def breaks_off(self, urls: BaseUrls) -> str:
        """What is said where a stream breaks off with an error; empty where the SDK says none."""
        ...

    def trouble(self, error: Exception) -> Trouble | None:
        """A failure that the SDK raised; None where it is none of the API."""
        ...

    def kind_of(self, status: int) -> str:
        """Name of the exception's class that is meant for a status."""
        ...

    def code_of(self, status: int) -> str | None:
        """The provider's own word for a status, if it has one for each."""
        ...

    def answered(self, items: Sequence[Any], heard: Heard) -> list[Any]:
        """The conversation with a reply, and the result of each of its calls, at its end."""
        ...

    def models(self, urls: BaseUrls) -> Iterable[str]:
        """Ids of the models that are listed."""
        ...

    def model(self, urls: BaseUrls, name: str) -> str:
        """The id of one model that is asked for."""
        ...

    def count(self, urls: BaseUrls) -> int:
        """How many tokens a request has."""
        ...

    def close(self) -> None:
        """Let go of its connections."""
        ...
