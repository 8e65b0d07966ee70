"""What a docstring says of a tool: the parts of the model's face that types cannot tell (SPEC C1).

Parameters, results and prose are read by `docstring_parser`, in Google's, NumPy's or reST's form.
The parts that only tools have are paragraphs that begin with one of the labels of `LABELS`, in any
of the three, e.g. `When not to use: the file is binary.`
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import docstring_parser
import msgspec

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "when to use": "when",
        "when not to use": "when_not",
        "paths": "paths",
        "long output": "continuation",
        "example": "example",
        "common mistake": "mistake",
    }
)
"""Label to the part of the contract that it begins."""

_LABELLED = re.compile(rf"({'|'.join(LABELS)}):(?:\s+(.*))?", re.IGNORECASE)
_OTHER_SECTION = re.compile(r"(?:[A-Z][A-Za-z ]*:|:\w+.*:.*)$|:\w+")


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of a contract that stood in a docstring; empty where nothing was said."""

    purpose: str = ""
    when: str = ""
    when_not: str = ""
    paths: str = ""
    returns: str = ""
    continuation: str = ""
    mistake: str = ""
    example: dict[str, Any] | None = None
    parameters: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Parameter to what is said of it."""


class BadDocstring(ValueError):
    """The docstring cannot be read as what it claims to be; the text says where."""


def read(text: str) -> Told:
    """Read a docstring. Raises BadDocstring."""
    rest, parts = _without_labelled(inspect.cleandoc(text).splitlines())
    parsed = docstring_parser.parse("\n".join(rest))  # one of its forms takes any text
    prose = [parsed.short_description, parsed.long_description]
    returns = parsed.returns.description if parsed.returns is not None else ""
    return Told(
        purpose=_plain(" ".join(part for part in prose if part)),
        returns=_plain(returns or ""),
        example=_example(parts.pop("example", "")),
        parameters={
            parameter.arg_name: _plain(parameter.description or "") for parameter in parsed.params
        },
        **parts,
    )


def _without_labelled(lines: list[str]) -> tuple[list[str], dict[str, str]]:
    """The other lines, and the labelled paragraphs by part."""
    rest: list[str] = []
    parts: dict[str, str] = {}
    current: str | None = None
    for line in lines:
        labelled = _LABELLED.fullmatch(line)
        if labelled is not None:
            current = LABELS[labelled[1].lower()]
            parts[current] = labelled[2] or ""
        elif current is None or not line.strip() or _OTHER_SECTION.match(line):
            current = None
            rest.append(line)
        else:
            parts[current] += f" {line.strip()}"
    return rest, {part: _plain(text) for part, text in parts.items()}


def _example(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    try:
        example = json.loads(text)
    except ValueError as error:
        raise BadDocstring(f"the example in its docstring is no JSON ({error}): {text}") from error
    if not isinstance(example, dict):
        raise BadDocstring(f"the example in its docstring must be one JSON object: {text}")
    return example


def _plain(text: str) -> str:
    return " ".join(text.split())
