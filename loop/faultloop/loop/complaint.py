"""How a rejection of arguments is worded for the model (SPEC P5, P7).

Always the same four parts: what is wrong and where, what was received, what to send, and the
shape that the tool expects. `PROBLEMS` is a table from the JSON Schema keyword that failed to the
sentence about it; a keyword without an entry gets the validator's own words. All is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal

from jsonschema_rs import ValidationError

from faultloop.loop.contract import Contract
from faultloop.loop.output import EXCERPT_BYTES, excerpt, head

Wording = Literal["full", "coded", "parsing", "failed", "prefixed"]
"""How much a model is told. `full`: what is wrong where, what was received, what to do (SPEC P7);
the others are what known loops say instead (SPEC, the table of presets)."""

SHORTER: Mapping[Wording, str] = MappingProxyType(
    {
        "coded": "INVALID_ARGS: {problem}",
        "parsing": "failed to parse function arguments: {problem}",
        "failed": "Validation failed for tool {tool}: {problem}",
        "prefixed": "Tool failed: the arguments of {tool} cannot be used: {problem}",
    }
)

PROBLEMS_MAX = 5
"""How many faults are told at once; a model mends these first."""
VALUE_BYTES = 200
"""How much of one wrong value is quoted in its own sentence."""
SHAPE_BYTES = 1_500
"""How much of the expected shape is told."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with decoded arguments, and what to do about it."""

    problem: str
    advice: str


def complaint(contract: Contract, args: dict[str, Any]) -> Complaint:
    """Say which fields break the schema, each with its path and the value that was received."""
    errors = list(islice(contract.validator.iter_errors(args), PROBLEMS_MAX + 1))
    told = [_problem(error, contract) for error in errors[:PROBLEMS_MAX]]
    if len(errors) > PROBLEMS_MAX:
        told.append("and more")
    return Complaint("; ".join(told), "Correct what is named and send all arguments again.")


def rejection(
    contract: Contract,
    text: str,
    problem: str,
    advice: str,
    *,
    around: int | None = None,
    mended: tuple[str, ...] = (),
    wording: Wording = "full",
) -> str:
    """The whole result that stands for a call whose arguments cannot be used."""
    if wording != "full":
        return SHORTER[wording].format(tool=contract.name, problem=problem)
    lines = [f"The arguments of {contract.name} cannot be used: {problem}. Nothing was run."]
    lines.extend(mended)
    # Of a tool with a small budget less is quoted, so that what to do about it is not cut off.
    received = excerpt(text, around, min(EXCERPT_BYTES, contract.output_budget_bytes // 4))
    lines.append(f"Received: {received}" if received else "Received: (an empty text)")
    lines.append(f"What to do: {advice}")
    lines.append(f"Expected: {shape(contract)}")
    if contract.example is not None:
        lines.append(f"Example: {head(_json(contract.example), SHAPE_BYTES)}")
    return "\n".join(lines)


def shape(contract: Contract) -> str:
    """The expected object in one line, e.g. `{"path": string, "limit"?: integer}`."""
    if not contract.properties:
        return "{} (the tool takes no parameters)"
    fields = [
        f'"{name}"{"" if name in contract.required else "?"}: {_type(schema)}'
        for name, schema in contract.properties.items()
    ]
    line = "{" + ", ".join(fields) + "}"
    if len(contract.required) < len(fields):
        line += " (? marks an optional one)"
    return head(line, SHAPE_BYTES)


def _problem(error: ValidationError, contract: Contract) -> str:
    where = _path(error.instance_path)
    known = PROBLEMS.get(error.kind.name)
    if known is None:
        return f"{where}: {head(error.message, VALUE_BYTES)}"
    return known(where, error, contract)


def _type_problem(where: str, error: ValidationError, contract: Contract) -> str:
    wanted = " or ".join(error.kind.as_dict()["types"])
    return f"{where}: expected {wanted}, received {_value(error.instance)}{_hint(wanted, error)}"


def _hint(wanted: str, error: ValidationError) -> str:
    """The commonest wrong types have a cure that can be named."""
    if isinstance(error.instance, str) and wanted in {"integer", "number", "boolean"}:
        return " (write it without quotes)"
    if wanted == "string" and isinstance(error.instance, int | float):
        return " (write it in quotes)"
    return ""


def _missing(where: str, error: ValidationError, contract: Contract) -> str:
    return f"{_under(where, error.kind.as_dict()['property'])}: missing, and it is required"


def _unknown(where: str, error: ValidationError, contract: Contract) -> str:
    told: list[str] = []
    for name in error.kind.as_dict()["unexpected"]:
        close = get_close_matches(name, contract.properties, n=1) if where == TOP else []
        instead = f" (did you mean {close[0]}?)" if close else ""
        field = _under(where, head(name, VALUE_BYTES))
        told.append(f"{field}: there is no such parameter{instead}")
    return "; ".join(told[:PROBLEMS_MAX])


def _options(where: str, error: ValidationError, contract: Contract) -> str:
    options = head(", ".join(map(_json, error.kind.as_dict()["options"])), VALUE_BYTES)
    return f"{where}: expected one of {options}, received {_value(error.instance)}"


PROBLEMS: dict[str, Callable[[str, ValidationError, Contract], str]] = {
    "type": _type_problem,
    "required": _missing,
    "additionalProperties": _unknown,
    "enum": _options,
}
"""JSON Schema keyword to the sentence about its failure."""

TOP = "the arguments"


def _path(path: list[str | int]) -> str:
    if not path:
        return TOP
    first, *rest = path
    return str(first) + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in rest)


def _under(where: str, name: str) -> str:
    return name if where == TOP else f"{where}.{name}"


def _value(value: object) -> str:
    text = _json(value)
    return text if len(text) <= VALUE_BYTES else head(text, VALUE_BYTES) + "..."


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _type(schema: object) -> str:
    """A parameter's type in a word or two."""
    if not isinstance(schema, dict):
        return "anything"
    options = schema.get("enum")
    if isinstance(options, list):
        return " | ".join(map(_json, options))
    declared = schema.get("type")
    if declared == "array":
        return f"[{_type(schema.get('items'))}, ...]"
    if isinstance(declared, list):
        return " | ".join(map(str, declared))
    return str(declared) if declared is not None else "see the schema"
