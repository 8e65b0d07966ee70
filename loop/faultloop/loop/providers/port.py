"""The port to a model: one request in, a stream of deltas out.

A provider client speaks one dialect and decides nothing: it does not retry, assemble or repair.
What goes wrong is raised as `ProviderFailure`, whose `kind` says what a retry may hope for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal, Protocol

import msgspec

from faultloop.loop.contract import Strict
from faultloop.loop.message import FinishReason, Message


class TextDelta(msgspec.Struct, frozen=True):
    """A piece of the reply's text."""

    text: str


class CallDelta(msgspec.Struct, frozen=True):
    """A piece of a call. Everything but the index may be missing; pieces of one call share it."""

    index: int | None
    id: str | None = None
    name: str | None = None
    arguments: str = ""


class FinishDelta(msgspec.Struct, frozen=True):
    """The provider's finish reason, and its own word for it."""

    reason: FinishReason
    raw: str


class UsageDelta(msgspec.Struct, frozen=True):
    """Token counts of the request (SPEC L2: cached ones apart)."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    estimated: bool = False
    """The provider counted nothing; these are the loop's own guess."""


class EndDelta(msgspec.Struct, frozen=True):
    """The dialect's own end mark, where it was seen."""


ALIVE = CallDelta(None)
"""A sign of life and no more: something came of which nothing is kept, such as thinking."""

Delta = TextDelta | CallDelta | FinishDelta | UsageDelta | EndDelta


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request to a model, before any dialect."""

    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...]
    """The model's face of each contract: name, description, parameters, strict."""
    stream: bool
    output_tokens_max: int | None = None
    strict: Strict | None = None
    """Constrained decoding: what is asked of the provider; None leaves it to each tool (C11)."""
    temperature: float | None = None
    """How freely the model picks its words; None leaves it to the provider."""
    seed: int | None = None
    """For answers that come again, where the API has such a thing; no promise anywhere."""


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
        usage: UsageDelta | None = None,
    ) -> None:
        """`usage`: what the provider counted before it failed; those tokens are paid for."""
        super().__init__(message)
        self.kind: FailureKind = kind
        self.status = status
        self.retry_after_s = retry_after_s
        self.usage = usage


class CallUnreadable(ProviderFailure):
    """The model wrote a call that its own API could not read: asked again, it may write it well.

    The model is at fault, and neither the provider nor the wire."""

    def __init__(self, message: str, *, usage: UsageDelta | None = None) -> None:
        """For a retry it is a reply that broke off."""
        super().__init__("broken", message, usage=usage)


class Provider(Protocol):
    """A client of one dialect."""

    def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """The deltas of the reply; whole replies come as the same deltas in one go.

        Raises ProviderFailure. Closing the iterator closes the connection.
        """
        ...
