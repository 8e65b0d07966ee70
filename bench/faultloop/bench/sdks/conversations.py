"""Rows about more than one request: round trips, kept conversations, and what is asked beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from faultloop.bench.sdks.cell import WHOLE, Case, Row
from faultloop.bench.sdks.ears.ear import MODEL
from faultloop.bench.sdks.heard import Asked
from faultloop.bench.sdks.replies import BOTH_CALLS, UMLAUTS, A, B, differs, message
from faultloop.fakes.script import Step

STORY = (BOTH_CALLS, Step(calls=(A,)), Step(say="Again.", calls=(B, A)), Step(say=UMLAUTS))
TOKENS_MIN = 20


def _round_trip(case: Case) -> Iterator[str]:
    yield from round_trip(case, *STORY)


def round_trip(case: Case, *story: Step, thinks: bool = False) -> Iterator[str]:
    """A loop on the SDK: each reply goes back as the SDK gives it, with the results."""
    urls = case.scene.load(*story)
    items: list[Any] = []
    for step in story:
        asked = Asked(items=tuple(items), thinks=thinks)
        heard = case.ear.ask(urls, asked, streamed=case.streamed)
        yield from message(case, step, heard)
        items = case.ear.answered(items, heard)


def _kept(case: Case) -> Iterator[str]:
    """The same, where the provider keeps the conversation and only results go back."""
    urls = case.scene.load(*STORY)
    items: list[Any] = []
    earlier = ""
    for step in STORY:
        asked = Asked(items=tuple(items), continues=earlier)
        heard = case.ear.ask(urls, asked, streamed=case.streamed)
        yield from message(case, step, heard)
        results = len(step.calls)
        items = case.ear.answered((), heard)[-results:] if results else []
        earlier = heard.id


def _models(case: Case) -> Iterator[str]:
    listed = list(case.ear.models(case.scene.load()))
    if MODEL not in listed:
        yield f"the list of models is {listed}"


def _model(case: Case) -> Iterator[str]:
    yield from differs("the model", case.ear.model(case.scene.load(), MODEL), MODEL)


def _count(case: Case) -> Iterator[str]:
    counted = case.ear.count(case.scene.load())
    if counted < TOKENS_MIN:
        yield f"{counted} tokens were counted"


def _beside(name: str, about: str, play: Callable[[Case], Iterator[str]], **instead: str) -> Row:
    return Row(
        name=name,
        about=about,
        play=play,
        forms=WHOLE,
        unformed="it is never streamed",
        instead=instead,
    )


_KEEPS_NONE = "the API keeps no conversations"

CONVERSATIONS = (
    Row(
        name="round trip",
        about="Four steps: what the SDK gave goes back with the results, and the next step comes.",
        play=_round_trip,
    ),
    Row(
        name="previous_response_id",
        about="The same four steps where only what is new is sent.",
        play=_kept,
        instead=dict.fromkeys(("openai_chat", "anthropic_messages", "gemini"), _KEEPS_NONE),
    ),
    _beside("models", "The list of models has the fake one.", _models),
    _beside("one model", "A model can be asked for by its name.", _model),
    _beside(
        "token count",
        "The tokens of a request are counted.",
        _count,
        openai_chat="the API has no such endpoint",
    ),
)
"""In the order in which they are read."""
