"""Each reason takes away what it speaks of, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from faultloop.scenarios.wordings.bfcl.checker import Called
from faultloop.scenarios.wordings.bfcl.reasons import REASONS, Rewriting
from faultloop.scenarios.wordings.bfcl.source import Row

PROPERTIES = {
    "city": {"type": "string"},
    "unit": {"type": "string", "enum": ["metric", "other"], "default": "metric"},
    "days": {"type": "integer"},
    "rates": {"type": "array", "items": {"type": "float"}},
    "options": {"type": "dict", "properties": {"loud": {"type": "boolean"}}},
}
FUNCTION = {"name": "f", "parameters": {"type": "dict", "properties": PROPERTIES, "required": []}}

CASES: tuple[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]], ...] = (
    (
        "a member of an enum spelt otherwise",
        {"unit": ["metric"], "city": ["Rome"]},
        {"unit": "Metric", "city": "ROME"},
        {"unit": "metric", "city": "ROME"},
    ),
    (
        "texts are compared without any spaces and signs",
        {"city": ["1.5", "New York"]},
        {"city": "NewYork", "unit": "x"},
        {"city": "New York", "unit": "x"},
    ),
    (
        "an empty value for what may be left out",
        {"city": ["Rome"]},
        {"city": "", "rates": [], "options": {"loud": "", "x": 0}},
        {"options": {"x": 0}},
    ),
    (
        "an acceptable value that the schema refuses",
        {"unit": ["", "N/A"], "days": ["all", 3]},
        {"unit": "N/A", "days": "all"},
        {"days": 3},
    ),
    (
        "a default is given explicitly",
        {"city": ["Rome"]},
        {"city": "Rome", "unit": "metric", "days": 3},
        {"city": "Rome", "days": 3},
    ),
    (
        "a parameter is left to its default",
        {"unit": ["metric"], "days": [3]},
        {},
        {"unit": "metric"},
    ),
    (
        "5 and 5.0 are two numbers",
        {"days": [5], "rates": [[1.0, 2.5]]},
        {"days": 5.0, "rates": [1, 2.5]},
        {"days": 5, "rates": [1.0, 2.5]},
    ),
    (
        "true and 1 are one",
        {"options": [{"loud": [True]}], "days": [1]},
        {"options": {"loud": 1}, "days": 1},
        {"options": {"loud": True}, "days": 1},
    ),
    (
        "texts beside another type are compared to the letter",
        {"city": [None, "New York"]},
        {"city": "new york"},
        {"city": "New York"},
    ),
    (
        "everything is a text in Java and JavaScript",
        {"days": [5], "options": [{"loud": [True]}]},
        {"days": "5", "options": "{'loud': True}"},
        {"days": 5, "options": {"loud": True}},
    ),
)


@pytest.mark.parametrize(("name", "answer", "before", "after"), CASES)
def test_a_reason_changes_what_it_speaks_of(
    name: str, answer: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> None:
    row = Row("r", "simple_python", (), (FUNCTION,), ({"f": answer},))
    (reason,) = [one for one in REASONS if one.name == name]
    found = reason.rewrite(Rewriting(row, (Called("f", before),), lambda: ()))
    assert repr(found) == repr((Called("f", after),))


def test_each_reason_but_the_order_of_calls_is_tried() -> None:
    tried = {name for name, *_ in CASES} | {"calls are matched greedily"}
    assert tried == {reason.name for reason in REASONS}
