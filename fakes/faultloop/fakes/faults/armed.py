"""The faults of one play, ready to strike: which are due where, and how often each was used.

The only place that counts their `times`. It knows the four families of faults by their protocols
and sorts them once; it does not carry out anything.
"""

from __future__ import annotations

from typing import NamedTuple

from faultloop.fakes.faults.base import (
    Fault,
    HttpFault,
    ModelFault,
    Site,
    StreamFault,
    ToolFault,
    parse_site,
)


class Strike(NamedTuple):
    """One fault that is to strike, for the history to name when it does."""

    fault: int
    """Its index in the scenario's list."""
    kind: str


class Armed:
    """All faults of a play. Raises ValueError with a sentence for a fault in an unfit place."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self._faults = faults
        self._taken = [0] * len(faults)
        self._model: list[tuple[int, Site, ModelFault]] = []
        self._http: list[tuple[int, Site, HttpFault]] = []
        self._stream: list[tuple[int, Site, StreamFault]] = []
        self._tool: list[tuple[int, Site, ToolFault]] = []
        for index, fault in enumerate(faults):
            self._sort_in(index, fault)

    def _sort_in(self, index: int, fault: Fault) -> None:
        site = parse_site(fault.at)
        match fault:
            case ToolFault():
                self._tool.append((index, site, fault))
            case HttpFault():
                self._http.append((index, site, fault))
            case StreamFault():
                self._stream.append((index, site, fault))
            case ModelFault():
                self._model.append((index, site, fault))
            case _:
                raise ValueError(f"fault {fault.kind!r} has none of the methods that strike")
        if isinstance(fault, ToolFault) == (site.tool is None):
            fit = "tool NAME" if isinstance(fault, ToolFault) else "step N"
            raise ValueError(f"fault {fault.kind!r} cannot strike at {fault.at!r}: write {fit!r}")

    def model(self, step: int) -> list[tuple[int, ModelFault]]:
        """Model faults of a step; they are never used up."""
        return [(index, fault) for index, site, fault in self._model if site.step == step]

    def http(self, step: int) -> tuple[int, HttpFault] | None:
        """The HTTP fault that is due at a step."""
        for index, site, fault in self._http:
            if site.step == step and self._is_left(index):
                return index, fault
        return None

    def stream(self, step: int) -> list[tuple[int, StreamFault]]:
        """Stream faults that are due at a step."""
        return [
            (index, fault)
            for index, site, fault in self._stream
            if site.step == step and self._is_left(index)
        ]

    def tool(self, tool: str, occurrence: int) -> tuple[int, ToolFault] | None:
        """The fault that is due at this invocation of a tool, counted from 1."""
        for index, site, fault in self._tool:
            if site.tool == tool and site.occurrence <= occurrence and self._is_left(index):
                return index, fault
        return None

    def take(self, index: int) -> Strike:
        """Use a fault up by one time. Whether its consequence is ever seen is told by others."""
        self._taken[index] += 1
        return Strike(index, self._faults[index].kind)

    def _is_left(self, index: int) -> bool:
        return self._taken[index] < self._faults[index].times
