"""Output that may be long, and no word on how to read on.

Output may be long where the tool's name lists, reads or searches, where it returns whole things, or
where a parameter pages through it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import name_words

LONG_NAMES = frozenset(
    {"list", "read", "search", "find", "grep", "fetch", "log", "logs", "dump", "query", "cat"}
)
LONG_RETURNS = re.compile(
    r"\b(?:return|give|yield|answer)\w*\b(?!:? (?:how many|the number)\b)[^.]*"
    r"\b(?:all|whole|every|entire|complete|full|lines|list)\b",
    re.IGNORECASE,
)
PAGING = frozenset({"limit", "offset", "page", "cursor", "max_results", "page_size", "page_token"})
WORDS = re.compile(
    r"\bcut\b|\btruncat|\boffset\b|\bcursor\b|\bpages?\b|\bat most\b|\bup to\b|\bcontinu|\brest\b"
    r"|\bread on\b|\bin parts\b|\bnever long\b|\bleft out\b|\bfirst \d+\b|\blimit(?:ed)?\b",
    re.IGNORECASE,
)


def _look(tool: Specimen) -> Iterator[Spot]:
    paging = sorted(PAGING & tool.contract.properties.keys())
    if LONG_NAMES & set(name_words(tool.name)):
        reason = f"{tool.name} may give much"
    elif LONG_RETURNS.search(tool.text):
        reason = "what it returns may be long"
    elif paging:
        reason = f"{paging[0]} pages through what it returns"
    else:
        return
    if not tool.says("continuation", WORDS):
        saw = f"{reason}, and nothing says whether it is cut and how to read on"
        yield Spot(tool, tool.pointer("continuation"), saw)


RULE = Rule(
    id="no-continuation",
    what="output that may be long, and nothing says whether it is cut and how to read on",
    why="a model that does not know of a cut takes a part for the whole, and one that knows but"
    " not how to go on asks for the same part again",
    advice="say where it is cut, how the result shows it, and which call reads on",
    look=each(_look),
)
