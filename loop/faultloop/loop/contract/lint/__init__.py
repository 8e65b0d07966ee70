"""The linter of tool contracts: what makes a tool hard for a model to choose and to fill (SPEC C8).

Pure: tools in, findings out. What reads tools from files, modules and servers, and what prints
findings, is the command's (`bench/linting`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from faultloop.loop.contract.lint.rule import Finding, Rule, Spot
from faultloop.loop.contract.lint.rules import RULES
from faultloop.loop.contract.lint.specimen import Specimen

__all__ = ["RULES", "Finding", "Rule", "Specimen", "Spot", "lint"]


def lint(tools: Sequence[Specimen], *, ignored: Collection[str] = ()) -> tuple[Finding, ...]:
    """What the rules find in tools that would be offered together, tool by tool.

    `ignored`: rules, or `rule:tool` for one tool only.
    """
    found = [
        Finding(rule, spot)
        for rule in RULES
        if rule.id not in ignored
        for spot in rule.look(tools)
        if f"{rule.id}:{spot.tool.name}" not in ignored
    ]
    order = {id(tool): place for place, tool in enumerate(tools)}
    return tuple(sorted(found, key=lambda finding: order[id(finding.spot.tool)]))
