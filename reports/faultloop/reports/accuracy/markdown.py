"""accuracy.md: the comparison in a comment on a pull request, which has its limits.

Prompts and answers stand in code, where nothing is markup and nobody is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from faultloop.reports.accuracy.conclusion import Conclusions, Flip, Metric
from faultloop.reports.accuracy.escaping import code, prose, shortened
from faultloop.reports.accuracy.flips import Story, answers, expected_text, stories
from faultloop.reports.accuracy.marks import MARKS, shown_metrics, signed, spread, title
from faultloop.reports.accuracy.results import Results
from faultloop.reports.render import markdown_of

FLIPS_MAX = 10
"""Losses, and gains, that are told."""
TEXT_MAX = 300
"""Characters of a prompt, an answer or a note."""
ROWS_MAX = 12
NOTES_MAX = 12
CHARACTERS_MAX = 60_000
"""What a comment on a pull request holds, and some to spare."""


class ToldFlip(NamedTuple):
    """A flip in Markdown."""

    task: str
    prompt: str
    expected: str
    base: str
    candidate: str


def markdown(results: Results) -> str:
    """The comment; always shorter than `CHARACTERS_MAX`."""
    made = results.conclusions
    headline = made.headline
    mine = [one for one in made.flips if one.candidate == headline.candidate]
    lost = [one for one in mine if not one.gained]
    gained = [one for one in mine if one.gained]
    text = markdown_of(
        "accuracy.md",
        glyph=MARKS[headline.verdict].glyph,
        title=_short(title(headline)),
        says=_short(headline.says, 3 * TEXT_MAX),
        held_out=headline.held_out,
        headline=headline,
        model=_short(results.model),
        about=_short(results.about_model),
        tasks=_short(results.tasks_name),
        design=_short(results.design),
        metrics=list(shown_metrics(made).values()),
        base=_short(made.base),
        rows=list(_rows(made))[:ROWS_MAX],
        rows_more=max(0, len(made.candidates) + 1 - ROWS_MAX),
        correction=next((one.correction for one in made.differences), "none"),
        candidate=_short(headline.candidate),
        compared=next(
            (one.tasks for one in made.differences if one.candidate == headline.candidate), 0
        ),
        parts=(
            ("Lost", len(lost), _told(results, lost[:FLIPS_MAX])),
            ("Gained", len(gained), _told(results, gained[:FLIPS_MAX])),
        ),
        notes=[_short(one, 2 * TEXT_MAX) for one in (*results.remarks, *made.notes)][:NOTES_MAX],
        command=code(shortened(results.command, 2 * TEXT_MAX)) if results.command else "",
    )
    assert len(text) < CHARACTERS_MAX, "every part of it is bounded"
    return text


def _short(text: str, characters_max: int = TEXT_MAX) -> str:
    return prose(shortened(text, characters_max))


def _rows(made: Conclusions) -> Iterable[list[str]]:
    """For each wording: name, rates, verdict, tasks gained and lost, failures."""
    rates = {(one.wording, one.metric): one for one in made.rates}
    against = {
        one.candidate: one
        for one in made.differences
        if one.metric == made.metrics[0] and one.base == made.base
    }
    for wording in (made.base, *made.candidates):
        row = [_short(wording, 60)]
        for metric in shown_metrics(made):
            rate = rates.get((wording, metric))
            row.append(spread(rate.rate, *rate.interval) if rate else "–")
        if one := against.get(wording):
            mark = MARKS[one.verdict]
            row += [f"{mark.glyph} {mark.words}, {signed(one)}", f"+{one.gained} / −{one.lost}"]
        else:
            row += ["base" if wording == made.base else "not declared", "–"]
        yield [*row, _failures(made, wording, made.metrics[0])]


def _failures(made: Conclusions, wording: str, metric: Metric) -> str:
    found = (one for one in made.rates if one.wording == wording and one.metric == metric)
    return next((f"{one.failures} of {one.samples:,}" for one in found), "–")


def _told(results: Results, flips: Iterable[Flip]) -> list[ToldFlip]:
    return [_flip(results, one) for one in stories(results, answers(results.observations), flips)]


def _flip(results: Results, one: Story) -> ToldFlip:
    task = results.tasks.get(one.task)
    return ToldFlip(
        task=_code(one.task, 80),
        prompt=_code(task.prompt if task else "", TEXT_MAX),
        expected=_code(expected_text(task) if task else one.expected, TEXT_MAX),
        base=_code(one.base.answered or one.base.chosen, TEXT_MAX),
        candidate=_code(one.candidate_side.answered or one.candidate_side.chosen, TEXT_MAX),
    )


def _code(text: str, characters_max: int) -> str:
    return code(shortened(text, characters_max))
