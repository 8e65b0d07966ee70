"""The JSON Schemas for editors: current, and of one mind with what is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.scenarios.wordings import test_matchers, test_reading_tasks, test_reading_wordings

from faultloop.scenarios.wordings.reading import schemas, shipped

ROOT = Path(__file__).parents[3]


def validator(name: str) -> Any:
    published = json.loads(schemas.text(name))
    jsonschema.Draft202012Validator.check_schema(published)
    return jsonschema.Draft202012Validator(published)


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_the_committed_schema_is_current(name: str) -> None:
    committed = (ROOT / f"docs/{name}.schema.json").read_text(encoding="utf-8")
    assert committed == schemas.text(name), (
        f"run: python -m faultloop.scenarios.wordings.reading.schemas {name}"
        f" > docs/{name}.schema.json"
    )


GOOD = (
    ("tasks", test_reading_tasks.GOOD),
    ("wordings", test_reading_wordings.BASE),
    ("wordings", test_reading_wordings.VARIANT),
)
SHIPPED = [
    *(("tasks", path) for path in sorted(shipped.folder().glob("*/tasks/*.yaml"))),
    *(("wordings", path) for path in sorted(shipped.folder().glob("*/*.yaml"))),
]


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_what_reads_is_valid_and_a_typo_is_not(name: str, text: str) -> None:
    data = yaml.safe_load(text)
    assert [error.message for error in validator(name).iter_errors(data)] == []
    assert not validator(name).is_valid(data | {"tols": []})


@pytest.mark.parametrize(("name", "path"), SHIPPED)
def test_what_is_shipped_is_valid(name: str, path: Path) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert [error.message for error in validator(name).iter_errors(data)] == []


def of_a_matcher(plain: Any) -> Any:
    call = {"tool": "t", "args": {"x": plain}}
    return {"schema": 1, "tasks": [{"id": "a", "prompt": "p", "calls": [call]}]}


@pytest.mark.parametrize("plain", [plain for plain, _, _ in test_matchers.CASES], ids=str)
def test_every_form_of_a_matcher_is_valid(plain: Any) -> None:
    assert validator("tasks").is_valid(of_a_matcher(plain))


@pytest.mark.parametrize(
    "plain",
    [
        {"number": 3, "tolerence": 1},
        {"path": "a", "line": 3},
        {"one_of": []},
        [{"moment": 5}],
        {"a": {"anything": "yes"}},
    ],
    ids=str,
)
def test_what_is_no_matcher_is_underlined(plain: Any) -> None:
    assert not validator("tasks").is_valid(of_a_matcher(plain))
