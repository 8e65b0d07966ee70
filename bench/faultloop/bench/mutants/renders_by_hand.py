"""A dialect whose rendering was written by hand and knows half of the declaration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Strict
from faultloop.loop.contract.rendering import Rendered


def by_hand(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """The name, the first line of the description, the parameters."""
    first = face["description"].partition("\n")[0]
    return Rendered({"name": face["name"], "description": first, "parameters": face["parameters"]})


def half(kit: Kit) -> Kit:
    """The right loop, and one dialect that lags behind."""
    return replace(kit, dialects={**kit.dialects, "gemini": by_hand})


MUTANT = Mutant(
    name="renders-by-hand",
    does="leaves out of one dialect what the declaration says of a tool",
    claims=("C1",),
    drills=("renderings-derive",),
    kit=half,
)
