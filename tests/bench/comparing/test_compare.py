"""`faultloop compare` and `faultloop wordings check`, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from faultloop.bench.cli import app

TOOLS = """\
schema: 1
name: full
tools:
  - name: search_notes
    purpose: Search the notes for words.
    parameters: {type: object, required: [words], properties: {words: {type: string}}}
  - name: append_to_note
    purpose: Remember something in a note.
    parameters: {type: object, required: [text], properties: {text: {type: string}}}
"""
SWAPPED = """\
schema: 1
name: swapped
extends: full.yaml
tools:
  search_notes: {purpose: Remember something in a note.}
  append_to_note: {purpose: Search the notes for words.}
"""
TASK = """\
- id: {id}
  prompt: {prompt}
  calls: [{{tool: {tool}, args: {{{parameter}: {{anything: true}}}}}}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two wordings of two tools, and twelve tasks that only one of them gets right."""
    monkeypatch.chdir(tmp_path)
    Path("full.yaml").write_text(TOOLS)
    Path("swapped.yaml").write_text(SWAPPED)
    tasks = [
        TASK.format(
            id=f"search-{n}", prompt=f"words for {n}", tool="search_notes", parameter="words"
        )
        for n in range(6)
    ]
    tasks += [
        TASK.format(id=f"keep-{n}", prompt=f"remember {n}", tool="append_to_note", parameter="text")
        for n in range(6)
    ]
    Path("tasks.yaml").write_text("schema: 1\ntasks:\n" + "".join(tasks))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


def compared(base: str, candidate: str, *words: str) -> Result:
    return run("compare", base, candidate, "--tasks", "tasks.yaml", "--cache", "kept", *words)


def test_a_worse_wording_is_called_so_and_exits_with_one(folder: Path) -> None:
    done = compared("full.yaml", "swapped.yaml", "--report-dir", "out")

    assert done.exit_code == 1, done.output
    assert "‘swapped’ is worse than ‘full’" in done.output
    assert {file.name for file in Path("out").iterdir()} == {
        "accuracy.html",
        "accuracy.json",
        "accuracy.md",
        "accuracy.parquet",
    }


def test_the_other_way_round_it_is_better(folder: Path) -> None:
    done = compared("swapped.yaml", "full.yaml")
    assert done.exit_code == 0, done.output
    assert "‘full’ is better than ‘swapped’" in done.output


def test_a_wording_beside_itself_cannot_be_told_apart(folder: Path) -> None:
    done = compared("full.yaml", "full.yaml", "--margin", "5")
    assert done.exit_code == 3, done.output
    assert "Cannot tell ‘full.yaml (2)’ from ‘full.yaml’" in done.output


def test_the_same_comparison_makes_the_same_bytes(folder: Path) -> None:
    compared("full.yaml", "swapped.yaml", "--report-dir", "one")
    compared("full.yaml", "swapped.yaml", "--report-dir", "two")
    first = {file.name: file.read_bytes() for file in Path("one").iterdir()}
    assert first == {file.name: file.read_bytes() for file in Path("two").iterdir()}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("full.yaml", "none.yaml"), "none.yaml:1: it cannot be read"),
        (("full.yaml", "coding_agent/ful"), "did you mean 'coding_agent/full'?"),
        (("full.yaml", "HEAD:full.yaml"), "as a file in a commit it cannot be had"),
        (("full.yaml", "swapped.yaml", "--model", "embedded:nothing"), "embedded:nothing"),
        (("full.yaml", "swapped.yaml", "--max-cost", "1"), "--price-input"),
        (("full.yaml", "swapped.yaml", "--tasks", "swapped.yaml"), "swapped.yaml:"),
        (("full.yaml", "coding_agent/full"), "tasks.yaml:"),
        (("full.yaml", "swapped.yaml", "--report-dir", "."), "is not empty"),
    ],
)
def test_bad_input_is_one_sentence_and_exits_with_two(
    folder: Path, words: tuple[str, ...], told: str
) -> None:
    done = compared(*words)
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_that_a_limit_stopped_can_tell_nothing(folder: Path) -> None:
    """Twenty of twenty-four questions would do for "worse"."""
    done = compared("full.yaml", "swapped.yaml", "--max-requests", "20", "--lock", "wordings.lock")
    assert done.exit_code == 3, done.output
    assert "Stopped after" in done.output
    assert "Cannot tell ‘swapped’ from ‘full’" in done.output
    assert "The run was stopped" in done.output
    assert not Path("wordings.lock").exists()
    conclusions = json.loads(Path("faultloop-accuracy/accuracy.json").read_text())["conclusions"]
    assert conclusions["headline"]["p"] < 0.05
    assert {one["verdict"] for one in conclusions["differences"]} == {"cannot tell"}


def test_what_cannot_be_concluded_is_told_before_a_model_is_asked(folder: Path) -> None:
    Path("broken.lock").write_text("wordings: [")
    asked = ("--report-dir", "out", "--model", "openai_chat:m@http://127.0.0.1:9/v1")
    done = compared("full.yaml", "swapped.yaml", *asked, "--lock", "broken.lock")
    assert done.exit_code == 2, done.output
    assert "broken.lock is no YAML" in done.stderr
    assert done.stderr.count("\n") == 1
    for wrong in (("--metric", "arguments"), ("--margin", "100"), ("--seed", "-1")):
        done = compared("full.yaml", "swapped.yaml", *asked, *wrong)
        assert done.exit_code == 2, done.output
        assert wrong[0] in done.stderr, "and not that nobody listens there"


def test_a_winner_among_tasks_of_one_cluster_is_refused_before_a_model_is_asked(
    folder: Path,
) -> None:
    tasks = Path("tasks.yaml").read_text()
    Path("tasks.yaml").write_text(tasks.replace("- id:", "- cluster: all\n  id:"))
    model = ("--model", "openai_chat:m@http://127.0.0.1:9/v1", "--report-dir", "out")
    done = compared("full.yaml", "swapped.yaml", "full.yaml", *model)
    assert done.exit_code == 2, done.output
    assert "need tasks of at least two clusters" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_limit_that_left_nothing_answered_is_no_bad_input(folder: Path) -> None:
    Path("third.yaml").write_text(SWAPPED.replace("name: swapped", "name: third"))
    done = compared("full.yaml", "swapped.yaml", "--max-requests", "0")
    assert done.exit_code == 3, done.output
    why = "no task was answered under all wordings: --max-requests 0 is used up"
    assert why in done.stderr
    done = compared("full.yaml", "swapped.yaml", "third.yaml", "--max-requests", "3")
    assert done.exit_code == 3, "one task is answered: no two halves of one"
    assert "too little was answered for a conclusion: --max-requests 3" in done.stderr


def test_a_name_that_looks_like_markup_is_a_name(folder: Path) -> None:
    Path("odd.yaml").write_text(SWAPPED.replace("name: swapped", "name: '[/red] swapped'"))
    done = compared("full.yaml", "odd.yaml")
    assert done.exit_code == 1, done.output
    assert "[/red] swapped" in done.stdout
