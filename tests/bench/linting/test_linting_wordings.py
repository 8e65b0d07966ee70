"""`faultloop lint` on wording files: bases like any list of tools, variants by what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from faultloop.bench.linting.bad_target import BadTarget
from faultloop.bench.linting.finding import find

BASE = """\
schema: 1
name: base
tools:
  - name: look
    purpose: Look at the thing that was named, with all that is on it.
    when: you need to see it.
    when_not: it is dark.
    returns: what was seen, one line a thing.
    parameters:
      type: object
      properties:
        thing: {type: string, description: What to look at.}
  - name: hear
    purpose: Listen to what there is to be heard around here.
    when: it is dark.
    returns: what was heard, in words.
    parameters: {type: object}
"""
VARIANT = """\
schema: 1
name: variant
extends: base.yaml
tools:
  look:
    rename: see
    drop: [when]
    parameters:
      thing: {rename: object, description: null}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "variant.yaml").write_text(VARIANT)
    return tmp_path


def found(path: Path) -> set[tuple[str, str, int | None]]:
    _, findings = find([str(path)])
    return {
        (one.rule.id, one.spot.tool.name, one.spot.tool.line_of(one.spot.pointer))
        for one in findings
    }


def test_a_base_is_judged_where_it_stands(folder: Path) -> None:
    assert found(folder / "base.yaml") == {("no-when-not", "hear", 13)}


def test_a_variant_is_judged_whole_and_each_finding_has_its_line(folder: Path) -> None:
    assert found(folder / "variant.yaml") == {
        ("no-when", "see", 5),
        ("undescribed-parameter", "see", 9),
        ("no-when-not", "hear", 3),
    }


def test_a_wrong_variant_is_bad_input(folder: Path) -> None:
    (folder / "variant.yaml").write_text(VARIANT.replace("look", "lok"))
    with pytest.raises(BadTarget, match=r"variant.yaml:5: tools.lok: .* did you mean 'look'"):
        find([str(folder / "variant.yaml")])
