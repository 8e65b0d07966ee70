"""Foreign text on a terminal, arguments in short and in full."""

from __future__ import annotations

from typing import get_args

import pytest

from faultloop.bench.chat.headless import EXIT_OF
from faultloop.bench.chat.permission import Answer, answered
from faultloop.bench.chat.screen import CardState, Lane, Tone
from faultloop.bench.chat.wording import (
    CARDS,
    ENDS,
    LANES,
    TONES,
    first_lines,
    harmless,
    in_full,
    in_short,
)
from faultloop.loop.events import EndReason

HARMLESS = {
    "plain text, breaks and tabs pass": ("a\n\tb é 漢 😀", "a\n\tb é 漢 😀"),
    "the parts of one emoji stay together": ("👩\u200d💻", "👩\u200d💻"),
    "an escape sequence is shown, not obeyed": ("\x1b[2J", "␛[2J"),
    "a bell is shown": ("\x07", "␇"),
    "a carriage return cannot overwrite": ("rm\rls", "rm␍ls"),
    "one before a line break is none": ("a\r\nb", "a\nb"),
    "direction cannot be reversed": ("a\u202eb", "a�b"),
    "the second control set is shown too": ("\x9b2J", "�2J"),
}


@pytest.mark.parametrize(("text", "shown"), HARMLESS.values(), ids=HARMLESS)
def test_foreign_text_is_harmless(text: str, shown: str) -> None:
    assert harmless(text) == shown


SHORT = {
    '{"path":"a.txt","line":3}': 'path="a.txt" line=3',
    '{"text":"a\\nb"}': 'text="a\\nb"',
    "{}": "",
    "[1]": "[1]",
    '{"path": "a': '{"path": "a',
    "two\nlines": "two lines",
}


@pytest.mark.parametrize(("arguments", "shown"), SHORT.items())
def test_arguments_in_short(arguments: str, shown: str) -> None:
    assert in_short(arguments) == shown


FULL = {
    '{"path":"a.txt","n":3}': "path: a.txt\nn: 3",
    '{"content":"one\\n"}': "content: one",
    '{"content":"one\\npath: b"}': "content:\n  one\n  path: b",
    '{"x":"\\u001b[2J"}': "x: ␛[2J",
    "no json": "no json",
    "[1]": "[1]",
}


@pytest.mark.parametrize(("arguments", "shown"), FULL.items())
def test_arguments_in_full_cannot_pretend_to_be_others(arguments: str, shown: str) -> None:
    assert in_full(arguments) == shown


def test_what_is_left_out_is_counted() -> None:
    assert first_lines("a\nb\n", 2) == "a\nb"
    assert first_lines("a\nb\nc", 2) == "a\nb\n… 1 more line"
    assert first_lines("a\nb\nc\nd", 2) == "a\nb\n… 2 more lines"


def test_every_state_lane_tone_and_end_has_a_look() -> None:
    assert set(CARDS) == set(get_args(CardState))
    assert set(LANES) == set(get_args(Lane))
    assert set(TONES) == set(get_args(Tone))
    assert set(ENDS) == set(EXIT_OF) == set(get_args(EndReason))


def test_only_a_turn_that_completed_exits_with_0() -> None:
    assert [reason for reason, code in EXIT_OF.items() if code == 0] == ["completed"]


ANSWERS = {
    "y": Answer(granted=True),
    " YES ": Answer(granted=True),
    "a": Answer(granted=True, always=True),
    "n": Answer(granted=False),
    "no, use b.txt": Answer(granted=False, reason="use b.txt"),
    "north": None,
    "yes but slowly": None,
    "hello": None,
    "": None,
}


@pytest.mark.parametrize(("line", "answer"), ANSWERS.items())
def test_what_is_an_answer_and_what_is_not(line: str, answer: Answer | None) -> None:
    assert answered(line) == answer
