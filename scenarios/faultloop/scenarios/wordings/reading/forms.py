"""The forms in which tools are written down, ours and the providers', as contracts.

`FORMS` is tried from the top; the first whose key is there reads the entry. A reader says which
keys hold the parts, so that a finding can point into the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from faultloop.loop.contract import NO_PARAMETERS, Contract, ContractError
from faultloop.loop.contract.rendering import mcp


class BadContract(Exception):
    """An entry cannot be read as a contract. The text is a sentence's end."""


class Written(NamedTuple):
    """A contract, and where its parts stand below the entry."""

    contract: Contract
    pointers: dict[str, str]


OURS = frozenset(
    {"name", "purpose", "parameters", "when", "when_not", "paths", "returns", "continuation"}
    | {"example", "mistake", "read_only", "concurrency_safe", "idempotent", "honours_key"}
    | {"cancellable", "destructive", "open_world", "risk", "output_budget_bytes", "depends_on"}
    | {"concludes", "verify_with", "strict", "aliases", "parameter_aliases"}
)
"""Fields of a contract that a file can give: all but those that are functions."""


def _ours(entry: Mapping[str, Any], below: str) -> Written:
    unknown = sorted(entry.keys() - OURS)
    if unknown:
        raise BadContract(
            f"a contract has no field {unknown[0]!r}; it has: {', '.join(sorted(OURS))}"
        )
    fields = {"parameters": NO_PARAMETERS, **entry}
    for name in ("depends_on", "aliases"):
        if isinstance(fields.get(name), list):
            fields[name] = tuple(fields[name])
    try:
        contract = Contract(**fields)
        _typed(contract)
    except (TypeError, msgspec.ValidationError) as error:
        raise BadContract(f"this is no contract: {error}") from error
    return Written(contract, {key: f"{below}/{key}" for key in entry})


def _typed(contract: Contract) -> None:
    """Texts must be texts: YAML turns `no` and `1.0` into other things."""
    for part in ("purpose", "when", "when_not", "paths", "returns", "continuation", "mistake"):
        msgspec.convert(getattr(contract, part), str)
    msgspec.convert(contract.example, dict[str, Any] | None)


def _foreign(schema_key: str) -> Callable[[Mapping[str, Any], str], Written]:
    def read(entry: Mapping[str, Any], below: str) -> Written:
        contract = Contract.from_manifest(
            {
                "name": entry.get("name"),
                "description": entry.get("description"),
                "parameters": entry.get(schema_key) or NO_PARAMETERS,
                "annotations": mcp.hints(entry),
            }
        )
        pointers = {"name": f"{below}/name"}
        if "description" in entry:
            pointers["purpose"] = f"{below}/description"
        if schema_key in entry:
            pointers["parameters"] = f"{below}/{schema_key}"
        return Written(contract, pointers)

    return read


def _nested(entry: Mapping[str, Any], below: str) -> Written:
    inner = entry["function"]
    if not isinstance(inner, Mapping):
        raise BadContract("`function` is not an object")
    return _foreign("parameters")(inner, f"{below}/function")


FORMS: tuple[tuple[str, Callable[[Mapping[str, Any], str], Written]], ...] = (
    ("purpose", _ours),
    ("function", _nested),
    ("inputSchema", _foreign("inputSchema")),
    ("input_schema", _foreign("input_schema")),
    ("parametersJsonSchema", _foreign("parametersJsonSchema")),
    ("name", _foreign("parameters")),
)
"""A key that tells the form, and what reads it: a contract of ours, Chat Completions, MCP,
Messages, Gemini, and Responses or the manifest of subject contract v1."""


def read_entry(entry: object, below: str) -> Written:
    """Read one tool. Raises BadContract."""
    if not isinstance(entry, Mapping):
        raise BadContract(f"a tool is an object, and this is {type(entry).__name__}")
    try:
        for key, read in FORMS:
            if key in entry:
                return read(entry, below)
    except ContractError as error:
        raise BadContract(str(error)) from error
    except RecursionError:
        raise BadContract("it is nested too deeply for a tool") from None
    raise BadContract("this is no tool: it has neither a name nor a function")
