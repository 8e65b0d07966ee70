"""report.md and report.html from templates. The page is one file that asks no network for anything.

Style and script are files of their own here, for editors and linters, and are put into the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import jinja2
from markupsafe import Markup

from faultloop.reports.advice import Advice, advice
from faultloop.reports.headline import (
    GLYPHS,
    WORDS,
    column,
    cut_short,
    failures,
    headline,
    plays,
    standings,
)
from faultloop.reports.page import Page
from faultloop.reports.rows import PlayRecord, Summary
from faultloop.scenarios.verdict import Verdict, worst

SCRIPTS = ("start.js", "matrix.js", "timeline.js", "play.js")
"""In the order in which they are put into the page."""

LISTED_MAX = 50
"""Failures that report.md tells one by one, all plays of a scenario together; a comment of a pull
request has its limits."""

_templates = jinja2.Environment(
    loader=jinja2.PackageLoader("faultloop.reports"),
    autoescape=jinja2.select_autoescape(("html",)),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
)


def html(page: Page) -> str:
    """report.html."""
    return html_of(
        "report.html",
        styles=("page.css",),
        scripts=SCRIPTS,
        title=page.title,
        cut=page.cut,
        matrix_json=Markup(page.matrix_json),
        stories=[(story.play, Markup(story.json)) for story in page.stories],
    )


def html_of(
    template: str, *, styles: Sequence[str], scripts: Sequence[str], **values: object
) -> str:
    """A page of one file: a template with these styles and scripts in it."""
    return _templates.get_template(template).render(
        style=Markup("\n").join(_source(name) for name in styles),
        script=Markup("\n").join(_source(name) for name in scripts),
        **values,
    )


def markdown_of(template: str, **values: object) -> str:
    """A page in Markdown."""
    return _templates.get_template(template).render(**values)


def _source(name: str) -> Markup:
    """A file of ours, not of a subject: it enters the page as it is."""
    assert _templates.loader is not None
    return Markup(_templates.loader.get_source(_templates, name)[0])


def markdown(summary: Summary) -> str:
    """report.md: short enough for a comment on a pull request."""
    failed = failures(summary)
    return _templates.get_template("report.md").render(
        headline=headline(summary),
        cut=cut_short(summary),
        seed=summary.seed,
        glyphs=GLYPHS,
        words=WORDS,
        verdicts=(Verdict.HELD, Verdict.BROKEN, Verdict.UNKNOWN, Verdict.NOT_APPLICABLE),
        standings=standings(summary),
        promises=_promises(summary),
        failed=failed[:LISTED_MAX],
        more=max(0, len(failed) - LISTED_MAX),
        places=_places,
        proofs=_proofs,
        advices=_advices(failed),
        cell=cell,
    )


def _promises(summary: Summary) -> list[tuple[str, str, list[str]]]:
    """Check, claim, and for each subject (in the order of `standings`) how it came off."""
    found: dict[tuple[str, str], dict[str, list[Verdict]]] = {}
    for record in summary.plays:
        for check in record.counted:
            by_subject = found.setdefault((check.check, check.claim), {})
            by_subject.setdefault(record.subject, []).append(check.verdict)
    subjects = [one.subject for one in standings(summary)]
    return [
        (check, claim, [_mark(by_subject.get(subject, [])) for subject in subjects])
        for (check, claim), by_subject in sorted(found.items())
    ]


def _mark(verdicts: list[Verdict]) -> str:
    """`✓ 40`, or `✗ 3/40` where 3 of the 40 plays that tested it were broken."""
    if not verdicts:
        return GLYPHS[Verdict.NOT_APPLICABLE]
    found = worst(verdicts)
    judged = sum(verdict is not Verdict.NOT_APPLICABLE for verdict in verdicts)
    if not judged:
        return GLYPHS[Verdict.NOT_APPLICABLE]
    number = sum(verdict is found for verdict in verdicts)
    share = f"{judged}" if found is Verdict.HELD else f"{number}/{judged}"
    return f"{GLYPHS[found]} {share}"


def _places(plays_: Sequence[PlayRecord]) -> str:
    """Who failed where: the columns of all these plays, and how many they are."""
    first = plays_[0]
    columns = " and ".join(dict.fromkeys(map(column, plays_)))
    times = f", {plays(len(plays_))}" if len(plays_) > 1 else ""
    return f"{cell(first.subject)}, {columns}, {first.tier}, seed {first.seed}{times}"


def _advices(failed: Sequence[Sequence[PlayRecord]]) -> list[tuple[str, str, Advice]]:
    """For each check that was broken: its claim, why that matters and how loops fix it."""
    broken = {
        (check.check, check.claim): advice(check.check)
        for plays_ in failed
        for record in plays_
        for check in record.checks
        if check.verdict is Verdict.BROKEN
    }
    return [(check, claim, said) for (check, claim), said in sorted(broken.items()) if said.cure]


def _proofs(record: PlayRecord) -> list[str]:
    return [
        f"**{cell(check.check)}** ({check.claim}): {cell(check.proof.sentence)}"
        for check in record.checks
        if check.verdict is record.verdict
    ] or [cell(record.reason)]


def cell(text: str) -> str:
    """Text on one line in which nothing is markup: it comes from subjects."""
    return re.sub(r"([\\`*_|<>\[\]#])", r"\\\1", " ".join(text.split()))
