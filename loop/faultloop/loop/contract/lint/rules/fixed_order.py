"""One natural action, split into fragments that only work in a fixed order.

Seen by what a description demands (`ORDER`), and by required handles, such as a session's id, that
only another of the tools gives out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from faultloop.loop.contract.lint.rule import Rule, Spot
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import sentences

ORDER = re.compile(
    r"\b(?:must|have to|need to|needs to|has to|always|only)\b[^.]*\b(?:first|before|after)\b"
    r"|\b(?:call|run|use|invoke)\s+`?\w+`?\s+(?:first|before\s+(?:this|calling|using)|beforehand)\b"
    r"|\b(?:after|before)\s+(?:calling|a call to|having called)\b",
    re.IGNORECASE,
)
HANDLES = re.compile(
    r"(?:session|handle|transaction|upload|context|connection|lock|draft|ticket)(?:_?id)?",
    re.IGNORECASE,
)


def _look(tools: Sequence[Specimen]) -> Iterator[Spot]:
    for tool in tools:
        for sentence in sentences(tool.text):
            demand = ORDER.search(sentence)
            if demand is not None:
                saw = f"it says {sentence!r}"
                yield Spot(tool, tool.pointer("purpose"), saw)
        for parameter in tool.parameters():
            if not (parameter.top and parameter.required and HANDLES.fullmatch(parameter.name)):
                continue
            givers = [other.name for other in tools if _gives(other, parameter.name)]
            if givers:
                saw = f"{parameter.name} can only come from {' or '.join(givers)}"
                yield Spot(tool, tool.pointer("parameters", parameter.pointer), saw)


def _gives(tool: Specimen, handle: str) -> bool:
    """Whether the tool speaks of the handle without taking it."""
    if handle in tool.contract.properties:
        return False
    spoken = handle.casefold().replace("_", "[ _]?")
    return re.search(rf"\b{spoken}\b", tool.text.casefold()) is not None


RULE = Rule(
    id="fixed-order",
    what="the tool works only after another, in an order that the model has to keep",
    why="each fragment is one more request and one more chance to stop in the middle, and a history"
    " that was cut or compacted has lost the first half",
    advice="make one tool that does the whole of it; keep ids that the user knows, not handles",
    look=_look,
)
