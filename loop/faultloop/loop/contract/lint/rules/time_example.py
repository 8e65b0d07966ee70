"""A time without a full example: date, time of day and offset, as RFC 3339 has it.

A parameter is a time if its format says so, or if its name does (`NAMES`) and it is a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Parameter, Specimen
from faultloop.loop.contract.lint.words import name_words
from faultloop.loop.contract.references import types_of

NAMES = frozenset(
    {"time", "date", "datetime", "timestamp", "since", "until", "deadline", "expires"}
)
FULL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
EXAMPLES = {
    "date-time": FULL,
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "time": re.compile(r"\d\d:\d\d:\d\d"),
    "duration": re.compile(r"\bP(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?"),
}
"""Format to what a full example of it has in it."""


def _look(tool: Specimen) -> Iterator[Spot]:
    for parameter in tool.parameters():
        wanted = _wanted(parameter)
        if wanted is None:
            continue
        told = [json.dumps(parameter.schema)]
        if tool.contract.example is not None:
            told.append(json.dumps(tool.contract.example.get(parameter.name)))
        if not any(wanted.search(text) for text in told):
            saw = f"{parameter.name} is a time, and there is no full example of it"
            yield Spot(tool, tool.pointer("parameters", parameter.pointer), saw)


def _wanted(parameter: Parameter) -> re.Pattern[str] | None:
    schema = parameter.schema
    options = [schema, *(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    for option in options:
        if isinstance(option, dict) and option.get("format") in EXAMPLES:
            return EXAMPLES[option["format"]]
    words = name_words(parameter.name)
    named = bool(NAMES & set(words)) or (len(words) > 1 and words[-1] == "at")
    if not named or "enum" in schema or "string" not in types_of(schema):
        return None
    return EXAMPLES["date"] if words[-1] == "date" else FULL


RULE = Rule(
    id="time-example",
    what="a time field without a full example",
    why="without the offset a model writes its own idea of local time, and hours go missing",
    advice="show one full RFC 3339 time in its description, such as 2026-01-31T09:30:00+01:00",
    look=each(_look),
)
