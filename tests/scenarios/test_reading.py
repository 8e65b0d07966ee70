"""Reading scenario files: every mistake is one sentence with its place and what to write."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from faultloop.scenarios import reading
from faultloop.scenarios.reading import BadScenario

GOOD = """\
schema: 1
name: read-and-add
claim: A thing is added once.
claims: [L11]
checks: [end_acceptable]
world:
  files: {notes.md: "- milk"}
input: Add tea.
script:
  - say: Let me see.
    calls:
      - tool: append_file
        args: {path: notes.md, line: tea}
  - say: Added.
accept:
  - end_reason: [completed]
    effects: 1
max_requests: 8
"""


class Mistake(NamedTuple):
    """A change to GOOD and what is said about it."""

    old: str
    new: str
    line: int
    said: str
    """The text of the error after `PATH:LINE: `."""


FAULTS = "input: Add tea.\nfaults:\n  - "
EVENTS = "input: Add tea.\nevents:\n  - "

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
        "a second document begins here; one file holds one scenario",
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
        "effects, end_reason, next_turn, replies, told",
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
    # --- what must agree
    "claim without a full stop": Mistake(
        "added once.", "added once", 3, "claim: it must be one line that ends with a full stop"
    ),
    "claim id that is none": Mistake(
        "[L11]",
        "[L11, Q2]",
        4,
        "claims[1]: 'Q2' is no claim id; write a letter of SPEC and a number, as in P1",
    ),
    "claim id past the end": Mistake(
        "[L11]", "[P12]", 4, "claims[0]: SPEC has no P12; that section ends at P11"
    ),
    "misspelt check": Mistake(
        "[end_acceptable]",
        "[ends_acceptable]",
        5,
        "checks[0]: there is no check 'ends_acceptable'; did you mean 'end_acceptable'?",
    ),
    "tool that is not offered": Mistake(
        "tool: append_file",
        "tool: run_command",
        12,
        "script[0].calls[0].tool: this world offers no tool 'run_command'; the tools are "
        "append_file, delete_files, edit_file, list_files, read_file, write_file",
    ),
    "arguments that the tool refuses": Mistake(
        "line: tea}",
        "lines: tea}",
        13,
        'script[0].calls[0].args: append_file would refuse it: "line" is a required property; '
        "Additional properties are not allowed ('lines' was unexpected); "
        "where that is meant, write raw",
    ),
    "args beside raw": Mistake(
        "line: tea}",
        "line: tea}\n        raw: '{'",
        14,
        "script[0].calls[0].raw: it stands beside args; keep one of the two",
    ),
    "nonsense of a world": Mistake(
        "world:\n",
        "world:\n  ci: []\n",
        6,
        "world: a world with CI needs at least one status to tell, such as [passed]",
    ),
    "fault at no place": Mistake(
        "input: Add tea.",
        FAULTS + "{at: call 1, kind: truncated_arguments}",
        10,
        "faults[0].at: 'call 1' is no place for a fault: "
        "write 'step N', 'tool NAME' or 'tool NAME N'",
    ),
    "fault past the script": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 4, kind: rate_limited}",
        10,
        "faults[0].at: the script has no step 4; it has 3 in all",
    ),
    "tool fault at a step": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 1, kind: tool_hang}",
        10,
        "faults[0].at: tool_hang strikes at 'tool NAME', not at 'step 1'",
    ),
    "model fault at a tool": Mistake(
        "input: Add tea.",
        FAULTS + "{at: tool append_file, kind: double_encoded}",
        10,
        "faults[0].at: double_encoded strikes at 'step N', not at 'tool append_file'",
    ),
    "argument fault where no call is": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 2, kind: double_encoded}",
        10,
        "faults[0].at: step 2 makes no call, so double_encoded cannot strike there",
    ),
    "change of an argument that is not there": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 1, kind: missing_field, field: text}",
        10,
        "faults[0].field: the last call of step 1 has no argument 'text' to change",
    ),
    "stream fault in any column": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 1, kind: end_mark_missing}",
        10,
        "faults[0].kind: end_mark_missing needs a stream; write 'requires: [streaming]'",
    ),
    "misspelt landmark": Mistake(
        "input: Add tea.",
        "requires: [cancel]\n" + EVENTS + "{at: after_efect, do: cancel}",
        11,
        "events[0].at: there is no landmark 'after_efect'; did you mean 'after_effect'?",
    ),
    "chunk zero": Mistake(
        "input: Add tea.",
        "requires: [cancel]\n" + EVENTS + "{at: 'chunk:0', do: cancel}",
        11,
        "events[0].at: there is no landmark 'chunk:0'; did you mean 'chunk:N'?",
    ),
    "landmark of the reference only": Mistake(
        "input: Add tea.",
        "requires: [restart]\n" + EVENTS + "{at: after_journal, do: kill}",
        11,
        "events[0].at: after_journal exists only inside the reference loop; "
        "write 'requires: [journal]' and 'tier: sim'",
    ),
    "place in the journal by number": Mistake(
        "input: Add tea.",
        "requires: [journal, restart]\ntier: sim\n"
        + EVENTS
        + "{at: before_journal, occurrence: 7, do: kill}",
        12,
        "events[0].event: a place in the journal is named by what is written there, and nothing "
        "else is; write 'event: call_started' or another of its entries beside before_journal or "
        "after_journal",
    ),
    "kill of whom cannot be restarted": Mistake(
        "input: Add tea.",
        EVENTS + "{at: after_effect, do: kill}",
        10,
        "events[0].do: kill needs a subject that allows it; write 'requires: [restart]'",
    ),
    "steering without words": Mistake(
        "input: Add tea.",
        "requires: [control]\n" + EVENTS + "{at: call_arrived, do: steer}",
        11,
        "events[0].text: only what is said has a text, and needs one",
    ),
    "landmark of an unknown step": Mistake(
        "input: Add tea.",
        "requires: [cancel]\n" + EVENTS + "{at: reply_sent, do: cancel, step: 9}",
        11,
        "events[0].step: the script has no step 9; it has 3 in all",
    ),
    "accepting anything": Mistake(
        "- end_reason: [completed]\n    effects: 1",
        "- {}",
        16,
        "accept[0]: it accepts anything; name at least one thing that must hold",
    ),
    "empty extent": Mistake(
        "effects: 1",
        "effects: [2, 1]",
        17,
        "accept[0].effects: [2, 1] is empty; write [least, most], none below 0",
    ),
    "end that nobody brings about": Mistake(
        "[completed]",
        "[aborted]",
        16,
        "accept[0].end_reason: no end is 'aborted' where no event does a cancel",
    ),
    # --- what a green play must prove
    "success that surrender could claim": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 2, kind: rate_limited}",
        18,
        "accept[0].replies: a loop that takes a failed or cut reply for the answer could say "
        "completed as well; write 'replies: [2, ...]', what it takes to be really done",
    ),
    "success after a reply that was scripted as cut": Mistake(
        "say: Added.",
        "say: Added.\n    finish: length",
        17,
        "accept[0].replies: a loop that takes a failed or cut reply for the answer could say "
        "completed as well; write 'replies: [3, ...]', what it takes to be really done",
    ),
    "claim that nothing judges": Mistake(
        "[L11]",
        "[L11, S2]",
        4,
        "claims[1]: nothing here judges S2; demand one of results_in_order, or take it out",
    ),
    "claim that no check could judge": Mistake(
        "[L11]", "[E1]", 4, "claims[0]: nothing here judges E1, or take it out"
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_sentence_with_its_place(mistake: Mistake) -> None:
    assert mistake.old in GOOD
    text = GOOD.replace(mistake.old, mistake.new, 1)
    with pytest.raises(BadScenario) as caught:
        reading.loads(text, Path("mine.yaml"))
    assert str(caught.value) == f"mine.yaml:{mistake.line}: {mistake.said}"
    assert caught.value.line == mistake.line


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
