"""An example that the tool itself would refuse."""

from __future__ import annotations

from collections.abc import Iterator

from faultloop.loop.contract.lint.rule import Rule, Spot, each
from faultloop.loop.contract.lint.specimen import Specimen


def _look(tool: Specimen) -> Iterator[Spot]:
    contract = tool.contract
    if contract.example is None:
        return
    for error in contract.validator.iter_errors(contract.example):
        yield Spot(tool, tool.pointer("example"), f"its example would be refused: {error.message}")
        return


RULE = Rule(
    id="wrong-example",
    what="an example that does not fit the parameters",
    why="models copy examples before they read schemas",
    advice="correct the example, or the schema",
    look=each(_look),
)
