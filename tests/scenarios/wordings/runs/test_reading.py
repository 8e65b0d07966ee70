"""Files of runs: what is wrong in one is a sentence with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from faultloop.scenarios.wordings.reading.wordings import load_wording
from faultloop.scenarios.wordings.runs.reading import BadRun, load_runs

RUN = """\
schema: 1
runs:
- id: one
  prompt: Do it.
  world: {files: {a.txt: "x"}}
  done: {files: {a.txt: "y"}}
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("done:", "dne:", "there is no such field"),
        ('{a.txt: "y"}', "{a.txt: {regx: y, regex: x}}", "no option 'regx'"),
        ("done: {", "done: {effects: {charge_customer: 1}, ", "has no tool 'charge_customer'"),
        ("  done:", "  tools: [read_fil]\n  done:", "has no tool 'read_fil'"),
        (
            "  done:",
            "  faults: [{kind: tool_slow, at: tool charge_customer}]\n  done:",
            "it strikes 'tool NAME'",
        ),
        ("  done:", "  faults: [{kind: stall, at: step 1}]\n  done:", "take one of tools"),
        ("  done:", "  faults: [{kind: tool_slow, at: now}]\n  done:", "is no place for a fault"),
        ('{a.txt: "x"}', "{../../x: y}", "world: the file '../../x' is outside of the workspace"),
        ("schema: 1\n", "", "schema"),
        ("runs:\n", "rans:\n", "there is no such field"),
    ],
)
def test_what_is_wrong_is_a_sentence_with_its_place(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    file = tmp_path / "runs.yaml"
    file.write_text(RUN.replace(old, new, 1))
    with pytest.raises(BadRun) as caught:
        load_runs(file)
    assert str(caught.value).startswith(f"{file}:")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ids_are_unique_and_names_of_sets_are_known(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(RUN)
    with pytest.raises(BadRun, match="'one' is taken"):
        load_runs(tmp_path)
    with pytest.raises(BadRun, match="no set of runs called 'wrld' is shipped; did you mean"):
        load_runs("wrld")


def test_a_wording_has_the_tools_of_the_world(tmp_path: Path) -> None:
    file = tmp_path / "runs.yaml"
    file.write_text(RUN.replace("files: {a.txt", "commands: {}, files: {a.txt", 1))
    load_runs(file).fit(load_wording("world/full"))
    with pytest.raises(BadRun, match="has no tool 'list_files'"):
        load_runs(file).fit(load_wording("coding_agent/terse"))
