"""A parameter at the top without a word about it; nested ones are for `no_example`."""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen


def _look(tool: Specimen) -> Iterator[Spot]:
    for parameter in tool.parameters():
        if parameter.top and not parameter.schema.get("description"):
            saw = f"nothing is said of {parameter.name}"
            yield Spot(tool, tool.pointer("parameters", parameter.pointer), saw)


RULE = Rule(
    id="undescribed-parameter",
    what="a parameter without a description",
    why="its name is all that the model has; units, forms and limits are guessed",
    advice="say what it is, with its unit and its limits",
    look=each(_look),
)
