"""What a wording file may say: a base lists contracts, a variant says what differs from another.

A variant changes what models read, and nothing else. What a tool takes and does stays, and so do
the tools: whatever changes those is another interface, not another wording.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from faultloop.scenarios.places import Place
from faultloop.scenarios.wordings.labels import Name
from faultloop.scenarios.wordings.reading.forms import OURS

Text = Literal["purpose", "when", "when_not", "paths", "returns", "continuation", "mistake"]
"""The parts of a contract that are texts."""
TEXTS: tuple[Text, ...] = get_args(Text)

Part = Literal[
    "purpose", "when", "when_not", "paths", "returns", "continuation", "mistake", "example",
    "parameter_docs",
]  # fmt: skip
"""What can be dropped; `parameter_docs`: the descriptions and examples of all parameters."""

INTERFACE = frozenset(
    {"type", "enum", "const", "required", "default", "format", "minimum", "maximum", "items"}
    | {"properties", "additionalProperties", "pattern", "anyOf", "oneOf", "allOf", "$ref"}
    | {"minLength", "maxLength", "minItems", "maxItems", "nullable"}
)
"""Keywords of a parameter's schema that say what a tool takes."""

_OTHER = "another interface and no variant: write a base file of its own for it"

NOT_HERE: Mapping[str, str] = MappingProxyType(
    {
        **{
            name: f"a variant changes what models read; {name!r} says what the tool does, and"
            f" changing that is {_OTHER}"
            for name in OURS
        },
        **{
            name: f"a variant changes what models read; {name!r} says what the tool takes, and"
            f" changing that is {_OTHER}"
            for name in INTERFACE
        },
        "name": "a variant's tool goes by the base's name; write 'rename: ...' for another one",
        "description": "a tool's description is made of its parts; write 'purpose: ...'",
    }
)
"""Fields that people expect in a variant, and why they are not there."""


def not_here(place: Place) -> str | None:
    """What to say of a field that a variant does not have."""
    return NOT_HERE.get(str(place[-1]))


class _Shape(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, use_attribute_docstrings=True
    )


class ParameterEdit(_Shape):
    """What differs of a parameter; null drops what the base says."""

    rename: str = Field(default="", min_length=1)
    """What models read and write instead."""
    description: str | None = None
    examples: list[Any] | None = None
    """Values that are right; the keyword of JSON Schema."""


class ToolEdit(_Shape):
    """What differs of a tool; null drops what the base says."""

    rename: str = Field(default="", min_length=1)
    """What models read and write instead."""
    purpose: str | None = None
    when: str | None = None
    when_not: str | None = None
    paths: str | None = None
    returns: str | None = None
    continuation: str | None = None
    mistake: str | None = None
    example: dict[str, Any] | None = None
    """One right set of arguments, in this wording's names."""
    drop: tuple[Part, ...] = ()
    parameters: dict[str, ParameterEdit] = Field(default_factory=dict)
    """By the base's names."""


class Variant(_Shape):
    """A wording that says what differs from another."""

    schema_: Literal[1] = Field(alias="schema")
    name: Name
    about: str = ""
    """For people; no model reads it."""
    extends: str = Field(min_length=1)
    """A path beside this file, or a shipped name such as `coding_agent/full`."""
    tools: dict[str, ToolEdit] = Field(default_factory=dict)
    """By the base's names; tools that are not named stay as they are."""


class Base(_Shape):
    """A wording that says all."""

    schema_: Literal[1] = Field(alias="schema")
    name: Name
    about: str = ""
    """For people; no model reads it."""
    tools: list[dict[str, Any]] = Field(min_length=1)
    """Contracts, as `faultloop lint` reads them."""
