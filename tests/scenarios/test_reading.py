"""Reading scenario files: good ones, and each mistake in their form as one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from faultloop.scenarios import reading
from faultloop.scenarios.reading import BadScenario

from .mistakes import FAULTS, GOOD, Mistake, said

MISTAKES = {
    # --- the YAML itself
    "tab": Mistake(
        "input: Add",
        "\tinput: Add",
        8,
        "a tab stands where YAML wants spaces; indent with spaces",
    ),
    "colon in plain text": Mistake(
        "Add tea.",
        "Add: tea.",
        8,
        "a colon stands where none may; put a text that contains ': ' in quotes",
    ),
    "duplicate key": Mistake(
        "input: Add tea.",
        "input: Add tea.\nclaim: Another.",
        9,
        "claim: it is already on line 3; keep one of the two",
    ),
    "alias": Mistake(
        "- say: Added.",
        "- &step {say: Added.}\n  - *step",
        15,
        "script[2]: it is an alias (*name); write the value out where it is used",
    ),
    "tag": Mistake(
        "input: Add tea.",
        "input: !!python/name:os.system x",
        8,
        "input: the tag 'tag:yaml.org,2002:python/name:os.system' is not allowed; write plain data",
    ),
    "second document": Mistake(
        "max_requests: 8",
        "max_requests: 8\n---\nschema: 1",
        19,
        "a second document begins here; one file holds one document",
    ),
    "half a character": Mistake(
        "input: Add tea.",
        'input: "Add \\ud83d."',
        8,
        "input: '\\ud83d' is half a character (a surrogate); write the character itself",
    ),
    "half a character in a key": Mistake(
        "input: Add tea.",
        '"\\udc00": Add tea.',
        8,
        "'\\udc00' is half a character (a surrogate); write the character itself",
    ),
    "nothing but brackets": Mistake(
        "input: Add tea.",
        "input:\n  " + "[" * 2000,
        9,
        "it is nested more than 50 deep; no part of such a file needs that",
    ),
    "nested deeper than anything needs": Mistake(
        "input: Add tea.",
        "input: " + "{a: " * 60 + "x" + "}" * 60,
        8,
        "input.a.a: it is nested more than 50 deep; no part of such a file needs that",
    ),
    "empty file": Mistake(GOOD, "# later\n", 1, "the file is empty; begin with 'schema: 1'"),
    "list at the root": Mistake(
        GOOD, "- 1\n", 1, "a scenario is a mapping; begin with 'schema: 1'"
    ),
    # --- the shape of a field
    "misspelt field": Mistake(
        "max_requests: 8",
        "max_request: 8",
        18,
        "max_request: there is no such field; did you mean 'max_requests'?",
    ),
    "unknown field": Mistake(
        "    effects: 1",
        "    color: red",
        17,
        "accept[0].color: there is no such field; the fields are "
        "effects, end_reason, next_turn, refused, replies, told",
    ),
    "misspelt field of a fault": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 1, kind: truncated_arguments, keep: 3}",
        10,
        "faults[0].keep: there is no such field; did you mean 'keep_chars'?",
    ),
    "misspelt field of the world": Mistake(
        "  files:", "  file:", 7, "world.file: there is no such field; did you mean 'files'?"
    ),
    "missing field": Mistake(
        "max_requests: 8\n", "", 1, "max_requests: it is missing; write 'max_requests: ...'"
    ),
    "missing tool": Mistake(
        "- tool: append_file\n        args",
        "- args",
        12,
        "script[0].calls[0].tool: it is missing; write 'tool: ...'",
    ),
    "text for a number": Mistake(
        "max_requests: 8",
        'max_requests: "8"',
        18,
        "max_requests: it must be a whole number, not the text '8'",
    ),
    "number for text": Mistake(
        "say: Added.", "say: 12", 14, "script[1].say: it must be text, not the number 12"
    ),
    "yes for text": Mistake(
        "say: Added.",
        "say: yes",
        14,
        "script[1].say: it must be text, not true "
        "(YAML reads yes, no, on and off so: quote such a word)",
    ),
    "text for a list": Mistake(
        "claims: [L11]",
        "claims: P1",
        4,
        "claims: it must be a list, in [brackets] or with one '- ' a line, not the text 'P1'",
    ),
    "list for a mapping": Mistake(
        "world:\n  files:",
        "world:\n  - files:",
        6,
        "world: it must be a mapping with fields, not a list of 1",
    ),
    "list of one for an extent": Mistake(
        "effects: 1",
        "effects: [1]",
        17,
        "accept[0].effects: it must be a whole number or a list [least, most], not a list of 1",
    ),
    "unknown end reason": Mistake(
        "[completed]",
        "[done]",
        16,
        "accept[0].end_reason[0]: the text 'done' is none of completed, blocked, max_tokens, "
        "max_steps, timeout, token_budget, cost_budget, aborted, error, interrupted, killed",
    ),
    "other version": Mistake("schema: 1", "schema: 2", 1, "schema: it must be 1, not the number 2"),
    "name with spaces": Mistake(
        "name: read-and-add",
        "name: Read and add",
        2,
        "name: it must be lower-case words joined by hyphens, not the text 'Read and add'",
    ),
    "empty list": Mistake("claims: [L11]", "claims: []", 4, "claims: it must not be empty"),
    "too many requests": Mistake(
        "max_requests: 8",
        "max_requests: 800",
        18,
        "max_requests: it must be at most 120, not the number 800",
    ),
    "misspelt kind": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 1, kind: truncated_argument}",
        10,
        "faults[0].kind: there is no fault of the kind 'truncated_argument'; "
        "did you mean 'truncated_arguments'?",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_sentence_with_its_place(mistake: Mistake) -> None:
    assert said(mistake) == f"mine.yaml:{mistake.line}: {mistake.said}"


def test_a_good_file_is_read() -> None:
    scenario = reading.loads(GOOD, Path("mine.yaml"))
    assert scenario.script[0].calls[0].args == {"path": "notes.md", "line": "tea"}
    assert scenario.world.files == {"notes.md": "- milk"}
    assert scenario.accept[0].effects == 1


def test_a_dumped_scenario_reads_back_the_same() -> None:
    faulty = FAULTS + "{at: step 1, kind: wrong_type, field: line, value: [1, null]}"
    scenario = reading.loads(GOOD.replace("input: Add tea.", faulty), Path("mine.yaml"))
    assert reading.loads(reading.dump(scenario), Path("kept.yaml")) == scenario


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    with pytest.raises(BadScenario) as caught:
        reading.load(missing)
    assert str(caught.value) == f"{missing}:1: it cannot be read: No such file or directory"


def test_a_file_that_is_no_text_says_where(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"schema: 1\nclaim: caf\xe9\n")
    with pytest.raises(BadScenario) as caught:
        reading.load(latin)
    assert str(caught.value) == f"{latin}:2: this is not UTF-8 text; save it as UTF-8"


def test_a_folder_is_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "first.yaml").write_text(GOOD.replace("read-and-add", "a-first"))
    (tmp_path / "second.yaml").write_text(GOOD)
    (tmp_path / "notes.txt").write_text("not a scenario")
    assert [scenario.name for scenario in reading.load_folder(tmp_path)] == [
        "a-first",
        "read-and-add",
    ]


def test_a_name_is_given_once(tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(GOOD)
    second.write_text(GOOD)
    with pytest.raises(BadScenario) as caught:
        reading.load_folder(tmp_path)
    assert str(caught.value) == (
        f"{second}:2: name: 'read-and-add' is the name of {first} too; names are unique"
    )


def test_no_folder_is_no_empty_catalogue(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match="it is no folder; name a folder of scenario files"):
        reading.load_folder(tmp_path / "none")


def test_what_is_no_file_or_too_big_for_one_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "big.yaml").write_text(GOOD + "#" * reading.BYTES_MAX)
    for name, sentence in {
        "pipe.yaml": "it is a pipe or a device; name a file",
        "folder.yaml": "it is a folder; name a file",
        "big.yaml": "bytes; a scenario has at most 1,000,000",
    }.items():
        with pytest.raises(BadScenario, match=sentence):
            reading.load(tmp_path / name)
