"""`faultloop wordings errors` over HTTP: it sees the difference that there is, exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bench.comparing.test_compare import TASK, TOOLS, run
from tests.scenarios.wordings.models.scripted import Said, Scripted, says, serving

RIGHT = {
    "search": ("search_notes", '{"words": "tea"}'),
    "keep": ("append_to_note", '{"text": "t"}'),
}
PLACES = ("words", "text", "search_notes", "append_to_note")
"""What an error has to name, for the first model to know what was wrong."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wording of two tools and twelve tasks of one call each, and one of none."""
    monkeypatch.chdir(tmp_path)
    Path("full.yaml").write_text(TOOLS)
    tasks = [
        TASK.format(id=f"{kind}-{n}", prompt=f"{kind} {n}", tool=tool, parameter=parameter).replace(
            "{anything: true}", "{regex: '.*', such_as: a}"
        )
        for kind, tool, parameter in (
            ("search", "search_notes", "words"),
            ("keep", "append_to_note", "text"),
        )
        for n in range(6)
    ]
    talk = "- {id: thanks, prompt: Thanks!, expect: no call}\n"
    Path("tasks.yaml").write_text("schema: 1\ntasks:\n" + "".join(tasks) + talk)
    return tmp_path


def corrects_where_it_is_told(number: int, body: dict[str, Any]) -> Said:
    prompt, failed, error = body["messages"][-3:]
    if any(place in error["content"] for place in PLACES):
        return says(RIGHT[prompt["content"].split()[0]])
    return says(*_again(failed))


def never_corrects(number: int, body: dict[str, Any]) -> Said:
    return says(*_again(body["messages"][-2]))


def _again(failed: dict[str, Any]) -> list[tuple[str, str]]:
    called = [call["function"] for call in failed["tool_calls"]]
    return [(one["name"], one["arguments"]) for one in called]


def compared(server: Scripted, *words: str) -> Any:
    model = ("--model", f"openai_chat:m@{server.url}", "--cache", "kept")
    return run("wordings", "errors", "full.yaml", "--tasks", "tasks.yaml", *model, *words)


def right(report: str = "faultloop-errors") -> dict[str, int]:
    """How many tasks were corrected at the first try, by style."""
    found: dict[str, int] = {}
    for row in pq.read_table(Path(report) / "accuracy.parquet").to_pylist():
        found.setdefault(row["wording"], 0)
        found[row["wording"]] += bool(row["selected"] and row["filled"] is not False)
    return found


def test_a_model_that_corrects_only_what_it_is_told_is_seen_exactly() -> None:
    with serving(corrects_where_it_is_told) as server:
        done = compared(server)
        assert done.exit_code == 0, done.output
        assert "‘where-what-how’ is better than ‘vague’" in done.output
        assert right() == {"vague": 0, "where-what-how": 12}
        asked = len(server.asked)
        assert asked == 24
        assert compared(server).exit_code == 0
        assert len(server.asked) == asked, "the second run asks nothing"
    page = Path("faultloop-errors/accuracy.md").read_text()
    assert "Error: invalid arguments." in page
    assert "12 right calls were spoilt; 1 other task gives no call to spoil" in page


def test_the_error_is_told_as_the_result_of_the_call_that_failed() -> None:
    with serving(corrects_where_it_is_told) as server:
        compared(server)
    for body in server.asked:
        _, failed, error = body["messages"][-3:]
        assert error["tool_call_id"] == failed["tool_calls"][0]["id"]


def test_a_model_that_never_corrects_cannot_tell_styles_apart() -> None:
    with serving(never_corrects) as server:
        done = compared(server)
    assert done.exit_code == 3, done.output
    assert "Cannot tell ‘where-what-how’ from ‘vague’" in done.output
    assert right() == {"vague": 0, "where-what-how": 0}


def test_every_mistake_of_a_task_is_a_task_and_a_slice_of_its_own() -> None:
    with serving(corrects_where_it_is_told) as server:
        done = compared(server, "--each")
    assert done.exit_code == 0, done.output
    told = json.loads(Path("faultloop-errors/accuracy.json").read_text())["conclusions"]
    kinds = {one["name"] for one in told["slices"] if one["kind"] == "tag"}
    assert kinds == {
        "broken JSON",
        "misspelt tool name",
        "missing parameter",
        "unknown parameter",
        "wrong type",
    }
    assert right() == {"vague": 0, "where-what-how": 60}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--model", "embedded:lexical"), "embedded:lexical gives no arguments"),
        (("--style", "vage", "--style", "vague"), "did you mean vague?"),
        (("--style", "vague"), "name two styles of errors or more"),
        (("--style", "vague", "--style", "vague"), "each once"),
        (("--tasks", "none.yaml"), "none.yaml"),
    ],
)
def test_bad_input_is_one_sentence_and_exits_with_two(words: tuple[str, ...], told: str) -> None:
    model = () if "--model" in words else ("--model", "openai_chat:m@http://127.0.0.1:1/v1")
    tasks = () if "--tasks" in words else ("--tasks", "tasks.yaml")
    done = run("wordings", "errors", "full.yaml", *model, *tasks, *words)
    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
