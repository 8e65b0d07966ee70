"""What enters the history stays in budget and says what is missing (SPEC C7, P7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.output import (
    EXCERPT_BYTES,
    NO_TEXT,
    READ_ON,
    HeadAndTail,
    excerpt,
    fit,
    fit_result,
    head,
)
from faultloop.loop.tools.port import ToolResult


def test_a_short_text_passes_untouched() -> None:
    assert fit("abc", 3).text == "abc"
    assert not fit("abc", 3).cut


def test_a_cut_says_how_much_is_there_and_how_to_read_on() -> None:
    fitted = fit("line\n" * 1000, 200, read_on="call read_file with offset=100")
    assert fitted.cut
    assert fitted.text.endswith(" of 5000 bytes; call read_file with offset=100]")


@given(text=st.text(), budget=st.integers(0, 200))
def test_whatever_the_text_it_stays_in_budget_and_whole_in_its_characters(
    text: str, budget: int
) -> None:
    fitted = fit(text * 20, budget)
    assert len(fitted.text.encode()) <= budget or not fitted.cut
    assert fitted.cut == (len((text * 20).encode()) > budget)
    if not fitted.cut:
        assert fitted.text == text * 20
    elif "\n[cut: the first " in fitted.text:
        assert (text * 20).startswith(fitted.text.rpartition("\n[cut: ")[0])


@pytest.mark.parametrize(("budget", "kept"), [(4, "ää"), (3, "ä"), (1, ""), (0, ""), (-5, "")])
def test_a_cut_falls_between_characters(budget: int, kept: str) -> None:
    assert head("ääää", budget) == kept


def test_a_result_that_is_cut_says_so_in_its_field_too() -> None:
    result = ToolResult(outcome="ok", content="x" * 1000, continuation="ask for page 2")
    fitted = fit_result(result, 200)
    assert fitted.truncated
    assert "to read on: ask for page 2" in fitted.content


SAID: list[tuple[dict[str, Any], str]] = [
    # a result, and what the model reads of it
    ({"content": "data"}, "data"),
    ({"content": "data", "code": "IGNORED"}, "data"),
    ({"content": "p1", "truncated": True, "continuation": "offset=9"},
     "p1\n[cut; to read on: offset=9]"),
    ({"content": "p1", "continuation": "offset=9"}, "p1\n[cut; to read on: offset=9]"),
    ({"content": "p1", "truncated": True}, f"p1\n[cut; {READ_ON}]"),
    ({"content": '{"truncated": true, "continuation": "9"}', "truncated": True,
      "continuation": "9"}, '{"truncated": true, "continuation": "9"}'),
    ({"outcome": "failed", "content": "no", "code": "QUOTA"}, "no\n[code: QUOTA]"),
    ({"outcome": "unknown", "content": '{"code": "QUOTA"}', "code": "QUOTA"}, '{"code": "QUOTA"}'),
    ({"outcome": "failed", "content": "a\udcffb", "code": "Q\ud800"}, "a\ufffdb\n[code: Q\ufffd]"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "text"), SAID)
def test_a_result_tells_the_model_all_of_itself_and_nothing_twice(
    fields: dict[str, Any], text: str
) -> None:
    assert fit_result(ToolResult(**{"outcome": "ok", **fields}), 1000).content == text


@given(
    content=st.text() | st.text(st.characters(categories=["Cs", "L"])),
    times=st.integers(1, 50),
    continuation=st.text(max_size=50),
    code=st.text(max_size=50),
    budget=st.integers(0, 400),
)
def test_whatever_a_result_says_it_is_in_budget_and_can_be_written(
    content: str, times: int, continuation: str, code: str, budget: int
) -> None:
    result = ToolResult(
        outcome="failed", content=content * times, continuation=continuation, code=code
    )
    assert len(fit_result(result, budget).content.encode()) <= budget


@given(text=st.text(min_size=1), times=st.integers(1, 3000), around=st.none() | st.integers(0, 9))
def test_an_excerpt_is_bounded(text: str, times: int, around: int | None) -> None:
    long = text * times
    assert len(excerpt(long, around).encode()) <= EXCERPT_BYTES
    assert len(long.encode()) > EXCERPT_BYTES or excerpt(long, around) == long


@given(pieces=st.lists(st.binary(max_size=50)), budget=st.integers(0, 40))
def test_head_and_tail_keep_both_ends_in_bounded_memory(pieces: list[bytes], budget: int) -> None:
    whole = b"".join(pieces)
    kept = HeadAndTail(budget)
    for piece in pieces:
        kept.add(piece)
    assert kept.size_bytes == len(whole)
    if len(whole) <= budget:
        assert kept.text() == NO_TEXT.sub("?", whole.decode("utf-8", "surrogateescape"))
    else:
        assert f"\n[{len(whole) - budget} of {len(whole)} bytes left out here]\n" in kept.text()
        first, _, last = kept.text().partition(f"\n[{len(whole) - budget} of ")
        assert len(first.encode()) <= budget // 2
        assert len(last.partition("here]\n")[2].encode()) <= budget - budget // 2


def test_binary_output_takes_no_more_room_than_it_had_and_cuts_fall_between_characters() -> None:
    binary, text = HeadAndTail(100), HeadAndTail(10)
    binary.add(b"\xff" * 90)
    assert binary.text() == "?" * 90
    text.add(("ä" * 50).encode())
    assert text.text() == "ää\n[90 of 100 bytes left out here]\nää"


def test_the_end_of_a_long_output_is_there() -> None:
    kept = HeadAndTail(100)
    for line in range(10_000):
        kept.add(f"line {line}\n".encode())
    assert kept.text().startswith("line 0\n")
    assert kept.text().endswith("line 9999\n")
    assert len(kept.text()) < 200
