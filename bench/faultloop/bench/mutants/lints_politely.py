"""A linter that mentions what is missing and not what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract.lint import Finding, Specimen, lint


def polite(tools: Sequence[Specimen]) -> Sequence[Finding]:
    """What could be added; no word on how the tool is cut."""
    return [found for found in lint(tools) if found.rule.id.startswith("no-")]


def politely(kit: Kit) -> Kit:
    """The right loop, and a linter that offends nobody."""
    return replace(kit, lint=polite)


MUTANT = Mutant(
    name="lints-politely",
    does="finds no action switches, fixed orders and near duplicates",
    claims=("C8",),
    drills=("lint-finds-bad-contracts",),
    kit=politely,
)
