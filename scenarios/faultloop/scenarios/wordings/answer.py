"""What a model answered, and what counts as a call: decided here, and nowhere else.

A call is a complete call item of the provider's reply. A text that looks like a call is a text. A
reply that was cut at its length limit has no calls, not even complete ones (SPEC P1), and whatever
stopped the reply before its end is a failure: it counts as wrong, and is shown apart. What the
model wrote as arguments stays the text that it is until a score reads it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from faultloop.loop.message import Call

Failure = Literal["timeout", "refused", "unavailable", "broken", "cut", "blocked", "overflow"]
"""Why there is no answer: nothing came in time; the provider refused the request, could not be
had, broke off; the reply reached its length limit or was stopped by a filter; the request was too
long."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the answer took."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of one model to one question."""

    calls: tuple[Call, ...] = ()
    """In the model's order; names and parameters as the model wrote them."""
    text: str = ""
    failure: Failure | None = None
    failure_says: str = ""
    """One sentence, where there is a failure."""
    gives_arguments: bool = True
    """False for models that only choose (BM25, embeddings): arguments are not scored at all."""
    usage: Usage = Usage()

    @property
    def failed(self) -> bool:
        """Whether there is no answer to speak of."""
        return self.failure is not None
