"""docs/contracts.md tells the rules that there are, and its first example is a tool."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from faultloop.loop.contract.lint import RULES, Specimen, lint

TEXT = (Path(__file__).parents[4] / "docs" / "contracts.md").read_text()


def test_the_table_of_rules_is_the_rules() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \|$", TEXT, re.MULTILINE)
    assert rows == [(rule.id, rule.what, rule.advice) for rule in RULES]


def test_the_example_is_a_tool_that_lints_clean() -> None:
    (code, *_) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "docs/contracts.md", "exec"), names)
    (made,) = names["registry"]
    assert made.contract.example == {"path": "src/main.py", "first": 201}
    assert lint([Specimen(contract=made.contract)]) == ()
