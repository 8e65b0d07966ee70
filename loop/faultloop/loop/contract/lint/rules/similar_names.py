"""Names that differ only by case, underscores or hyphens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faultloop.loop.contract.lint.rule import Rule, Spot
from faultloop.loop.contract.lint.specimen import Specimen


def _look(tools: Sequence[Specimen]) -> Iterator[Spot]:
    seen: dict[str, str] = {}
    for tool in tools:
        plain = tool.name.replace("_", "").replace("-", "").casefold()
        earlier = seen.setdefault(plain, tool.name)
        if earlier != tool.name:
            saw = f"{tool.name} differs from {earlier} only by case, underscores or hyphens"
            yield Spot(tool, tool.pointer("name"), saw)


RULE = Rule(
    id="similar-names",
    what="names that differ only by case, underscores or hyphens",
    why="models mix them up, and a repair that maps misspelt names cannot know which was meant",
    advice="name one of them by what sets it apart",
    look=_look,
)
