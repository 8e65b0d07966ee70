"""The page of all faults is made from them, and says what is true."""

from pathlib import Path

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.table import LAYERS, document, example, lines

ROOT = Path(__file__).parents[2]
LINES = {line.kind: line for line in lines()}


def test_the_committed_page_is_current():
    assert (ROOT / "docs/faults.md").read_text(encoding="utf-8") == document(), (
        "run: python -m faultloop.fakes.faults.table > docs/faults.md"
    )


def test_every_kind_has_a_line():
    assert [*LINES] == [*KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_goes_wrong_and_what_its_fields_are(kind):
    line = LINES[kind]
    assert line.layer in LAYERS
    assert line.sentence.endswith(".")
    assert line.detail.endswith(".")
    assert all(field.endswith(".") for field in line.fields)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_model_is_about_can_be_said_in_some_dialect(kind):
    assert bool(LINES[kind].dialects) == (LINES[kind].layer not in ("bytes", "tool"))


@pytest.mark.parametrize(
    ("kind", "dialects"),
    [
        ("late_delta", {"openai_chat", "openai_responses", "anthropic_messages"}),
        ("block_end_missing", {"openai_responses", "anthropic_messages"}),
        ("usage_missing", {"openai_chat", "openai_responses"}),
        ("keep_alives", {*DIALECTS}),
    ],
)
def test_a_dialect_without_the_place_for_it_is_not_named(kind, dialects):
    assert {*LINES[kind].dialects} == dialects


def test_a_kind_without_defaults_has_an_example():
    assert all(example(cls).at == "step 1" for cls in KINDS.values())
