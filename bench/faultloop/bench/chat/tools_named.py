"""The tools that somebody names on the command line, as `module:registry`.

The module is looked for in the working folder first, then where Python looks. What it names is a
`Registry`, a sequence of tools, or a function without parameters that returns one of these.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

from typing_extensions import TypeIs

from faultloop.bench.chat.options import BadChat
from faultloop.bench.foreign import ForeignFailed, foreign_code
from faultloop.loop.contract import Contract, ContractError
from faultloop.loop.registry import Registry
from faultloop.loop.tools.port import Tool

TOOLS_MAX = 10_000
"""No model is offered as many; an iterator without an end gives more."""


def tools_named(name: str, *, folder: Path) -> Registry:
    """Import and look up. Raises BadChat."""
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise BadChat(f"--tools {name!r}: give a module and a name in it, as in my_tools:registry")
    found = _looked_up(module_name, attribute, folder)
    if callable(found) and not _is_tool(found):  # a tool may be a function, too
        try:
            with foreign_code():
                found = found()
        except ForeignFailed as error:
            raise BadChat(f"--tools {name}: {attribute}() failed: {error}") from error
    return _registry(name, found)


def _looked_up(module_name: str, attribute: str, folder: Path) -> object:
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if module_name == missing or module_name.startswith(f"{missing}."):
            raise BadChat(
                f"--tools: there is no module {module_name} in {folder}, nor where Python looks"
            ) from error
        raise BadChat(f"--tools: {module_name} cannot be imported: {_told(error)}") from error
    except (Exception, SystemExit) as error:
        raise BadChat(f"--tools: {module_name} cannot be imported: {_told(error)}") from error
    finally:
        sys.path.remove(str(folder))
    try:
        found: object = getattr(module, attribute)
    except AttributeError:
        there = [name for name, value in vars(module).items() if isinstance(value, Registry)]
        hint = f"; it has {', '.join(there)}" if there else ""
        raise BadChat(f"--tools: {module_name} has no {attribute}{hint}") from None
    return found


def _registry(name: str, found: object) -> Registry:
    if isinstance(found, Registry):
        return found
    try:
        with foreign_code():
            tools = _listed(found)
    except ForeignFailed as error:
        raise BadChat(f"--tools {name} cannot be read: {error}") from error
    if not tools or not all(map(_is_tool, tools)):
        raise BadChat(
            f"--tools {name} is no registry and no list of tools, but a {type(found).__name__}"
        )
    try:
        return Registry(tool for tool in tools if _is_tool(tool))
    except ContractError as error:
        raise BadChat(f"--tools {name}: {error}") from error


def _listed(found: object) -> list[object]:
    if isinstance(found, Iterable) and not isinstance(found, str):
        return list(itertools.islice(found, TOOLS_MAX))
    return [found]


def _is_tool(value: object) -> TypeIs[Tool]:
    return isinstance(getattr(value, "contract", None), Contract) and callable(
        getattr(value, "run", None)
    )


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
