"""REV:PATH takes a wording, and what lies beside it, out of a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from faultloop.bench.comparing.revisions import BadRevision, is_revision, taken_out


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One commit, and a working tree that went on."""

    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(("git", *who, "-C", str(tmp_path), *words), check=True, capture_output=True)

    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "full.yaml").write_text("then")
    (tools / "base.yaml").write_text("what it extends")
    (tmp_path / "top.yaml").write_text("at the top")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "wordings")
    (tools / "full.yaml").write_text("now")
    return tmp_path


def test_a_file_and_its_neighbours_are_as_they_were(repository: Path) -> None:
    with taken_out("HEAD:tools/full.yaml", below=repository) as file:
        assert file.read_text() == "then"
        assert (file.parent / "base.yaml").read_text() == "what it extends"
    assert not file.exists()
    assert (repository / "tools" / "full.yaml").read_text() == "now"


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("HEAD:full.yaml", "tools"),
        ("HEAD:./top.yaml", "."),
        ("HEAD:../top.yaml", "tools"),
        ("HEAD:{repository}/tools/full.yaml", ".."),
    ],
)
def test_paths_count_from_the_folder_where_one_is(repository: Path, text: str, below: str) -> None:
    asked = text.format(repository=repository)
    with taken_out(asked, below=repository / below) as file:
        assert file.read_text() in {"then", "at the top"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("HEAD:tools/none.yaml", "commit HEAD has no file tools/none.yaml"),
        ("nowhere:tools/full.yaml", "cannot be had"),
        ("HEAD:none/full.yaml", "cannot be had"),
        ("HEAD:../full.yaml", "not a git repository"),
    ],
)
def test_what_is_not_there_is_a_sentence(repository: Path, text: str, told: str) -> None:
    with pytest.raises(BadRevision, match=told), taken_out(text, below=repository):
        pass


def test_a_file_that_is_called_so_is_a_file(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    Path("a:b.yaml").write_text("")
    assert not is_revision("a:b.yaml")
    assert not is_revision("tools/full.yaml")
    assert is_revision("HEAD:tools/full.yaml")
