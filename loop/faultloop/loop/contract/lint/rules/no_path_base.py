"""A path without a word on what it is relative to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen
from faultloop.loop.contract.lint.words import name_words

PATHS = frozenset(
    {"path", "paths", "file", "files", "filename", "filepath", "dir", "directory", "folder", "cwd"}
)
NO_PATHS = frozenset({"id", "url", "uri", "type", "size", "count", "name", "format", "content"})
WORDS = re.compile(r"\brelative\b|\babsolute\b|\bworking directory\b|\broot\b", re.IGNORECASE)


def _look(tool: Specimen) -> Iterator[Spot]:
    if tool.says("paths", WORDS):
        return
    for parameter in tool.parameters():
        words = set(name_words(parameter.name))
        if not words & PATHS or words & NO_PATHS:
            continue
        if WORDS.search(str(parameter.schema.get("description", ""))):
            continue
        saw = f"nothing says what {parameter.name} is relative to"
        yield Spot(tool, tool.pointer("parameters", parameter.pointer), saw)


RULE = Rule(
    id="no-path-base",
    what="a path parameter, and nothing says what paths are relative to",
    why="the model takes the folder that it last saw, and reads or writes beside the right place",
    advice="say whether paths are absolute, or what they are relative to",
    look=each(_look),
)
