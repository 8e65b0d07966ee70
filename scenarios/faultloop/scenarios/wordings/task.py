"""A task: what is asked of a model, and which answers are right. Base names throughout.

A task expects calls, no call, or that the user is asked back. `tools` are those that are offered;
left out, all of the wording. Every call says which tools serve equally and, for each of them, what
its arguments must be.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Said(BaseModel):
    """One message of a conversation that goes before."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    role: Literal["user", "assistant"]
    text: str


class Choice(BaseModel):
    """One tool that serves, with what its arguments must be."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    """Parameter to matcher. A parameter that is not named here must not be given, unless its value
    is the schema's default."""
    may_have: dict[str, Any] = Field(default_factory=dict)
    """Parameters that may be left out; where they are given, they must match."""


class Expected(BaseModel):
    """One call that is expected."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    any_of: tuple[Choice, ...] = Field(min_length=1)
    """Tools that serve equally; the first gives the label in the confusion matrix."""


class Task(BaseModel):
    """One task."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    prompt: str
    """The user's last message."""
    before: tuple[Said, ...] = ()
    system: str = ""
    language: str = "en"
    tools: tuple[str, ...] = ()
    cluster: str = ""
    tags: tuple[str, ...] = ()
    """Slices of the report: near miss, time, path, ..."""
    expect: Literal["calls", "no call", "ask back"] = "calls"
    calls: tuple[Expected, ...] = ()
    ordered: bool = False
    """Whether several calls must come in this order."""
    checked: str = ""
    """Who looked at it a second time, or why its answer is right where that is not plain."""
