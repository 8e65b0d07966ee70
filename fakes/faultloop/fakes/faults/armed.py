"""The faults of one play, ready to strike: which are due where, and how often each was used.

The only place that counts their `times` and draws their `chance`. It knows the five families of
faults by their protocols and sorts them once; it does not carry out anything.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple, TypeVar

from faultloop.fakes.faults.base import (
    ANY_TOOL,
    ByteFault,
    Fault,
    Gateway,
    HttpFault,
    ModelFault,
    Site,
    StreamFault,
    ToolFault,
    parse_site,
    too_small,
)

F = TypeVar("F")


class Strike(NamedTuple):
    """One fault that is to strike, for the history to name when it does."""

    fault: int
    """Its index in the scenario's list."""
    kind: str


def is_drawn(seed: int, fault: Fault, place: str, occurrence: int) -> bool:
    """Whether a fault is to strike a place (`step 2`, `tool read_file`) the time `occurrence`.

    Equal arguments give equal answers; different places and times are independent of each other.
    """
    if fault.chance >= 1:
        return True
    name = f"{seed}/{fault.kind}/{place}/{occurrence}"
    drawn = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
    return drawn < fault.chance * 2**64


class Armed:
    """All faults of a play. Raises ValueError with a sentence for a fault in an unfit place."""

    def __init__(self, faults: tuple[Fault, ...], *, seed: int = 0) -> None:
        self._faults = faults
        self._seed = seed
        self._visits: dict[tuple[str, int], int] = {}
        """How often each family of faults was asked for at each step."""
        self._taken = [0] * len(faults)
        self._model: list[tuple[int, Site, ModelFault]] = []
        self._http: list[tuple[int, Site, HttpFault]] = []
        self._stream: list[tuple[int, Site, StreamFault]] = []
        self._bytes: list[tuple[int, Site, ByteFault]] = []
        self._tool: list[tuple[int, Site, ToolFault]] = []
        self._drifts: list[tuple[int, Site, ToolFault]] = []
        for index, fault in enumerate(faults):
            self._sort_in(index, fault)

    def _sort_in(self, index: int, fault: Fault) -> None:
        site = parse_site(fault.at)
        match fault:
            case ToolFault():
                drifts = fault.gateway().drift is not None
                (self._drifts if drifts else self._tool).append((index, site, fault))
            case HttpFault():
                self._http.append((index, site, fault))
            case StreamFault():
                self._stream.append((index, site, fault))
            case ByteFault():
                self._bytes.append((index, site, fault))
            case ModelFault():
                self._model.append((index, site, fault))
            case _:
                raise ValueError(f"fault {fault.kind!r} has none of the methods that strike")
        if isinstance(fault, ToolFault) == (site.tool is None):
            fit = "tool NAME" if isinstance(fault, ToolFault) else "step N"
            raise ValueError(f"fault {fault.kind!r} cannot strike at {fault.at!r}: write {fit!r}")
        if not 0 < fault.chance <= 1:
            said = f"fault {fault.kind!r} has a chance of {fault.chance:g}"
            raise ValueError(f"{said}: write a number above 0 and at most 1")
        for field, least in too_small(fault):
            raise ValueError(f"{field} of fault {fault.kind!r} is at least {least}")

    def model(self, step: int) -> list[tuple[int, ModelFault]]:
        """Model faults of a step; they are never used up."""
        return self._drawn("model", self._model, step)

    def http(self, step: int) -> tuple[int, HttpFault] | None:
        """The HTTP fault that is due at a step."""
        return next(iter(self._due("http", self._http, step)), None)

    def stream(self, step: int) -> list[tuple[int, StreamFault]]:
        """Stream faults that are due at a step."""
        return self._due("stream", self._stream, step)

    def bytes(self, step: int) -> list[tuple[int, ByteFault]]:
        """Byte faults that are due at a step, in the scenario's order."""
        return self._due("bytes", self._bytes, step)

    def tool(self, tool: str, occurrence: int) -> tuple[int, ToolFault] | None:
        """The fault that is due at this invocation of a tool, counted from 1."""
        for index, site, fault in self._tool:
            is_due = site.is_at_tool(tool, occurrence) and self._is_left(index)
            if is_due and self._is_drawn(index, f"tool {tool}", occurrence):
                return index, fault
        return None

    def standing(self, tool: str) -> list[tuple[int, Site, Gateway]]:
        """All that may strike a tool, for what is said of it before it is called; of drifts those
        that their chance lets happen."""
        drifts = [
            drift
            for drift in self._drifts
            if self._is_drawn(drift[0], f"tool {tool}", drift[1].occurrence)
        ]
        return [
            (index, site, fault.gateway())
            for index, site, fault in (*self._tool, *drifts)
            if site.tool in (tool, ANY_TOOL)
        ]

    def take(self, index: int) -> Strike:
        """Use a fault up by one time. Whether its consequence is ever seen is told by others."""
        self._taken[index] += 1
        return Strike(index, self._faults[index].kind)

    def _due(
        self, family: str, faults: list[tuple[int, Site, F]], step: int
    ) -> list[tuple[int, F]]:
        """Of a family, what strikes a step and is not used up, in the scenario's order."""
        drawn = self._drawn(family, faults, step)
        return [(index, fault) for index, fault in drawn if self._is_left(index)]

    def _drawn(
        self, family: str, faults: list[tuple[int, Site, F]], step: int
    ) -> list[tuple[int, F]]:
        if not faults:
            return []
        visit = self._visits[family, step] = self._visits.get((family, step), 0) + 1
        return [
            (index, fault)
            for index, site, fault in faults
            if site.is_at_step(step) and self._is_drawn(index, f"step {step}", visit)
        ]

    def _is_left(self, index: int) -> bool:
        return self._taken[index] < self._faults[index].times

    def _is_drawn(self, index: int, place: str, occurrence: int) -> bool:
        return is_drawn(self._seed, self._faults[index], place, occurrence)
