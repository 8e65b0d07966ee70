"""The page of the shipped subjects is made from their declarations, and is current."""

from pathlib import Path

from faultloop.bench.subjects_command.page import declarations, document

PAGE = Path(__file__).parents[2] / "docs" / "subjects.md"


def test_the_committed_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), (
        "run: python -m faultloop.bench.subjects_command.page > docs/subjects.md"
    )


def test_each_shipped_process_has_one_row() -> None:
    names = [row.split("`")[1] for row in document().splitlines() if row.startswith("| `")]
    assert names == [one.name for one in declarations()]


def test_a_row_names_the_packages_of_the_subject_itself_in_its_version() -> None:
    (row,) = [line for line in document().splitlines() if line.startswith("| `vercel-ai`")]
    version = next(one.version for one in declarations() if one.name == "vercel-ai")
    assert f"| `ai@{version}`, Node.js " in row
    assert "zod" not in row
