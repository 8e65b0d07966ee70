"""The offer: what is said of the tools, and what their arguments must look like, as of now.

Most plays offer what the world has, from beginning to end. Two faults change that: an output that
comes in pieces gives its tool a `cursor`, from the start; a drift changes a tool's parameters once
it is due, which is after the first listing and after the calls that its place lets pass. What is
listed and what is accepted come from the same value, so they cannot disagree.

How many calls of a tool fitted is counted here, because drifts and all other faults of tools count
the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.faults.armed import Armed, Strike
from faultloop.fakes.faults.base import Drift
from faultloop.fakes.tooling.drift import drifted, told
from faultloop.fakes.world.form import Form
from faultloop.fakes.world.tool import WorldTool, text
from faultloop.fakes.world.world import World

CURSOR = "cursor"
"""The parameter by which the rest of a cut output is asked for."""

_CURSOR = text(
    "Where an answer came cut: the `continuation` that it gave. Left out, from the beginning."
)

_decode_args = msgspec.json.Decoder(dict[str, Any]).decode


class Read(NamedTuple):
    """Arguments that came, as the world takes them."""

    args: dict[str, Any]
    problem: str | None = None
    """What is wrong with them."""
    cursor: str | None = None
    """Where an output that came cut is to go on."""
    drifted: Strike | None = None
    """The drift that makes them wrong, where it had not been noticed before."""


class _Drifting:
    """A drift of one tool."""

    def __init__(self, index: int, drift: Drift, after: int, tool: WorldTool) -> None:
        self.index = index
        self.drift = drift
        self.after = after
        """How many calls are let pass before it."""
        self.noticed = False
        self.tool = replace(tool, parameters=drifted(tool.parameters, drift))
        self.form = Form(self.tool.parameters)


class Offer:
    """The tools of a play, as they are offered. Raises ValueError for a drift of nothing."""

    def __init__(self, world: World, armed: Armed) -> None:
        self.changed: list[Callable[[], None]] = []
        """Called whenever a listing would say something new."""
        self._world = world
        self._armed = armed
        self._tools: dict[str, WorldTool] = {}
        self._drifts: dict[str, _Drifting] = {}
        self._cut: set[str] = set()
        for tool in world.tools():
            self._add(tool)
        self._forms = {name: Form(self._tools[name].parameters) for name in self._cut}
        self._fitted = dict.fromkeys(self._tools, 0)
        self._listings = 0

    def _add(self, tool: WorldTool) -> None:
        standing = self._armed.standing(tool.name)
        if any(gateway.cut_chars for _, _, gateway in standing):
            self._cut.add(tool.name)
            tool = _with_parameter(tool, CURSOR, _CURSOR)
        self._tools[tool.name] = tool
        for index, site, gateway in standing:
            if gateway.drift is not None:
                after = site.occurrence - 1
                self._drifts[tool.name] = _Drifting(index, gateway.drift, after, tool)

    def __contains__(self, tool: str) -> bool:
        return tool in self._tools

    def __getitem__(self, tool: str) -> WorldTool:
        """A tool as it is now."""
        drifting = self._drifting(tool)
        return self._tools[tool] if drifting is None else drifting.tool

    def listed(self) -> tuple[tuple[WorldTool, ...], list[Strike]]:
        """A listing, and the drifts that are seen in it for the first time."""
        tools = tuple(self[name] for name in self._tools)
        due = [drifting for name in self._tools if (drifting := self._drifting(name)) is not None]
        seen = [strike for drifting in due if (strike := self._notice(drifting)) is not None]
        self._listings += 1
        if self._listings == 1 and any(not one.after for one in self._drifts.values()):
            self._tell()
        return tools, seen

    def fits(self, tool: str) -> int:
        """Another call of a tool fitted; returns how many did."""
        self._fitted[tool] += 1
        drifting = self._drifts.get(tool)
        if drifting is not None and self._listings and self._fitted[tool] == drifting.after:
            self._tell()
        return self._fitted[tool]

    def read(self, tool: str, arguments: str) -> Read:
        """Arguments as they came, held to what the tool takes now."""
        try:
            args = _decode_args(arguments)
        except (msgspec.DecodeError, RecursionError) as error:
            return Read({}, f"the arguments cannot be read as a JSON object: {error}")
        drifting = self._drifting(tool)
        if drifting is None:
            problem = self._problem(tool, args)
        else:
            problem = drifting.form.problem(args)
            if problem is not None and self._problem(tool, args) is None:
                changed = f"{told(tool, drifting.drift)} ({problem})"
                return Read(args, changed, drifted=self._notice(drifting))
            renamed = drifting.drift.renamed
            if problem is None and renamed in args:
                args[drifting.drift.parameter] = args.pop(renamed)
        cursor = args.pop(CURSOR, None) if problem is None and tool in self._cut else None
        return Read(args, problem, cursor)

    def _problem(self, tool: str, args: dict[str, Any]) -> str | None:
        """What is wrong with arguments in the form that was listed first."""
        form = self._forms.get(tool)
        return self._world.validate(tool, args) if form is None else form.problem(args)

    def _drifting(self, tool: str) -> _Drifting | None:
        """The drift that a tool has gone through."""
        drifting = self._drifts.get(tool)
        if drifting is None or not self._listings or self._fitted[tool] < drifting.after:
            return None
        return drifting

    def _notice(self, drifting: _Drifting) -> Strike | None:
        if drifting.noticed:
            return None
        drifting.noticed = True
        return self._armed.take(drifting.index)

    def _tell(self) -> None:
        for listener in tuple(self.changed):
            listener()


def _with_parameter(tool: WorldTool, name: str, schema: dict[str, Any]) -> WorldTool:
    properties = {**tool.parameters["properties"], name: schema}
    return replace(tool, parameters={**tool.parameters, "properties": properties})
