"""A drift: the same tool with other parameters, and the sentence that says what changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultloop.fakes.faults.base import Drift


def drifted(parameters: Mapping[str, Any], drift: Drift) -> dict[str, Any]:
    """The parameters after it. Raises ValueError, with a sentence, where nothing would change."""
    known, required = parameters["properties"], parameters["required"]
    if drift.parameter not in known:
        raise ValueError(
            f"there is no parameter {drift.parameter!r} that could change; there are "
            f"{', '.join(known) or 'none'}"
        )
    if drift.renamed in known:
        raise ValueError(f"there is a parameter {drift.renamed!r} already")
    if drift.renamed is None and drift.parameter in required:
        raise ValueError(
            f"{drift.parameter!r} must be given already, so nothing would change; say how it is "
            "renamed"
        )
    old, new = drift.parameter, drift.renamed or drift.parameter
    properties = {new if name == old else name: what for name, what in known.items()}
    needed = [new if name == old else name for name in required]
    if drift.renamed is None:
        needed.append(new)
    return {**parameters, "properties": properties, "required": needed}


def told(tool: str, drift: Drift) -> str:
    """What a call in the old form is told."""
    name, renamed = drift
    change = f"{name!r} is now called {renamed!r}" if renamed else f"{name!r} must be given"
    return (
        f"the parameters of {tool} have changed since they were first listed: {change}; list the "
        "tools again"
    )
