from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from faultloop.reports import page as pages
from faultloop.reports.headline import headline
from faultloop.reports.junit import junit
from faultloop.reports.page import page
from faultloop.reports.render import html, markdown
from faultloop.reports.rows import Played, summarise
from faultloop.reports.terminal import closing
from faultloop.scenarios.verdict import Verdict

GOLDEN = Path(__file__).parent / "report.golden.md"


def page_of(plays: list[Played]) -> str:
    ordered = sorted(plays, key=lambda played: played.record.key)
    return html(page(summarise((one.record for one in plays), seed=7), ordered))


class Scripts(HTMLParser):
    """Finds what a browser would: scripts, and everything that would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.data: list[tuple[dict[str, str | None], str]] = []
        self.fetched: list[str] = []
        self._open: dict[str, str | None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("link", "img", "iframe", "object", "embed", "base"):
            self.fetched.append(tag)
        self.fetched += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset")]
        if tag == "script":
            self._open = dict(attrs)

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.data.append((self._open, data))

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._open = None


def scripts(text: str) -> Scripts:
    found = Scripts()
    found.feed(text)
    return found


def embedded(text: str) -> tuple[Any, dict[str, Any]]:
    found = [
        (attributes, json.loads(data))
        for attributes, data in scripts(text).data
        if attributes.get("type") == "application/json"
    ]
    matrix = next(data for attributes, data in found if attributes.get("id") == "matrix-data")
    stories = {str(a["data-play"]): data for a, data in found if "data-play" in a}
    return matrix, stories


def test_the_page_asks_no_network_for_anything(plays: list[Played]) -> None:
    text = page_of(plays)
    assert scripts(text).fetched == []
    assert not re.search(r"url\(|@import|https?://|fetch\(|XMLHttpRequest|import\(", text)
    assert "default-src 'none'" in text


def test_embedded_data_is_what_was_played(plays: list[Played]) -> None:
    matrix, stories = embedded(page_of(plays))
    assert matrix["totals"] == {"broken": 2, "unknown": 1, "held": 4, "not_applicable": 1}
    broken = next(play for play in matrix["plays"] if play["verdict"] == "broken")
    (check, verdict, sentence, positions) = broken["checks"][0]
    assert matrix["checks"][check]["name"] == "nothing_after_cancel"
    assert matrix["verdicts"][verdict] == "broken"
    assert "after the cancel" in matrix["strings"][sentence]
    assert positions == [5, 8]
    assert len(stories[broken["name"]]["marks"]) == 9


def test_what_a_subject_said_cannot_end_the_script(plays: list[Played]) -> None:
    text = page_of(plays)
    assert "</script><b>" not in text
    _, stories = embedded(text)
    said = json.dumps(stories)
    assert "It is open: </script><b>#2</b>." in said


def test_half_a_character_in_what_a_subject_said_does_not_lose_the_page() -> None:
    said = json.loads(pages.for_script({"stderr": "x\udcffä</script>", "😀": ("\ud83d", 1)}))
    assert said == {"stderr": "x?ä</script>", "😀": ["?", 1]}


def proves_nothing(played: Played, reason: str) -> Played:
    """The same findings in a play that is unknown as a whole."""
    record = played.record.model_copy(update={"verdict": Verdict.UNKNOWN, "reason": reason})
    return replace(played, record=record)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Verdict.HELD, "fault 1 (gateway_timeout at step 1) never fired"),
        (Verdict.BROKEN, "the bench itself failed: KeyError"),
    ],
)
def test_what_was_seen_in_a_play_that_proves_nothing_counts_neither_for_nor_against(
    make_play: Callable[..., Played], said: Verdict, reason: str
) -> None:
    played = proves_nothing(make_play("cancel-in-tool", said, sentence="it looked so"), reason)
    promises = markdown(summarise([played.record], seed=7)).split("| promise |")[1]
    assert "| effects\\_once (D2) | ? 1/1 |" in promises
    matrix, _ = embedded(page_of([played]))
    (_, verdict, sentence, _, own) = matrix["plays"][0]["checks"][0]
    assert matrix["verdicts"][verdict] == "unknown"
    assert matrix["verdicts"][own] == said
    told = matrix["strings"][sentence]
    assert (
        told == f"it looked {said} (it looked so), but the play as a whole proves nothing: {reason}"
    )


def test_a_hostile_name_stays_text(make_play: Callable[..., Played]) -> None:
    hostile = '<img src=x onerror="alert(1)">'
    played = make_play("cancel-in-tool", Verdict.BROKEN, subject=hostile, sentence=hostile)
    text = page_of([played])
    assert "<img" not in text
    assert embedded(text)[0]["standings"][0]["subject"] == hostile
    assert "<img" not in markdown(summarise([played.record], seed=7)).replace("\\<", "")


def test_a_page_full_of_plays_leaves_out_stories_of_held_ones(
    plays: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "HELD_BYTES_MAX", 10)
    matrix, stories = embedded(page_of(plays))
    assert len(matrix["plays"]) == len(plays)
    kinds = {play["name"]: play["verdict"] for play in matrix["plays"]}
    assert sorted(kinds[name] for name in stories) == ["broken", "broken", "unknown"]


HEADLINES: list[tuple[list[tuple[str, Verdict]], str]] = [
    ([], "Nothing was played"),
    ([("a", Verdict.HELD)], "a keeps every promise in 1 play"),
    (
        [("a", Verdict.BROKEN), ("a", Verdict.HELD), ("a", Verdict.NOT_APPLICABLE)],
        "a breaks its promises in 1 of 2 plays",
    ),
    ([("a", Verdict.UNKNOWN), ("a", Verdict.HELD)], "a: 1 of 2 plays cannot be told"),
    ([("a", Verdict.NOT_APPLICABLE)], "a was not put to the test: nothing here applies to it"),
    (
        [("a", Verdict.HELD), ("b", Verdict.BROKEN)],
        "b breaks its promises in 1 of 1 play; a keeps every promise in 1 play",
    ),
    (
        [("a", Verdict.HELD), ("b", Verdict.HELD), ("c", Verdict.HELD)],
        "All 3 subjects keep every promise: 3 plays held",
    ),
    (
        [("a", Verdict.HELD), ("b", Verdict.HELD), ("c", Verdict.NOT_APPLICABLE)],
        "a and b keep every promise: 2 plays held; nothing here applies to c",
    ),
    (
        [("a", Verdict.HELD), ("b", Verdict.BROKEN), ("c", Verdict.UNKNOWN)],
        "b breaks promises in 1 play; nothing else is broken",
    ),
    (
        [("a", Verdict.HELD), ("b", Verdict.HELD), ("c", Verdict.UNKNOWN)],
        "Nothing is broken, but 1 play cannot be told",
    ),
]


@pytest.mark.parametrize(("plays_", "sentence"), HEADLINES)
def test_the_headline_says_who_kept_promises(
    make_play: Callable[..., Played], plays_: list[tuple[str, Verdict]], sentence: str
) -> None:
    records = [
        make_play("cancel-in-tool", verdict, subject=subject, repeat=number).record
        for number, (subject, verdict) in enumerate(plays_)
    ]
    assert headline(summarise(records, seed=7)) == sentence


def test_the_comment_for_a_pull_request(plays: list[Played]) -> None:
    text = markdown(summarise((one.record for one in plays), seed=7))
    assert text == GOLDEN.read_text()


def test_plays_that_failed_alike_are_one_line_of_the_comment_and_unknown_ones_are_in_it(
    make_play: Callable[..., Played],
) -> None:
    plays = [make_play("one", Verdict.BROKEN, repeat=number).record for number in range(60)]
    plays.append(make_play("two", Verdict.UNKNOWN).record)
    text = markdown(summarise(plays, seed=7))
    assert text.count("✗ **one**") == 1
    assert "60 plays)" in text
    assert "? **two**" in text


def test_junit_tells_the_four_verdicts_apart(make_play: Callable[..., Played]) -> None:
    records = [
        make_play(f"scenario-{verdict.replace('_', '-')}", verdict, sentence="why\x00 so").record
        for verdict in Verdict
    ]
    root = ET.fromstring(junit(summarise(records, seed=7)))
    (suite,) = root
    assert suite.attrib == {
        "name": "reference openai chat streamed (sim)",
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    children = {
        str(case.get("name")).split(" ")[0]: [child.tag for child in case] for case in suite
    }
    assert children == {
        "scenario-broken": ["failure", "system-err"],
        "scenario-held": [],
        "scenario-not-applicable": ["skipped"],
        "scenario-unknown": ["error"],
    }


def test_junit_of_a_run_that_was_cut_short_is_not_green(make_play: Callable[..., Played]) -> None:
    held = [make_play("cancel-in-tool").record]
    whole, cut = (ET.fromstring(junit(summarise(held, seed=7, planned=n))) for n in (1, 9))
    assert whole.findall(".//error") == []
    (error,) = cut.findall(".//error")
    assert error.get("message") == "interrupted: 1 of 9 plays were made, and of these:"


def test_the_terminal_names_each_failed_play_and_how_to_replay_it(plays: list[Played]) -> None:
    console = Console(width=40, file=io.StringIO())
    with console.capture() as captured:
        summary = summarise((one.record for one in plays), seed=7)
        console.print(closing(summary, where="out"), crop=False)
    text = captured.get()
    assert "✗ pull-request-504-after" in text
    assert "\n  faultloop replay out/failures/pull-request-504-after" in text
    assert text.index("✗ pull-request-504-after") < text.index("? kill-after-effect")
    assert text.rstrip().endswith("report: out")
