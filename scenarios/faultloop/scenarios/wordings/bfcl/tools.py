"""BFCL's functions as contracts.

Rows of a category share one wording, and a name may stand for several functions in it, in several
versions: the second of a name gets `__2` behind it, and so on. Names get the form that an API takes
(`spotify.play` becomes `spotify_play`); a function keeps its own name in `Tool.function`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.bfcl.json_types import schema_of
from faultloop.scenarios.wordings.bfcl.source import Row
from faultloop.scenarios.wordings.models.names import api_names


class Tool(NamedTuple):
    """A function as a tool."""

    function: dict[str, Any]
    """As BFCL writes it."""
    contract: Contract


class Tools(NamedTuple):
    """All functions of a category."""

    by_identity: Mapping[str, Tool]

    def of(self, function: Mapping[str, Any]) -> Tool:
        """The tool that a row's function is."""
        return self.by_identity[_identity(function)]

    @property
    def contracts(self) -> dict[str, Contract]:
        """Name to contract."""
        return {tool.contract.name: tool.contract for tool in self.by_identity.values()}


def tools_of(rows: Iterable[Row]) -> Tools:
    """The distinct functions of rows, in the order of their first appearance. Raises
    ContractError, or KeyError for a type that nobody knows."""
    functions = {
        _identity(function): (function, row.language) for row in rows for function in row.functions
    }
    versions: defaultdict[str, int] = defaultdict(int)
    numbered: dict[str, str] = {}
    for identity, (function, _) in functions.items():
        name = str(function["name"])
        versions[name] += 1
        numbered[identity] = f"{name}__{versions[name]}" if versions[name] > 1 else name
    names = api_names(numbered.values())
    return Tools(
        {
            identity: Tool(
                function=function,
                contract=Contract(
                    name=names[numbered[identity]],
                    purpose=str(function.get("description", "")),
                    parameters=schema_of(function["parameters"], language),
                ),
            )
            for identity, (function, language) in functions.items()
        }
    )


def _identity(function: Mapping[str, Any]) -> str:
    return json.dumps(function, sort_keys=True, ensure_ascii=False)
