"""Tools from Python: `module:name` is a registry, tools or contracts, or a function that gives
them. The module is imported as `python -c` would: the working directory comes first."""

from __future__ import annotations

import importlib
import inspect
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from faultloop.bench.foreign import ForeignFailed, foreign_code
from faultloop.bench.linting.bad_target import BadTarget
from faultloop.loop.contract import Contract
from faultloop.loop.contract.lint import Specimen
from faultloop.loop.registry import Registry
from faultloop.loop.tools.function import FunctionTool

TOOLS_MAX = 10_000
"""No model is offered as many; an iterator without an end gives more."""


def read_module(target: str) -> list[Specimen]:
    """Import and read. Raises BadTarget."""
    module_name, _, name = target.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        with foreign_code():
            found: Any = importlib.import_module(module_name)
            for step in name.split("."):
                found = getattr(found, step)
            if inspect.isroutine(found):
                found = found()
            tools = _tools(found)
    except ForeignFailed as error:
        raise BadTarget(f"{target} cannot be read: {error}") from error
    if tools is None:
        raise BadTarget(
            f"{target} is of type {type(found).__name__}; a registry, tools or contracts are"
            " expected"
        )
    if len(tools) > TOOLS_MAX:
        raise BadTarget(f"{target} gives more than {TOOLS_MAX} tools; has it an end?")
    return [_specimen(tool, target) for tool in tools]


def _tools(found: Any) -> list[Any] | None:
    """The tools or contracts that a value holds, or None if it is something else."""
    if _contract(found) is not None:
        return [found]
    if isinstance(found, Registry):
        return [found.get(name) for name in found.known]
    if not isinstance(found, Iterable):
        return None
    given = found.values() if isinstance(found, dict) else found
    tools = list(itertools.islice(given, TOOLS_MAX + 1))
    return tools if all(_contract(tool) is not None for tool in tools) else None


def _contract(tool: Any) -> Contract | None:
    contract = tool if isinstance(tool, Contract) else getattr(tool, "contract", None)
    return contract if isinstance(contract, Contract) else None


def _specimen(tool: Any, target: str) -> Specimen:
    contract = _contract(tool)
    assert contract is not None, "it was looked at before"
    if isinstance(tool, FunctionTool):
        return Specimen(contract=contract, source=_short(tool.origin.file), line=tool.origin.line)
    return Specimen(contract=contract, source=target)


def _short(file: str) -> str:
    """A path as the user would type it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
