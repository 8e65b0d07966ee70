"""A rendering that gives up strict decoding without a word, required or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.contract import Strict
from faultloop.loop.contract.rendering import Rendered, StrictImpossible, render


def silent(face: Mapping[str, Any], strict: Strict | None = None) -> Rendered:
    """As wished where it can be had, else as if nobody had wished."""
    try:
        rendered = render(face, "openai_chat", strict)
    except StrictImpossible:
        rendered = render({**face, "strict": None}, "openai_chat")
    return Rendered(rendered.tool, rendered.strict)


def silently(kit: Kit) -> Kit:
    """The right loop, and a dialect that does not say what it could not do."""
    return replace(kit, dialects={**kit.dialects, "openai_chat": silent})


MUTANT = Mutant(
    name="falls-back-in-silence",
    does="gives up required strict decoding without an error",
    claims=("C11",),
    drills=("strict-is-honest",),
    kit=silently,
)
