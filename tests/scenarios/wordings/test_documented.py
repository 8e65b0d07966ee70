"""The examples of docs/wording-files.md are read as they stand there, and it names every kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from faultloop.scenarios.wordings.matchers import KINDS
from faultloop.scenarios.wordings.reading.tasks import load_tasks
from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.score import Mistake

PAGE = (Path(__file__).parents[3] / "docs/wording-files.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_examples_fit_each_other(folder: Path) -> None:
    tasks = load_tasks(folder / "tasks.yaml")
    assert len(tasks.tasks) == 5
    for wording in ("base.yaml", "variant.yaml"):
        tasks.fit(load_wording(folder / wording))


def test_every_kind_and_every_option_is_named() -> None:
    rows = {row.split("`")[1].split(":")[0]: row for row in PAGE.splitlines() if row[:3] == "| `"}
    assert set(rows) == set(KINDS)
    for kind, model in KINDS.items():
        options = {field.alias or name for name, field in model.model_fields.items()} - {kind}
        assert [option for option in options if f"`{option}" not in rows[kind]] == []


def test_every_mistake_is_named() -> None:
    told = " ".join(PAGE.split())
    missing = [one for one in Mistake if one.value.removeprefix("argument ") not in told]
    assert missing == []
