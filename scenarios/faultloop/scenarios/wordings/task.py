"""A task: what is asked of a model, and which answers are right. Base names throughout.

A task expects calls, no call, or that the user is asked back. `tools` are those that are offered;
left out, all of the wording. Every call says which tools serve equally and, for each of them, what
its arguments must be. Which tools and parameters there are is the wording's to say, so what a task
asks of them is looked at where the two meet (`validating`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from faultloop.scenarios.wordings.labels import Label, Name
from faultloop.scenarios.wordings.matchers.reading import Written

NO_CALL = "(no call)"
ASK_BACK = "(ask back)"


class Said(BaseModel):
    """One message of a conversation that goes before."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
    role: Literal["user", "assistant"]
    text: str


class Choice(BaseModel):
    """One tool that serves, with what its arguments must be."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
    tool: str = Field(min_length=1)
    args: dict[str, Written] = Field(default_factory=dict)
    """Parameter to matcher. A parameter that is not named here must not be given, unless its value
    is the schema's default. One that is named may be left out where the schema's default is right:
    the tool does the same."""
    may_have: dict[str, Written] = Field(default_factory=dict)
    """Parameters that may be left out; where they are given, they must match."""


class Expected(BaseModel):
    """One call that is expected."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
    any_of: tuple[Choice, ...] = Field(min_length=1)
    """Tools that serve equally; the first gives the label in the confusion matrix."""


class Task(BaseModel):
    """One task."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
    id: Name
    prompt: str = Field(min_length=1)
    """The user's last message."""
    before: tuple[Said, ...] = ()
    system: str = ""
    language: Label = "en"
    tools: tuple[str, ...] = ()
    cluster: Label = ""
    tags: tuple[Label, ...] = ()
    """Slices of the report: near miss, time, path, ..."""
    expect: Literal["calls", "no call", "ask back"] = "calls"
    calls: tuple[Expected, ...] = ()
    ordered: bool = False
    """Whether several calls must come in this order."""
    checked: str = ""
    """Who looked at it a second time, or why its answer is right where that is not plain."""

    @cached_property
    def label(self) -> str:
        """What is expected, as a label of the confusion matrix: a tool, `a + b`, `(no call)` or
        `(ask back)`; of tools that serve equally the first."""
        match self.expect:
            case "no call":
                return NO_CALL
            case "ask back":
                return ASK_BACK
            case "calls":
                return " + ".join(call.any_of[0].tool for call in self.calls)
