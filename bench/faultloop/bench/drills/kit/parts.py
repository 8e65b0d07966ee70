"""The parts under test. A drill takes them from its kit, never from the loop: a mutant is a kit
with one part replaced, and the drill must notice without knowing.

A new part is a field with the right thing as its default. It needs a drill that uses it and a
mutant that replaces it, or it proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faultloop.loop.contract import Contract, Strict
from faultloop.loop.contract.lint import Finding, Specimen, lint
from faultloop.loop.contract.rendering import DIALECTS, Rendered, mcp
from faultloop.loop.engine import Agent
from faultloop.loop.events import AnyEvent
from faultloop.loop.evolving import replay
from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import Fenced, Journal
from faultloop.loop.journal.sqlite import SqliteJournal
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import Lease
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.registry import Registry
from faultloop.loop.state import State
from faultloop.loop.tools.port import Tool


def unchanged(policy: Policy) -> Policy:
    """The policy as it is."""
    return policy


def untouched(tool: Tool) -> Tool:
    """The tool as it is."""
    return tool


def leased(journal: Fenced, clock: Callable[[], float]) -> Lease:
    """The lease, with its expiry as it is by default."""
    return FileLease(journal, clock=clock)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What drills are played with; the defaults are the reference."""

    base: Policy = REFERENCE
    """The preset that a drill sets its knobs on."""
    policy: Callable[[Policy], Policy] = unchanged
    """What a wrong loop makes of the policy that it was given."""
    agent: type[Agent] = Agent
    tool: Callable[[Tool], Tool] = untouched
    """What a wrong loop makes of a tool."""
    journal: Callable[[list[bytes]], Journal] = MemoryJournal
    """Opens the journal whose records are in this list."""
    stores: tuple[Callable[[Path], Fenced], ...] = (JsonlJournal, SqliteJournal)
    """Open the journal that is in this file."""
    lease: Callable[[Fenced, Callable[[], float]], Lease] = leased
    """The lease of a journal in a file, by this clock."""
    replay: Callable[[Iterable[AnyEvent]], State] = replay
    contract: type[Contract] = Contract
    dialects: Mapping[str, Callable[[Mapping[str, Any], Strict | None], Rendered]] = field(
        default_factory=lambda: DIALECTS
    )
    """Spell a tool's face in each dialect."""
    mcp: Callable[[Contract], dict[str, Any]] = mcp.render
    """Spells a tool for the hosts of MCP."""
    lint: Callable[[Sequence[Specimen]], Sequence[Finding]] = lint
    """Finds what is wrong with tools that are offered together."""
    registry: type[Registry] = Registry
    naive: str = "naive-openai"
    """The subject that is shipped as the minimal loop."""


def as_it_is(kit: Kit) -> Kit:
    """The kit as it is."""
    return kit
