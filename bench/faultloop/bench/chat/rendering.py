"""From the screen to rich's renderables. Pure: the same screen, line and time look the same.

An item that is settled is drawn once and scrolls away; everything else is the live part, which is
never higher than the terminal: of what does not fit, the beginning is left out and said to be, and
comes when it is settled. The question, the line that is typed and the budget are always seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.text import Text

from faultloop.bench.chat.line import Line
from faultloop.bench.chat.screen import OPEN, Card, End, Item, Note, Reply, Said, Screen
from faultloop.bench.chat.wording import (
    CARDS,
    CONTENT_LINES_MAX,
    ENDS,
    LANES,
    TONES,
    first_lines,
    harmless,
    in_full,
    in_short,
)
from faultloop.loop.budget import Budget

QUESTION_LINES_MAX = 12
"""How much of a call's arguments stands above the line; `/args` prints all of them."""
LIVE_LINES_MIN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the conversation."""

    budget: Budget
    journal: str
    """Where it is kept, as the person may type it."""


# --- items ----------------------------------------------------------------------------------------


def item(one: Item) -> RenderableType:
    """One item."""
    match one:
        case Said():
            return _said(one)
        case Reply():
            return _reply(one)
        case Card():
            return _card(one)
        case Note():
            return Text(harmless(one.text), style=TONES[one.tone])
        case End():
            return _end(one)


def _said(said: Said) -> Text:
    look = LANES[said.lane]
    text = Text(f"\n{look.glyph} ", style="cyan")
    text.append(harmless(said.text), style=look.style)
    if look.word:
        text.append(f"  ({look.word})", style="dim")
    return text


def _reply(reply: Reply) -> Text:
    text = harmless(reply.text).strip("\n")
    match reply.state:
        case "interrupted":
            why = f": {harmless(reply.why)}" if reply.why else ""
            drawn = Text(text, style="dim strike")
            drawn.append(f"\n✗ interrupted{why}; the model never sees this text", "yellow")
            return drawn
        case "cut":
            drawn = Text(text)
            drawn.append("\n✗ cut at its length limit; none of its calls is run", "yellow")
            return drawn
        case _:
            return Text(text)


def _card(card: Card) -> RenderableType:
    look = CARDS[card.state]
    head = Text(f"{look.glyph} ", style=look.style, no_wrap=True, overflow="ellipsis")
    head.append(harmless(card.tool), style="bold")
    head.append(f"  {look.word}", style=look.style)
    if card.code and card.state != "ok":
        head.append(f" ({harmless(card.code)})", style=look.style)
    head.append(f"  {in_short(card.arguments)}", style="dim")
    told = card.content if card.state not in OPEN else card.progress
    if not told:
        return head
    shown = first_lines(told, CONTENT_LINES_MAX.get(card.state, 1))
    return Group(head, Padding(Text(shown, style="dim"), (0, 0, 0, 2)))


def _end(end: End) -> Text:
    meaning, tone = ENDS[end.end_reason]
    took = f" in {seconds(end.took_s)}" if end.took_s is not None else ""
    error = f": {harmless(end.error)}" if end.error else ""
    return Text(f"— turn {end.turn} {meaning}{took}{error}", style=TONES[tone])


# --- the live part --------------------------------------------------------------------------------


def live(
    screen: Screen, line: Line, frame: Frame, *, unsettled: Sequence[Item], now_s: float
) -> Tail:
    """What is drawn anew with every change."""
    moving: list[RenderableType] = [item(one) for one in unsettled]
    moving += [
        Text(f"  waits: {harmless(said.text)}", style="dim", no_wrap=True, overflow="ellipsis")
        for said in screen.waiting
    ]
    fixed: list[RenderableType] = []
    if screen.question is not None:
        fixed += _question(screen.question)
    fixed += [_typed(line), _budget(screen, frame, now_s), _keys(screen)]
    return Tail(Group(*moving), Group(*fixed))


def _question(card: Card) -> list[RenderableType]:
    asked = Text("May ", style="yellow")
    asked.append(harmless(card.tool), style="bold yellow")
    asked.append(" run with", style="yellow")
    lines = in_full(card.arguments).split("\n")
    shown = lines[:QUESTION_LINES_MAX]
    if len(lines) > len(shown):
        shown.append(f"… {len(lines) - len(shown)} more lines: type /args to read all of it first")
    return [asked, Padding(Text("\n".join(shown)), (0, 0, 0, 2))]


def _typed(line: Line) -> Text:
    """The line with its cursor; of a long one, the part about the cursor."""
    before, at, after = line.parts
    text = Text("› ", style="cyan", overflow="fold")
    text.append(harmless(before).replace("\n", "⏎"), style="default")
    text.append(harmless(at or " ").replace("\n", "⏎"), style="reverse")
    text.append(harmless(after).replace("\n", "⏎"), style="default")
    return text


def _budget(screen: Screen, frame: Frame, now_s: float) -> Text:
    parts = [f"turn {screen.turn}"]
    steps = screen.steps + (1 if screen.began_s is not None else 0)
    limit = frame.budget.steps_max
    parts.append(f"step {steps}" if limit is None else f"step {steps}/{limit}")
    if screen.began_s is not None:
        parts.append(seconds(now_s - screen.began_s))
    spent = screen.spent
    cached = f" + {spent.cached_tokens:,} cached" if spent.cached_tokens else ""
    parts.append(f"tokens {spent.input_tokens:,} in{cached}, {spent.output_tokens:,} out")
    cost_usd = spent.cost_usd(frame.budget.price)
    if cost_usd:
        parts.append(f"${cost_usd:.4f}")
    parts.append(frame.journal)
    return Text(" · ".join(parts), style="dim", overflow="fold")


def _keys(screen: Screen) -> Text:
    if screen.stopping:
        keys = "stopping … what has begun is stopped or waited for"
    elif screen.asked is not None:
        keys = "y Enter: once · a Enter: always for this tool · n Enter, or n and a reason: no"
    elif screen.running:
        keys = "Esc stops · Enter steers · /follow TEXT waits for the end · /quit"
    else:
        keys = "Enter sends · /tools · /journal · /quit"
    return Text(keys, style="dim italic", no_wrap=True, overflow="ellipsis")


@dataclass(frozen=True, slots=True)
class Tail:
    """Two parts, the first cut from above so that both fit the terminal."""

    moving: RenderableType
    fixed: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines that fit."""
        fixed = _lines(console, options, self.fixed)
        moving = _lines(console, options, self.moving)
        room = max(LIVE_LINES_MIN, console.height - len(fixed) - 1)
        if len(moving) > room:
            above = Text(f"… {len(moving) - room + 1} lines above", style="dim")
            moving = [*_lines(console, options, above), *moving[len(moving) - room + 1 :]]
        for line in (*moving, *fixed[-(console.height - 1) :]):
            yield from line
            yield Segment.line()


def _lines(
    console: Console, options: ConsoleOptions, renderable: RenderableType
) -> list[list[Segment]]:
    return console.render_lines(renderable, options.update(height=None), pad=False)


def seconds(span_s: float) -> str:
    """`7 s`, `2 min 5 s`."""
    whole = max(0, int(span_s))
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"
