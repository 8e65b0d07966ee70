"""A subject is another one as soon as anything that it is made of is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.installed import MARKER, Installed, folder_of
from faultloop.scenarios.subjects.process import ProcessSubject, borrowed_from


@pytest.fixture
def subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProcessSubject:
    """One that borrows the driver of its neighbour, and is installed."""
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    here, lender = tmp_path / "late", tmp_path / "early"
    for folder, file in ((here, "subject.toml"), (lender, "driver.py"), (lender, "world.ts")):
        folder.mkdir(exist_ok=True)
        (folder / file).write_text("1")
    (tmp_path / "faultloop_driver.cjs").write_text("1")
    declaration = Declaration.model_validate(
        {
            "name": "late",
            "version": "1.0",
            "command": ["{python}", "{here}/../early/driver.py"],
            "install": {"python": ["late=={version}"]},
        }
    )
    made = ProcessSubject(declaration, here)
    install(made, httpx="1.0")
    return made


def install(subject: ProcessSubject, **python: str) -> None:
    recipe = subject.declaration.recipe()
    assert recipe is not None
    program = folder_of(recipe) / "bin" / "python"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.touch(mode=0o700)
    told = Installed(
        fingerprint=recipe.fingerprint(),
        name="late",
        version="1.0",
        python={"late": "1.0"} | python,
    )
    (folder_of(recipe) / MARKER).write_bytes(msgspec.json.encode(told))


@pytest.mark.parametrize(
    "file", ["late/subject.toml", "early/driver.py", "early/world.ts", "faultloop_driver.cjs"]
)
def test_a_file_of_its_own_or_beside_a_borrowed_driver_counts(
    subject: ProcessSubject, tmp_path: Path, file: str
) -> None:
    before = subject.digest()
    (tmp_path / file).write_text("2")
    assert subject.digest() != before


def test_what_is_installed_counts_and_not_when_it_was(subject: ProcessSubject) -> None:
    before = subject.digest()
    install(subject, httpx="1.0")
    assert subject.digest() == before
    install(subject, httpx="1.1")
    assert subject.digest() != before


def test_where_a_program_that_is_a_link_leads_does_not_count(tmp_path: Path) -> None:
    here, system = tmp_path / "late", tmp_path / "system"
    for folder in (here / "env", system):
        folder.mkdir(parents=True)
    for name in ("python", "other"):
        (system / name).write_text("1")
    (here / "env" / "python").symlink_to(system / "python")
    declaration = Declaration.model_validate(
        {"name": "late", "version": "1.0", "command": ["env/python", "driver.py"]}
    )
    assert borrowed_from(declaration, here) == [here / "env"]
    before = ProcessSubject(declaration, here).digest()
    (system / "other").write_text("2")
    assert ProcessSubject(declaration, here).digest() == before


def test_what_people_read_does_not_count(subject: ProcessSubject, tmp_path: Path) -> None:
    before = subject.digest()
    (tmp_path / "early" / "README.md").write_text("driven as its documentation has it")
    assert subject.digest() == before
