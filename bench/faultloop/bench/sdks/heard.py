"""What an SDK made of a reply, a failure or a stream, in the same words for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = dict[str, Any]
"""As it stood on the wire, or as an SDK takes it: the edge of what has types."""


class HeardCall(NamedTuple):
    """One tool call."""

    id: str
    name: str
    arguments: str
    """Canonical JSON; of a custom tool the bare text."""
    namespace: str = ""


def canonical(arguments: Any) -> str:
    """Arguments, decoded or as JSON text, in one spelling; text that is no JSON stays as it is."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return str(arguments)
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request says beside its tools."""

    items: tuple[Any, ...] = ()
    """The conversation in the dialect's own form; none: the user says "Go."."""
    max_tokens: int = 256
    form: str = "function"
    """How its tools are declared: `function`, `custom` or `namespace`."""
    continues: str = ""
    """Id of an earlier reply."""
    thinks: bool = False
    """It asks to be told what the model thinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply as the SDK gives it to whoever uses it."""

    text: str
    refusal: str = ""
    """What is said in a place of its own for refusals."""
    thought: str = ""
    """What is said in a place of its own for thoughts."""
    calls: tuple[HeardCall, ...] = ()
    finish: str
    """The dialect's own word."""
    id: str
    model: str
    request_id: str | None = None
    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None
    reasoning_tokens: int | None
    echo: tuple[Any, ...] = ()
    """The reply as items of the next request."""
    complaints: tuple[str, ...] = ()
    """What of it the SDK's own types do not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A streamed reply line by line, as the SDK's own HTTP client got it."""

    pieces: tuple[str, ...] = ()
    """Pieces of text, as they came."""
    thoughts: tuple[str, ...] = ()
    """Pieces of what the model thinks, in the same way."""
    indexes: tuple[int, ...] = ()
    """Where each call stands, as the stream says."""
    comments: int = 0
    complaints: tuple[str, ...] = ()


class Trouble(NamedTuple):
    """A failure as the SDK raises it."""

    kind: str
    """Name of the exception's class."""
    status: int | None
    message: str
    code: str | None
    """The provider's own word for it: `code`, `type` or `status`, as its dialect has it."""
    request_id: str | None
    waits_s: float | None
    """How long the SDK was told to wait."""
    complaints: tuple[str, ...] = ()
    """What of it is not as the API's other clients need it."""


@dataclass(slots=True)
class Seen:
    """Kinds of things that went over the wire, by family."""

    names: dict[str, set[str]] = field(default_factory=dict)

    def add(self, family: str, names: Iterable[str | None]) -> None:
        """These went over the wire; None is nothing."""
        known = self.names.setdefault(family, set())
        known.update(name for name in names if name is not None)
