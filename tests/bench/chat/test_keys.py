"""From bytes to keys to a line, as tables."""

from __future__ import annotations

import pytest

from faultloop.bench.chat.keys import Key, Keys
from faultloop.bench.chat.line import Line

A, B, ESCAPE = Key("text", "a"), Key("text", "b"), Key("escape")

BYTES = {
    "letters": (b"ab", [Key("text", "ab")]),
    "a letter of several bytes": ("é".encode(), [Key("text", "é")]),
    "enter, in both spellings": (b"\r\n", [Key("enter"), Key("enter")]),
    "arrows, in both spellings": (b"\x1b[D\x1bOC", [Key("left"), Key("right")]),
    "a sequence that means nothing here": (b"\x1b[15;2~a", [A]),
    "esc before a letter is both": (b"\x1ba", [ESCAPE, A]),
    "esc twice: the second may still begin something": (b"\x1b\x1b", [ESCAPE]),
    "a paste is one key and sends nothing": (
        b"\x1b[200~a\rb\x1b[201~",
        [Key("paste", "a\nb")],
    ),
    "a control character that means nothing here": (b"\x00a", [A]),
    "bytes that are no text": (b"\xff", [Key("text", "�")]),
}


@pytest.mark.parametrize(("data", "keys"), BYTES.values(), ids=BYTES)
def test_bytes_are_keys(data: bytes, keys: list[Key]) -> None:
    assert Keys().feed(data) == keys


@pytest.mark.parametrize(("data", "keys"), BYTES.values(), ids=BYTES)
def test_it_does_not_matter_in_which_pieces_they_come(data: bytes, keys: list[Key]) -> None:
    reader = Keys()
    came = [key for at in range(len(data)) for key in reader.feed(data[at : at + 1])]
    assert joined(came) == joined(keys)


def joined(keys: list[Key]) -> list[Key]:
    """Texts side by side as one."""
    result: list[Key] = []
    for key in keys:
        if result and key.name == result[-1].name == "text":
            result[-1] = Key("text", result[-1].text + key.text)
        else:
            result.append(key)
    return result


def test_only_time_tells_an_escape_from_a_beginning() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.is_unsure
    assert keys.ended() == [ESCAPE]
    assert not keys.is_unsure
    assert keys.ended() == []


def test_an_escape_and_a_bracket_that_nothing_follows_are_both_told() -> None:
    keys = Keys()
    keys.feed(b"\x1b[")
    assert keys.ended() == [ESCAPE, Key("text", "[")]


def test_a_paste_that_is_not_over_is_waited_for() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b[200~half") == []
    assert not keys.is_unsure
    assert keys.feed(b"\x1b[201~b") == [Key("paste", "half"), B]


def line(before: str, after: str = "") -> Line:
    return Line(text=before + after, cursor=len(before))


EDITS = {
    "text": (line("a", "c"), Key("text", "b"), line("ab", "c")),
    "paste": (line("a"), Key("paste", "\n"), line("a\n")),
    "backspace": (line("ab", "c"), Key("backspace"), line("a", "c")),
    "backspace at the beginning": (line("", "a"), Key("backspace"), line("", "a")),
    "delete": (line("a", "bc"), Key("delete"), line("a", "c")),
    "delete at the end": (line("a"), Key("delete"), line("a")),
    "left": (line("ab"), Key("left"), line("a", "b")),
    "left at the beginning": (line("", "a"), Key("left"), line("", "a")),
    "right": (line("a", "b"), Key("right"), line("ab")),
    "home": (line("ab"), Key("home"), line("", "ab")),
    "end": (line("", "ab"), Key("end"), line("ab")),
    "kill what is before": (line("ab", "c"), Key("kill_before"), line("", "c")),
    "kill what is after": (line("a", "bc"), Key("kill_after"), line("a")),
    "kill a word": (line("one two ", "x"), Key("kill_word"), line("one ", "x")),
    "kill a word where there is none": (line("  "), Key("kill_word"), line("")),
    "a key that means nothing to a line": (line("a"), Key("escape"), line("a")),
}


@pytest.mark.parametrize(("before", "key", "after"), EDITS.values(), ids=EDITS)
def test_a_key_changes_the_line(before: Line, key: Key, after: Line) -> None:
    assert before.pressed(key) == after


def test_lines_that_were_sent_come_back_with_the_arrows() -> None:
    now = line("one").taken().put("two").taken().put("two").taken().put(" ").taken()
    assert now.sent == ("one", "two")
    up, down = Key("up"), Key("down")
    assert now.pressed(up).text == "two"
    assert now.pressed(up).pressed(up).text == "one"
    assert now.pressed(up).pressed(up).pressed(up).text == "one"
    assert now.pressed(up).pressed(up).pressed(down).text == "two"
    assert now.pressed(up).pressed(down).text == ""


def test_the_parts_of_a_line_are_about_its_cursor() -> None:
    assert line("ab", "cd").parts == ("ab", "c", "d")
    assert line("ab").parts == ("ab", "", "")
