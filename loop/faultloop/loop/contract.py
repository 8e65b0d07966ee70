"""The contract of a tool: declared once, with two faces (SPEC C1).

The model's face says what a tool is for and how to fill it; the runtime's face says what the loop
may do with it. Every rendering derives from the one declaration, and no runtime field ever enters
the model's context. What is not declared takes the careful side (SPEC C2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Risk = Literal["low", "medium", "high"]
Strict = Literal["off", "preferred", "required"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One tool's declaration."""

    name: str
    purpose: str
    parameters: dict[str, Any]
    """JSON Schema of the arguments, an object."""
    when: str = ""
    when_not: str = ""
    paths: str = ""
    """What paths are relative to."""
    returns: str = ""
    """What comes back, whether it may be cut, and how to read on."""
    example: dict[str, Any] | None = None
    """One right set of arguments."""
    mistake: str = ""
    """One common mistake and its cure."""

    read_only: bool = False
    concurrency_safe: bool | Callable[[dict[str, Any]], object] = False
    """True, or a function of the arguments; anything not exactly True is exclusive (SPEC C5)."""
    idempotent: bool = False
    cancellable: bool = False
    risk: Risk = "high"
    output_budget_bytes: int = 16_384
    depends_on: tuple[str, ...] = ()
    """Tools whose call earlier in the same batch must have succeeded (SPEC S3)."""
    resource: Callable[[dict[str, Any]], str | None] | None = None
    """Names the real resource that a call changes (SPEC S5)."""
    concludes: bool = False
    verify_with: str | None = None
    """Name of a read-only tool that can tell whether a call of this one took effect (SPEC D2)."""
    verify_arguments: Callable[[dict[str, Any]], dict[str, Any]] = field(default=lambda args: args)
    """Arguments for `verify_with`, from this call's own."""
    strict: Strict = "off"
    aliases: tuple[str, ...] = ()
    """Other names under which models ask for it (SPEC P4)."""
    parameter_aliases: dict[str, str] = field(default_factory=dict)
    """Misspelt parameter name to the right one (SPEC P4)."""
