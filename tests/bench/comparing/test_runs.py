"""`faultloop wordings runs` over HTTP: a wording that recovers badly is seen, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bench.comparing.test_compare import run
from tests.scenarios.wordings.models.scripted import Said, Scripted, says, serving

RUN = """\
- id: {id}
  prompt: Add the line "call the bank" to notes.txt, for {id}.
  world: {{files: {{notes.txt: "buy milk\\n"}}}}
  faults: {faults}
  done: {{files: {{notes.txt: "buy milk\\ncall the bank\\n"}}}}
"""
LOST = "[{kind: gateway_timeout_after_effect, at: tool append_file}]"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four runs without trouble, and eight in which an answer is lost."""
    monkeypatch.chdir(tmp_path)
    runs = [RUN.format(id=f"plain-{n}", faults="[]") for n in range(4)]
    runs += [RUN.format(id=f"lost-{n}", faults=LOST) for n in range(8)]
    Path("runs.yaml").write_text("schema: 1\nruns:\n" + "".join(runs))
    return tmp_path


def looks_if_it_is_told_to(number: int, body: dict[str, Any]) -> Said:
    """It adds the line; where it is left open whether that worked, it looks, if the tool's words
    say so, and else adds the line again."""
    last = body["messages"][-1]
    by_name = {one["function"]["name"]: one["function"] for one in body["tools"]}
    name = "append_file" if "append_file" in by_name else "add_to_file"
    path, line = by_name[name]["parameters"]["properties"]
    add = (name, f'{{"{path}": "notes.txt", "{line}": "call the bank"}}')
    if last["role"] == "user":
        return says(add)
    if "The outcome of" not in last["content"]:
        return says(text="Done.")
    if "look with read_file first" in by_name[name]["description"]:
        return says(("read_file", '{"path": "notes.txt"}'))
    return says(add)


def compared(server: Scripted, *words: str) -> Any:
    model = ("--model", f"openai_chat:m@{server.url}", "--cache", "kept")
    return run("wordings", "runs", "--tasks", "runs.yaml", *model, *words)


def done() -> dict[str, int]:
    """How many runs were done in the end, by wording."""
    found: dict[str, int] = {}
    for row in pq.read_table("faultloop-runs/accuracy.parquet").to_pylist():
        assert row["filled"] is None
        found[row["wording"]] = found.get(row["wording"], 0) + row["selected"]
    return found


def test_a_wording_that_selects_well_and_recovers_badly_is_seen() -> None:
    with serving(looks_if_it_is_told_to) as server:
        made = compared(server)
        assert made.exit_code == 0, made.output
        assert "‘full’ is better than ‘vague’: the world was as it should be" in made.output
        assert done() == {"vague": 4, "full": 12}
        asked = len(server.asked)
        again = compared(server)
        assert again.exit_code == 0
        assert len(server.asked) == asked, "the second run asks nothing"
    page = Path("faultloop-runs/accuracy.md").read_text()
    assert "12 tasks, each played as a whole run" in page


def test_the_same_comparison_makes_the_same_bytes() -> None:
    with serving(looks_if_it_is_told_to) as server:
        compared(server)
        first = {file.name: file.read_bytes() for file in Path("faultloop-runs").iterdir()}
        compared(server)
    assert first == {file.name: file.read_bytes() for file in Path("faultloop-runs").iterdir()}


def test_runs_that_a_limit_stopped_can_tell_nothing_and_go_on() -> None:
    with serving(looks_if_it_is_told_to) as server:
        stopped = compared(server, "--max-requests", "50")
        assert len(server.asked) == 50
        assert stopped.exit_code == 3, stopped.output
        assert sum(done().values()) < 16
        assert compared(server).exit_code == 0
        assert done() == {"vague": 4, "full": 12}


def test_a_limit_before_the_end_of_any_run_is_said() -> None:
    with serving(looks_if_it_is_told_to) as server:
        made = compared(server, "--max-requests", "3")
    assert made.exit_code == 3
    why = "no task was answered under all wordings: --max-requests 3 is used up"
    assert f"{why}; the same command goes on" in made.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--model", "embedded:lexical"), "embedded:lexical gives no arguments"),
        (("world/full", "world/full"), "Two wordings have one name"),
        (("world/full", "coding_agent/vague"), "has no tool 'list_files'"),
        (("--tasks", "none.yaml"), "none.yaml"),
    ],
)
def test_bad_input_is_one_sentence_and_exits_with_two(words: tuple[str, ...], told: str) -> None:
    model = () if "--model" in words else ("--model", "openai_chat:m@http://127.0.0.1:1/v1")
    tasks = () if "--tasks" in words else ("--tasks", "runs.yaml")
    made = run("wordings", "runs", *words, *model, *tasks)
    assert made.exit_code == 2, made.output
    assert told in made.stderr
    assert made.stderr.count("\n") == 1
