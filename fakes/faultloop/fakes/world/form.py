"""Forms: what the arguments of a tool must look like, and what is wrong with those that do not.

A schema is compiled when arguments are first held to it, and once for all plays that have it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import msgspec

_TOO_DEEP = "the arguments are nested too deeply: no parameter takes such a value"
"""What is wrong with arguments that no reader here can follow to their bottom."""


class Form:
    """The parameters of a tool, as something to hold arguments to."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self._parameters = parameters
        self._validator: jsonschema_rs.Draft202012Validator | None = None

    def problem(self, args: object) -> str | None:
        """What is wrong with the arguments, in a sentence with the place of each fault."""
        if self._validator is None:
            self._validator = _validator(canonical(self._parameters))
        try:
            if self._validator.is_valid(args):
                return None
            faults = [
                f"{_where(error.instance_path)}{error.message}"
                for error in self._validator.iter_errors(args)
            ]
        except ValueError:  # what the validator says to values that it cannot walk through
            return _TOO_DEEP
        return "; ".join(sorted(faults))


def canonical(value: object) -> str:
    """JSON with sorted keys and no spaces: equal values give equal texts."""
    return msgspec.json.encode(value, order="deterministic").decode()


@cache  # by the schema's text: compiling costs twenty times as much as validating
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(msgspec.json.decode(schema))


def _where(path: list[str | int]) -> str:
    return f"{'.'.join(map(str, path))}: " if path else ""
