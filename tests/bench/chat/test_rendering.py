"""The live part: it fits the terminal, and what a person must see is never cut."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from faultloop.bench.chat.line import Line
from faultloop.bench.chat.rendering import Frame, item, live, seconds
from faultloop.bench.chat.screen import Card, Reply, Said, Screen
from faultloop.loop.budget import Budget, Price, Spent

FRAME = Frame(budget=Budget(price=Price(input_usd=2, output_usd=10)), journal="chat.sqlite")


def drawn(renderable: RenderableType, *, width: int = 60, height: int = 20) -> list[str]:
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    with console.capture() as capture:
        console.print(renderable, end="")
    return [line.rstrip() for line in capture.get().split("\n")]


def lived(screen: Screen, line: Line | None = None, **size: int) -> list[str]:
    part = live(screen, line or Line(), FRAME, unsettled=screen.items, now_s=65.0)
    return drawn(part, **size)


LONG = Reply(attempt="1/1/1", text="\n".join(f"line {number}" for number in range(100)))
QUESTION = Screen(
    items=(Card(call="1/1/0", tool="write", arguments='{"path":"a.txt"}', state="asked"),),
    running=True,
    asked="1/1/0",
)


@pytest.mark.parametrize("height", [6, 10, 24])
def test_it_is_never_higher_than_the_terminal(height: int) -> None:
    lines = lived(Screen(items=(LONG,), running=True), height=height)
    assert len(lines) <= height
    assert "lines above" in lines[0]
    assert any("line 99" in line for line in lines)
    assert any("Esc stops" in line for line in lines)


def test_a_question_shows_the_arguments_and_the_keys() -> None:
    lines = lived(QUESTION)
    assert "May write run with" in lines
    assert "  path: a.txt" in lines
    assert lines[-2].startswith("y Enter: once")


def test_of_long_arguments_it_says_how_to_read_all() -> None:
    content = "\\n".join(f"row {number}" for number in range(50))
    card = Card(call="c", tool="write", arguments=f'{{"content":"{content}"}}', state="asked")
    lines = lived(Screen(items=(card,), asked="c"))
    assert "  … 39 more lines: type /args to read all of it first" in lines


def test_the_budget_tells_steps_time_tokens_cost_and_journal() -> None:
    spent = Spent(input_tokens=1500, cached_tokens=200, output_tokens=300)
    screen = Screen(turn=2, steps=1, spent=spent, began_s=0.0, running=True)
    told = "turn 2 · step 2/50 · 1 min 5 s · tokens 1,500 in + 200 cached, 300 out · $0.0060"
    assert f"{told} · chat.sqlite" in lived(screen, width=120)


def test_what_waits_is_seen_and_where_it_entered_is_told() -> None:
    said = Said(id="a", text="be brief", lane="steer")
    assert "  waits: be brief" in lived(Screen(waiting=(said,), running=True))
    assert drawn(item(said)) == ["", "» be brief  (steering)"]


def test_the_cursor_stands_in_the_line() -> None:
    assert "› ab⏎cd" in lived(Screen(), Line(text="ab\ncd", cursor=2))


@pytest.mark.parametrize(
    ("span_s", "told"), [(0.4, "0 s"), (59.9, "59 s"), (60, "1 min 0 s"), (3725, "62 min 5 s")]
)
def test_time(span_s: float, told: str) -> None:
    assert seconds(span_s) == told
