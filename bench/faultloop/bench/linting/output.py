"""How findings are told: to a person, to a program, to GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the help names the formats, and needs nothing else
    from faultloop.loop.contract.lint import Finding, Specimen

    Tools = Sequence[Specimen]
    Findings = Sequence[Finding]


def text(tools: Tools, findings: Findings) -> str:
    """Each finding with its place, then each rule that was tripped with its reason and advice."""
    lines = [
        f"{_place(finding)}: {finding.rule.id}: {finding.spot.tool.name}: {finding.spot.saw}"
        for finding in findings
    ]
    tripped = {finding.rule.id: finding.rule for finding in findings}
    if tripped:
        lines.append("")
    for rule in tripped.values():
        lines.append(f"{rule.id}: {rule.what}")
        lines.append(f"    why: {rule.why}")
        lines.append(f"    do:  {rule.advice}")
    if tripped:
        lines.append("")
    lines.append(
        f"{_count(len(findings), 'finding')} in {_count(len(tools), 'tool')}"
        if findings
        else f"{_count(len(tools), 'tool')}, nothing found"
    )
    return "\n".join(lines)


def as_json(tools: Tools, findings: Findings) -> str:
    """One object; the names of its keys are an interface."""
    return json.dumps(
        {
            "schema": 1,
            "tools": [tool.name for tool in tools],
            "findings": [
                {
                    "rule": finding.rule.id,
                    "tool": finding.spot.tool.name,
                    "source": finding.spot.tool.source,
                    "line": finding.spot.tool.line_of(finding.spot.pointer),
                    "pointer": finding.spot.pointer,
                    "saw": finding.spot.saw,
                    "what": finding.rule.what,
                    "why": finding.rule.why,
                    "advice": finding.rule.advice,
                }
                for finding in findings
            ],
        },
        indent=2,
        ensure_ascii=False,
    )


def github(tools: Tools, findings: Findings) -> str:
    """One workflow command a finding, which GitHub shows beside the line."""
    return "\n".join(
        f"::error {_github_place(finding)}title={_property(finding.rule.id)}::"
        + _data(f"{finding.spot.tool.name}: {finding.spot.saw}. To do: {finding.rule.advice}.")
        for finding in findings
    )


FORMATS: Mapping[str, Callable[[Tools, Findings], str]] = MappingProxyType(
    {"text": text, "json": as_json, "github": github}
)


def _place(finding: Finding) -> str:
    tool, pointer = finding.spot.tool, finding.spot.pointer
    line = tool.line_of(pointer)
    where = tool.source or "?"
    if line is not None:
        where += f":{line}"
    return f"{where}: {pointer}" if pointer else where


def _github_place(finding: Finding) -> str:
    tool = finding.spot.tool
    line = tool.line_of(finding.spot.pointer)
    return "" if line is None else f"file={_property(tool.source)},line={line},"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
