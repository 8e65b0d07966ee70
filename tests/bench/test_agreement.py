"""docs/agreement.md names scenarios and checks that there are; what differs there is explained."""

import re
from pathlib import Path

from faultloop.bench.regressions_command.reading import SCENARIOS, SHIPPED
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.reading import catalogue

PAGE = (Path(__file__).parents[2] / "docs" / "agreement.md").read_text(encoding="utf-8")
STORIES = {scenario.name for scenario in catalogue()} | {
    file.stem for file in (SHIPPED.parent / SCENARIOS).glob("*.yaml")
}
WORDS = ("agrees", "sees more", "changed", "differs", "not played")
PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
CELL = re.compile(rf"({'|'.join(WORDS)})\*?(?: \((\d+)\))?")


def cells(part: str) -> list[tuple[str, str]]:
    """The word and the note of each cell of a part's tables of agreement."""
    rows = [row for row in part.splitlines() if row.startswith("|")]
    found = [CELL.fullmatch(cell.strip()) for row in rows for cell in row.split("|")[2:-1]]
    return [(match[1], match[2] or "") for match in found if match]


def test_each_scenario_and_check_that_it_names_exists() -> None:
    named = set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+){2,})`", PAGE))
    assert len(named) > 20
    assert named <= STORIES
    promises = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE))
    assert {"truncated_not_executed", "effects_once"} <= promises & set(CHECKS)


def test_each_cell_that_is_no_agreement_has_a_note() -> None:
    judged = [cell for part in PARTS for cell in cells(part)]
    assert len(judged) > 300
    assert not [word for word, note in judged if not note and word not in ("agrees", "not played")]


def test_each_note_is_used_in_its_part_and_each_used_one_is_there() -> None:
    for part in PARTS:
        used = {note for _, note in cells(part) if note}
        assert used == set(re.findall(r"^(\d+)\. ", part, flags=re.MULTILINE))
