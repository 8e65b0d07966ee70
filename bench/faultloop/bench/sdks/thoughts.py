"""Rows about what the model thinks before it speaks: told apart, counted, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from faultloop.bench.sdks.cell import Case, Row
from faultloop.bench.sdks.conversations import STORY, round_trip
from faultloop.bench.sdks.heard import Asked
from faultloop.bench.sdks.replies import BOTH_CALLS, PIECES_MIN, UMLAUTS, differs, message

THINKS = Asked(thinks=True)
THOUGHTFUL = replace(BOTH_CALLS, think=f"I weigh it: {UMLAUTS}")
ALONE = replace(BOTH_CALLS, say="", think="A call, and nothing to say.")

_UNTOLD = {"openai_chat": "the API tells no thoughts, only how many tokens they had"}


def _thinking(case: Case) -> Iterator[str]:
    for step in (THOUGHTFUL, ALONE, replace(THOUGHTFUL, calls=())):
        if case.streamed:
            wire = case.ear.wire(case.scene.load(step), THINKS)
            yield from wire.complaints
            yield from differs("the thought in pieces", "".join(wire.thoughts), step.think)
            if step is THOUGHTFUL and len(wire.thoughts) < PIECES_MIN:
                yield f"it came in {len(wire.thoughts)} pieces"
        heard = case.ear.ask(case.scene.load(step), THINKS, streamed=case.streamed)
        yield from message(case, step, heard)
        yield from differs("the thought", heard.thought, step.think)


def _counted(case: Case) -> Iterator[str]:
    urls = case.scene.load(THOUGHTFUL)
    heard = case.ear.ask(urls, THINKS, streamed=case.streamed)
    thought, completion = heard.reasoning_tokens or 0, heard.completion_tokens or 0
    is_apart = case.ear.dialect == "gemini"
    if not thought or not (is_apart or thought < completion):
        yield f"{thought} tokens were thought, of {completion}"
    if case.ear.package != "anthropic":  # which has no sum
        total = (heard.prompt_tokens or 0) + completion + (thought if is_apart else 0)
        yield from differs("the sum of the tokens", heard.total_tokens, total)


def _taken_back(case: Case) -> Iterator[str]:
    story = (replace(step, think=f"Step {number}.") for number, step in enumerate(STORY))
    yield from round_trip(case, *story, thinks=True)


THOUGHTS = (
    Row(
        name="thinking",
        about="What the model thinks is told in pieces, and apart from what it says.",
        play=_thinking,
        instead=_UNTOLD,
    ),
    Row(
        name="reasoning tokens",
        about="The tokens of thoughts are counted, and their sum with the others is one.",
        play=_counted,
    ),
    Row(
        name="round trip of thoughts",
        about="Four steps: thoughts go back as the SDK gave them, signed, and are taken.",
        play=_taken_back,
        instead=_UNTOLD,
    ),
)
"""In the order in which they are read."""
