"""The port to a model: one request in, a stream of deltas out.

A provider client speaks one dialect and decides nothing: it does not retry, assemble or repair.
What goes wrong is raised as `ProviderFailure`, whose `kind` says what a retry may hope for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from faultloop.loop.message import FinishReason, Message


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a call. Everything but the index may be missing; pieces of one call share it."""

    index: int | None
    id: str | None = None
    name: str | None = None
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class FinishDelta:
    """The provider's finish reason, and its own word for it."""

    reason: FinishReason
    raw: str


@dataclass(frozen=True, slots=True)
class UsageDelta:
    """Token counts of the request (SPEC L2: cached ones apart)."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class EndDelta:
    """The dialect's own end mark, where it was seen."""


Delta = TextDelta | CallDelta | FinishDelta | UsageDelta | EndDelta


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a model, before any dialect."""

    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...]
    """The model's face of each contract: name, description, parameters, strict."""
    stream: bool
    output_tokens_max: int | None = None


FailureKind = Literal["rate_limited", "unavailable", "timeout", "broken", "overflow", "rejected"]
"""`broken`: the connection ended before the reply did. `overflow`: the context is too long.
`rejected`: the request itself is refused; trying again cannot help."""

RETRYABLE: frozenset[FailureKind] = frozenset({"rate_limited", "unavailable", "timeout", "broken"})


class ProviderFailure(Exception):
    """A model request failed; the provider or the wire is at fault, unless `rejected`."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.status = status
        self.retry_after_s = retry_after_s


class Provider(Protocol):
    """A client of one dialect."""

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The deltas of the reply; whole replies come as the same deltas in one go.

        Raises ProviderFailure. Closing the iterator closes the connection.
        """
        ...
