"""Scenario files in which each field is right and two do not agree, or prove nothing."""

from __future__ import annotations

import pytest

from .mistakes import EVENTS, FAULTS, Mistake, said

MISTAKES = {
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
        "write 'step N', 'any step', 'tool NAME', 'tool NAME N' or 'any tool'",
    ),
    "tool fault at any step": Mistake(
        "input: Add tea.",
        FAULTS + "{at: any step, kind: tool_hang}",
        10,
        "faults[0].at: tool_hang strikes at 'tool NAME', not at 'any step'",
    ),
    "fault that no step has room for": Mistake(
        "input: Add tea.",
        FAULTS + "{at: any step, kind: missing_field, field: text}",
        10,
        "faults[0].field: the last call of step 1 has no argument 'text' to change",
    ),
    "chance that is none": Mistake(
        "input: Add tea.",
        FAULTS + "{at: any step, kind: rate_limited, chance: 1.5}",
        10,
        "faults[0].chance: it is how likely the fault is; write a number above 0 and at most 1",
    ),
    "fault past the script": Mistake(
        "input: Add tea.",
        FAULTS + "{at: step 4, kind: rate_limited}",
        10,
        "faults[0].at: the script has no step 4; it has 3 in all",
    ),
    "drift of no parameter": Mistake(
        "input: Add tea.",
        FAULTS + "{at: tool append_file, kind: schema_drift, parameter: colour}",
        10,
        "faults[0].parameter: append_file: there is no parameter 'colour' that could change; "
        "there are path, line",
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
    "goal for a subject that knows none": Mistake(
        "input: Add tea.",
        "goal_rounds: 2\ninput: Add tea.",
        8,
        "goal_rounds: a goal needs 'goals' among requires",
    ),
    "misspelt landmark": Mistake(
        "input: Add tea.",
        "requires: [cancel]\n" + EVENTS + "{at: after_efect, do: cancel}",
        11,
        "events[0].at: there is no landmark 'after_efect'; did you mean 'after_effect'?",
    ),
    "silence that nothing brings about": Mistake(
        "input: Add tea.",
        "requires: [cancel, streaming]\n" + EVENTS + "{at: stream_stalled, do: cancel}",
        11,
        "events[0].at: no stream stands still here; add a fault of kind stall",
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
    "error that a loop could say that dies at once": Mistake(
        "say: Added.\naccept:\n  - end_reason: [completed]",
        "say: Added.\n    finish: length\naccept:\n  - end_reason: [error, max_tokens]",
        17,
        "accept[0].replies: a loop that dies at once could say error as well; write "
        "'replies: [2, ...]', what it has had when it meets the trouble",
    ),
    "message that no process can be given": Mistake(
        "input: Add tea.",
        'input: "Add\\0tea."',
        8,
        "input: it holds a NUL character, which no process can be given",
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
    assert said(mistake) == f"mine.yaml:{mistake.line}: {mistake.said}"
