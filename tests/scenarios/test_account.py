"""What a subject says of itself, read from an output that others write into as well."""

import signal

import pytest

from faultloop.scenarios.subjects.account import (
    COMPLAINTS_MAX,
    BadLine,
    ResultLine,
    account_of,
    complaints,
    last_words,
    result_lines,
)


def said(*lines: str) -> str:
    return "\n".join(lines)


def test_only_lines_with_the_mark_count_and_the_last_of_a_turn_wins() -> None:
    output = said(
        "Loading model... done",
        '@faultloop {"v": 1, "turn": 0, "end_reason": "error"}',
        'look: @faultloop {"v": 1, "turn": 0, "end_reason": "blocked"}',
        '@faultloop {"v": 1, "turn": 0, "end_reason": "completed", "final_text": "Done."}',
        "Exporting spans",
    )
    account = account_of(output, 0, killed=False)
    assert (account.end_reason, account.final_text) == ("completed", "Done.")


def test_the_account_is_of_the_last_turn_and_recovery_of_all_is_kept() -> None:
    output = said(
        '@faultloop {"turn": 1, "end_reason": "completed",'
        ' "recovered": [{"turn": 0, "end_reason": "interrupted"}]}',
        '@faultloop {"turn": 2, "end_reason": "max_steps"}',
    )
    account = account_of(output, 1, killed=False)
    assert (account.end_reason, account.recovered) == ("max_steps", ("interrupted",))


@pytest.mark.parametrize(
    ("exit_code", "killed", "end_reason"),
    [
        (-signal.SIGINT, False, "aborted"),
        (130, False, "aborted"),
        (0, False, "error"),
        (1, False, "error"),
        (-signal.SIGSEGV, False, "error"),
        (-signal.SIGKILL, True, None),
    ],
)
def test_without_a_line_the_end_of_the_process_is_the_account(
    exit_code: int, killed: bool, end_reason: str | None
) -> None:
    assert account_of("no line here\n", exit_code, killed=killed).end_reason == end_reason


def test_a_line_beats_the_exit_code() -> None:
    account = account_of('@faultloop {"end_reason": "completed"}\n', -signal.SIGINT, killed=False)
    assert account.end_reason == "completed"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("@faultloop {not json", "cannot be read"),
        ('@faultloop {"v": 2, "end_reason": "completed"}', "cannot be read"),
        ('@faultloop {"end_reason": "finished"}', "'finished' is no end reason"),
        ('@faultloop {"final_text": "Done."}', "None is no end reason"),
    ],
)
def test_a_bad_line_is_told_and_never_taken_for_an_account(line: str, sentence: str) -> None:
    (bad,) = result_lines(line)
    assert isinstance(bad, BadLine)
    assert sentence in bad.sentence
    account = account_of(line, 0, killed=False)
    assert account.end_reason == "error"
    assert sentence in str(account.error)


def test_not_applicable_needs_no_end_reason() -> None:
    account = account_of('@faultloop {"not_applicable": "no GPU here"}\n', 0, killed=False)
    assert (account.end_reason, account.not_applicable) == (None, "no GPU here")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"end_reason": "completed", "final_text": "\\ud83d"}', "is half a character"),
        ('{"end_reason": "completed", "x": ' + "[" * 100_000, "it is nested too deeply"),
    ],
)
def test_a_line_that_no_decoder_takes_is_told_in_plain_words(text: str, sentence: str) -> None:
    (line,) = result_lines(f"@faultloop {text}")
    assert isinstance(line, BadLine)
    assert sentence in line.sentence
    assert len(line.sentence) < 600


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x7f"])
def test_a_line_ends_where_its_writer_ended_it(mark: str) -> None:
    output = f'@faultloop {{"end_reason": "completed", "final_text": "a{mark}b"}}\r\n'
    (line,) = result_lines(output)
    assert isinstance(line, ResultLine)
    assert line.final_text == f"a{mark}b"


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_what_some_take_for_the_end_of_a_line_begins_none(mark: str) -> None:
    assert list(result_lines(f'log{mark}@faultloop {{"end_reason": "completed"}}\n')) == []


def test_of_many_bad_lines_a_few_are_told_and_the_rest_counted() -> None:
    told = complaints(
        '@faultloop {"end_reason": "' + "x" * 1000 + '"}\n' + "@faultloop {\n" * 50, 0
    )
    assert len(told) == COMPLAINTS_MAX + 1
    assert told[-1] == "and 31 more lines like these"
    assert len(told[0]) < 500


NODE = """node:internal/modules/cjs/loader:1252
Error: Cannot find module 'drivr.cjs'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1252:15)
  requireStack: []
}

Node.js v22.3.0
"""


@pytest.mark.parametrize(
    ("errors", "last"),
    [
        ("", ""),
        ("warming up\npython: can't open file 'drivr.py'\n", "python: can't open file 'drivr.py'"),
        ("    improt json\n    ^^^^\nSyntaxError: invalid syntax\n", "SyntaxError: invalid syntax"),
        (NODE, "Error: Cannot find module 'drivr.cjs'"),
        ("x" * 1000, "x" * 199 + "…"),
    ],
)
def test_who_wrote_no_line_is_told_by_what_it_wrote_last(errors: str, last: str) -> None:
    account = account_of("no line", 1, killed=False, errors=errors)
    assert last_words(errors) == last
    said = f"; the last that it wrote to standard error: {last}" if last else ""
    assert account.error == f"no result line; exit code 1{said}"


def test_who_wrote_a_line_is_not_asked_for_another_word() -> None:
    output = '@faultloop {"end_reason": "completed"}'
    assert complaints(output, 0, "DeprecationWarning: old") == ()
