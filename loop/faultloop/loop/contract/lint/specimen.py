"""A tool as the linter sees it: what a model reads, and where each part of it stands.

A contract of ours comes in parts; a foreign tool is one text and a schema. Rules ask `says`, which
takes a part that was declared, or the words by which a text says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from faultloop.loop.contract.declaration import Contract
from faultloop.loop.contract.references import escaped, followed

PARTS = (
    "purpose", "when", "when_not", "paths", "returns", "continuation", "example", "mistake",
)  # fmt: skip

PARAMETERS_MAX = 2_000
DEPTH_MAX = 10
"""How deep a schema is looked into; references could go round for ever."""


class Parameter(NamedTuple):
    """One parameter, at the top or nested."""

    name: str
    schema: dict[str, Any]
    """References followed."""
    pointer: str
    """From the root of the parameters' schema."""
    required: bool
    top: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """One tool."""

    contract: Contract
    pointers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Where the parts stand in their source, e.g. `parameters` to `/3/function/parameters`."""
    source: str = ""
    """File, module or server that the tool comes from."""
    line: int | None = None
    """Where it begins there."""
    lines: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """JSON pointer to line, where the source is a file with such places."""

    def line_of(self, pointer: str) -> int | None:
        """The line of a place, or of what is around it, or of the tool."""
        while pointer and pointer not in self.lines:
            pointer = pointer.rpartition("/")[0]
        return self.lines.get(pointer, self.line) if pointer else self.line

    @property
    def name(self) -> str:
        """Its name."""
        return self.contract.name

    @property
    def text(self) -> str:
        """All that a model reads, but for the schema."""
        return self.contract.description()

    def says(self, part: str, words: re.Pattern[str] | None = None) -> bool:
        """Whether the part is there, or what is free text says it in other words."""
        contract = self.contract
        free = f"{contract.purpose}\n{contract.returns}"
        return bool(getattr(contract, part)) or (words is not None and bool(words.search(free)))

    def pointer(self, part: str, below: str = "") -> str:
        """Where a part stands; the tool itself where it is missing."""
        found = self.pointers.get(part)
        if found is not None:
            return found + below
        root = self.pointers.get("", "")
        return f"{root}/{part}{below}" if getattr(self.contract, part, None) else root

    def parameters(self) -> Iterator[Parameter]:
        """All parameters, nested ones after the one that they belong to; bounded."""
        root = self.contract.parameters
        return islice(_parameters(root, root, "", 0), PARAMETERS_MAX)


def _parameters(
    schema: Mapping[str, Any], root: dict[str, Any], pointer: str, depth: int
) -> Iterator[Parameter]:
    if depth > DEPTH_MAX:
        return
    properties = schema.get("properties")
    for name, declared in (properties if isinstance(properties, dict) else {}).items():
        part = followed(declared, root)
        if not isinstance(part, dict):
            continue
        if part is not declared:  # what is said beside a reference is said of this parameter
            part = {**part, **{key: declared[key] for key in declared.keys() - {"$ref"}}}
        place = f"{pointer}/properties/{escaped(name)}"
        required = name in (schema.get("required") or ())
        yield Parameter(name, part, place, required, depth == 0)
        yield from _parameters(part, root, place, depth + 1)
        items = followed(part.get("items"), root)
        if isinstance(items, dict):
            yield from _parameters(items, root, f"{place}/items", depth + 1)
