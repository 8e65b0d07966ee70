"""The content of report.html as data: one JSON value for the matrix, one for each play's story.

The matrix names each string once and refers to it by index, so that thousands of plays stay small.
A story (timeline, accepted ends, standard error) is a value of its own, which the page decodes only
when a reader opens the play. Stories are bounded: failed plays come before held ones, and a play
without its story says where to find it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from faultloop.reports.advice import advice
from faultloop.reports.ends import accepted, happened
from faultloop.reports.headline import FAMILIES, column, cut_short, family, headline, standings
from faultloop.reports.rows import Played, PlayRecord, Summary, play_name
from faultloop.reports.timeline import LANES, timeline
from faultloop.scenarios.verdict import Verdict

FAILED_BYTES_MAX = 16 * 2**20
HELD_BYTES_MAX = 4 * 2**20
"""How much of the stories of failed and of other plays enters the page."""

_encode = msgspec.json.Encoder(order="deterministic").encode


class Story(NamedTuple):
    """What a reader sees of one play, as JSON for a script element."""

    play: str
    json: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that the template needs."""

    title: str
    cut: str
    """That the run was cut short, where it was."""
    matrix_json: str
    stories: tuple[Story, ...]


class _Strings:
    """Each string once; the page looks them up by index."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.all.setdefault(text, len(self.all))


def page(summary: Summary, plays: Iterable[Played]) -> Page:
    """The page of a report; `plays` are the summary's, one in memory at a time."""
    scenarios: dict[str, dict[str, Any]] = {}
    stories: list[Story] = []
    room = {True: FAILED_BYTES_MAX, False: HELD_BYTES_MAX}
    for played in plays:
        record = played.record
        scenarios.setdefault(record.scenario, _scenario(played))
        if not played.history and not played.stderr:
            continue
        failed = record.verdict in (Verdict.BROKEN, Verdict.UNKNOWN)
        story = Story(play_name(record.key), for_script(_story(played)))
        if len(story.json) <= room[failed]:
            room[failed] -= len(story.json)
            stories.append(story)
    return Page(
        title=headline(summary),
        cut=cut_short(summary),
        matrix_json=for_script(_matrix(summary, scenarios)),
        stories=tuple(stories),
    )


def for_script(value: object) -> str:
    """JSON that can stand inside a script element: no `<` can end it.

    Half a character, which only hostile output has, becomes `?`.
    """
    try:
        text = _encode(value).decode()
    except UnicodeEncodeError:
        plain = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        text = plain.encode(errors="replace").decode()
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _scenario(played: Played) -> dict[str, Any]:
    record = played.record
    return {
        "name": record.scenario,
        "claim": played.scenario.get("claim", ""),
        "claims": record.claims,
        "family": family(record.claims),
        "accepted": accepted(played.scenario),
    }


def _story(played: Played) -> dict[str, Any]:
    return {
        "happened": happened(played),
        "stderr": played.stderr,
        "marks": timeline(played.history, played.times_s),
    }


def _matrix(summary: Summary, scenarios: dict[str, dict[str, Any]]) -> dict[str, Any]:
    order = list(FAMILIES)
    shown = sorted(scenarios.values(), key=lambda one: (order.index(one["family"]), one["name"]))
    columns = sorted({_column_key(record) for record in summary.plays}, key=_column_order)
    checks = sorted({(c.check, c.claim) for record in summary.plays for c in record.checks})
    strings = _Strings()
    row_of = {one["name"]: index for index, one in enumerate(shown)}
    plays = [
        {
            "name": play_name(record.key),
            "row": row_of[record.scenario],
            "column": columns.index(_column_key(record)),
            "verdict": record.verdict,
            "reason": strings(record.reason),
            "end": strings(record.end_reason),
            "seed": record.seed,
            "repeat": record.repeat,
            "replay": strings(record.replay),
            "checks": [
                [
                    checks.index((found.check, found.claim)),
                    list(Verdict).index(found.verdict),
                    strings(found.proof.sentence),
                    list(found.proof.positions),
                    # What the check itself said, where that does not count.
                    *([] if found is said else [list(Verdict).index(said.verdict)]),
                ]
                for found, said in zip(record.counted, record.checks, strict=True)
                # A promise that was not put to the test is nothing to read about.
                if found.verdict is not Verdict.NOT_APPLICABLE
            ],
        }
        for record in summary.plays
    ]
    return {
        "headline": headline(summary),
        "seed": summary.seed,
        "totals": summary.totals,
        "verdicts": list(Verdict),
        "lanes": LANES,
        "families": FAMILIES,
        "standings": [
            {
                "subject": one.subject,
                "version": one.version,
                "sentence": one.sentence,
                "totals": one.totals,
            }
            for one in standings(summary)
        ],
        "columns": [{"subject": key[0], "label": key[1], "tier": key[2]} for key in columns],
        "scenarios": shown,
        "checks": [
            {"name": name, "claim": claim, **advice(name)._asdict()} for name, claim in checks
        ],
        "plays": plays,
        "strings": list(strings.all),
    }


def _column_key(record: PlayRecord) -> tuple[str, str, str]:
    return record.subject, column(record), record.tier


def _column_order(key: tuple[str, str, str]) -> tuple[str, str, str]:
    """Subjects by name, the reference first; streamed before whole."""
    subject, label, tier = key
    return (f" {subject}" if subject.startswith("reference") else subject), label, tier
