"""A complex parameter without an example.

Complex: an object with fields of its own, a list of anything but plain values, alternatives of
which one is an object or a list, or a text with a pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.references import HOPS_MAX, followed, is_object, types_of


def _look(tool: Specimen) -> Iterator[Spot]:
    if tool.contract.example is not None:
        return
    root = tool.contract.parameters
    for parameter in tool.parameters():
        schema = parameter.schema
        if not parameter.top or not _is_complex(schema, root):
            continue
        if schema.get("examples") or "{" in str(schema.get("description", "")):
            continue
        saw = f"{parameter.name} has a form of its own, and there is no example of it"
        yield Spot(tool, tool.pointer("parameters", parameter.pointer), saw)


def _is_complex(schema: object, root: dict[str, Any], hops: int = HOPS_MAX) -> bool:
    schema = followed(schema, root)
    if not isinstance(schema, dict) or hops == 0:
        return False
    if is_object(schema, root) or "pattern" in schema:
        return True
    items = followed(schema.get("items"), root)
    if is_object(items, root) or "array" in types_of(items):
        return True
    options = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return any(_is_complex(option, root, hops - 1) for option in options)


RULE = Rule(
    id="no-example",
    what="a complex parameter without an example",
    why="nested arguments are where models err most, and one right example mends most of it",
    advice="give one right set of arguments, whole, as the contract's example",
    look=each(_look),
)
