"""`faultloop subjects` as people type it; `uv` is a stand-in on PATH that fetches nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.scenarios.stand_in_uv import stand_in_uv

from faultloop.bench.subjects_command import installing, listing
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.finding import declared, find

SUBJECT = """
name = "toy"
version = "1.0"
command = ["{python}", "driver.py"]
[install]
python = ["toy=={version}"]
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The subject.toml of something that can be installed."""
    stand_in_uv(tmp_path / "programs")
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:/usr/bin:/bin")
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "subject.toml"
    file.write_text(SUBJECT)
    return file


def test_what_is_installed_is_told_with_its_size(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert installing.install_all([str(toy)], again=False) == 0
    assert installing.install_all([str(toy)], again=False) == 0
    said = capsys.readouterr()
    first, second = said.out.splitlines()
    assert first.startswith("toy 1.0: 0.0 MB in ")
    assert second == "toy 1.0 is installed already: 0.0 MB"
    assert said.err == "installing toy 1.0\n"  # into a pipe one line as it begins, too


def test_one_that_cannot_be_installed_keeps_no_other_from_it(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in_uv(
        toy.parent / "programs",
        'case "$*" in *==9*) echo "error: no such version" >&2; exit 1;; esac',
    )
    assert installing.install_all([f"{toy}@9", str(toy)], again=False) == 2
    said = capsys.readouterr()
    assert "faultloop: toy 9 cannot be installed: no such version (all that was said: " in said.err
    assert "toy 1.0: 0.0 MB" in said.out


def test_the_list_tells_what_is_here(toy: Path) -> None:
    subject = declared(toy)
    assert listing.state(find("naive-openai")) == "comes with faultloop"
    assert listing.state(subject) == "not installed"
    installing.install_all([str(toy), f"{toy}@0.9"], again=False)
    assert listing.state(subject) == "installed, 0.0 MB; also 0.9"


def test_what_is_removed_is_not_installed_any_more(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    installing.install_all([str(toy)], again=False)
    assert installing.remove_all([str(toy)]) == 0
    assert installing.remove_all([str(toy)]) == 2
    assert "faultloop: toy 1.0 is not installed" in capsys.readouterr().err


def test_what_comes_with_faultloop_cannot_be_installed(toy: Path) -> None:
    with pytest.raises(BadSubject, match=r"naive-openai has no \[install\] table"):
        installing.install_all(["naive-openai"], again=False)


def test_proprietary_programs_are_installed_only_by_name(
    toy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owned = toy.with_name("owned.toml")
    owned.write_text('licence = "proprietary"\n' + SUBJECT.replace('"toy"', '"toy-owned"'))
    monkeypatch.setattr(installing, "shipped", lambda: (declared(toy), declared(owned)))
    assert installing.install_all(["toy*"], again=False) == 0
    said = capsys.readouterr()
    assert "toy-owned is proprietary: it is left out where it is not named" in said.err
    assert "toy-owned 1.0:" not in said.out
    assert installing.install_all([str(owned)], again=False) == 0
    said = capsys.readouterr()
    assert "toy-owned 1.0 is proprietary: its publisher's licence is yours" in said.err
    assert "toy-owned 1.0:" in said.out


def test_ctrl_c_ends_what_installs_and_leaves_nothing(toy: Path) -> None:
    here = toy.parent
    stand_in_uv(here / "programs", f"echo $$ > {here}/pid; kill -INT $PPID; exec sleep 600")
    start = "from faultloop.bench.entry import main; main()"
    command = [sys.executable, "-c", start, "subjects", "install", str(toy)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 130, done.stderr
    assert "toy 1.0 is not installed: it was interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (here / "cache" / "subjects" / "toy" / "1.0").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int((here / "pid").read_text()), 0)
