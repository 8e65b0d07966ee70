"""Where tools live: listed, rendered and looked up by name, never in branches of code (SPEC C10).

A registry is a value: adding, removing or shutting a tool gives another registry, so that a run
keeps the tool set it started with (SPEC L15). Only declared aliases are followed; a name that
merely looks like a tool's is answered with the tools there are, nearest first (SPEC P6), because
guessing which tool a model meant is how the wrong one gets run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec

from faultloop.loop.contract import Contract, ContractError, Strict
from faultloop.loop.contract.rendering import Dialect, Rendered, render
from faultloop.loop.output import head
from faultloop.loop.strict_json import copied
from faultloop.loop.tools.port import Tool

NAMES_TOLD_MAX = 20
"""How many names an unknown tool is answered with."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that was asked for."""

    tool: Tool
    alias: str | None = None
    """The name that the model used, where it was not the tool's own (SPEC P4)."""


class UnknownTool(msgspec.Struct, frozen=True, kw_only=True):
    """There is no such tool to call; `message` is for the model (SPEC P6)."""

    name: str
    message: str
    code: str = "UNKNOWN_TOOL"


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """A read-only call that can tell whether another call took effect (SPEC D2)."""

    tool: Tool
    args: dict[str, Any]


Shut = Collection[str] | Mapping[str, str]
"""Names of tools that cannot be called; as a mapping, with how to reach what they do."""


class Registry:
    """The tools of a session, by name."""

    def __init__(self, tools: Iterable[Tool] = (), *, shut: Shut = ()) -> None:
        """Hold the tools; those named in `shut` exist but cannot be called in this session.

        Where `shut` maps a name to a sentence, a model that asks for the tool is told by it how to
        reach what it wants (SPEC P6).
        """
        self._tools: dict[str, Tool] = {}
        self._aliases: dict[str, str] = {}
        self._shut: dict[str, str] = (
            dict(shut) if isinstance(shut, Mapping) else dict.fromkeys(shut, "")
        )
        for tool in tools:
            self._hold(tool)

    def _hold(self, tool: Tool) -> None:
        name = tool.contract.name
        if name in self._tools:
            raise ContractError(f"two tools are called {name}; a name must say which one is meant")
        self._tools[name] = tool
        for alias in tool.contract.aliases:
            other = self._aliases.setdefault(alias, name)
            if other != name:
                raise ContractError(f"{alias} is an alias of both {other} and {name}")

    def __iter__(self) -> Iterator[Tool]:
        return (tool for name, tool in self._tools.items() if name not in self._shut)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._tools and name not in self._shut

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The callable tools in the order in which they were added."""
        return tuple(tool.contract.name for tool in self)

    def faces(self) -> tuple[dict[str, Any], ...]:
        """The model's face of every callable tool, for a request."""
        return self._faces

    @cached_property
    def _faces(self) -> tuple[dict[str, Any], ...]:
        return tuple(tool.contract.face() for tool in self)

    @cached_property
    def digest(self) -> str:
        """Short hash of those faces: equal for registries that a model cannot tell apart."""
        spelt = msgspec.json.encode(self.faces(), order="deterministic")
        return blake2b(spelt, digest_size=8).hexdigest()

    def rendered(self, dialect: Dialect, strict: Strict | None = None) -> tuple[Rendered, ...]:
        """Every callable tool as a dialect spells it, with notes on strict decoding (SPEC C11).

        `strict` is the provider's setting. Raises StrictImpossible, ContractError.
        """
        return tuple(render(face, dialect, strict) for face in self.faces())

    @property
    def known(self) -> tuple[str, ...]:
        """All tools in the order in which they were added, the shut ones among them."""
        return tuple(self._tools)

    def get(self, name: str) -> Tool | None:
        """The tool of exactly this name, also a shut one."""
        return self._tools.get(name)

    def plus(self, *tools: Tool) -> Registry:
        """A registry with more tools, as when a server of tools is connected at run time."""
        return Registry((*self._tools.values(), *tools), shut=self._shut)

    def without(self, names: Collection[str]) -> Registry:
        """A registry that does not know these tools at all."""
        kept = (tool for name, tool in self._tools.items() if name not in names)
        return Registry(kept, shut=self._shut)

    def synced(self, names: Collection[str], tools: Iterable[Tool]) -> Registry:
        """A registry with these tools in place of those of these names.

        For a server whose list has changed (`McpServer.known` has the names); what was shut stays
        shut. Raises ContractError for a text, whose letters are names of nothing.
        """
        if isinstance(names, str):
            raise ContractError(f"synced takes a collection of names, not the text {names!r}")
        return self.without(names).plus(*tools)

    def only(self, names: Collection[str]) -> Registry:
        """A registry in which just these can be called; the others stay known, and say so."""
        return Registry(self._tools.values(), shut=self._tools.keys() - set(names))

    def closing(self, shut: Shut) -> Registry:
        """A registry in which these cannot be called either."""
        more = shut if isinstance(shut, Mapping) else dict.fromkeys(shut, "")
        return Registry(self._tools.values(), shut={**self._shut, **more})

    def opening(self, names: Collection[str]) -> Registry:
        """A registry in which these can be called again."""
        shut = {name: reach for name, reach in self._shut.items() if name not in names}
        return Registry(self._tools.values(), shut=shut)

    def find(self, name: str) -> Found | UnknownTool:
        """Look a tool up by the name that a model used, following declared aliases only."""
        if name in self:
            return Found(tool=self._tools[name])
        own = self._aliases.get(name)
        if own is not None and own in self:
            return Found(tool=self._tools[own], alias=name)
        return UnknownTool(name=name, message=self._explain(name))

    def query(self, contract: Contract, args: dict[str, Any]) -> Query | None:
        """How to ask the world whether this call took effect, or None where nothing can tell.

        Arguments that the asking tool does not know are left out; a question that it would then
        refuse, or one that could itself change something, is no question. A tool that is shut is
        shut to the loop as well.
        """
        name = contract.verify_with or ""
        asker = self._tools[name] if name in self else None
        if asker is None or not asker.contract.read_only:
            return None
        try:
            given = contract.verify_arguments(copied(args))
        except Exception:  # a declaration's own code: what it cannot answer is not known
            return None
        known = asker.contract.properties
        asked = {field: value for field, value in given.items() if field in known}
        if not asker.contract.validator.is_valid(asked):
            return None
        return Query(tool=asker, args=asked)

    def _explain(self, name: str) -> str:
        asked = head(name, 100)
        own = self._aliases.get(name, name)
        if own in self._tools and own in self._shut:
            first = f"The tool {asked} exists, but it cannot be called directly in this session."
            if self._shut[own]:
                first = f"{first} {self._shut[own]}"
        else:
            first = f"There is no tool called {asked}."
        told = nearest(name, self.names)[:NAMES_TOLD_MAX]
        if not told:
            return f"{first} No tool can be called; answer in text."
        more = len(self) - len(told)
        rest = f" and {more} more" if more else ""
        return (
            f"{first} Nothing was run. Tools there are, nearest name first: "
            f"{', '.join(told)}{rest}. Call one of them under exactly that name, or answer in text."
        )


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names ordered by likeness to `name`; ties alphabetically."""
    wanted = _plain(name)

    def rank(candidate: str) -> tuple[float, str]:
        return -SequenceMatcher(None, wanted, _plain(candidate)).ratio(), candidate

    return sorted(names, key=rank)


def _plain(name: str) -> str:
    """A name without what models get wrong first: case, separators, a namespace before it."""
    last = name[:100].replace("/", ".").rpartition(".")[2]
    return last.replace("_", "").replace("-", "").casefold()
