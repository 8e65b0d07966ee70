"""The page and the comment: what they say first, what they never say, and text that stays text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from tests.reports.accuracy.observed import asked, once, table
from tests.reports.accuracy.results import results, task, wording

from faultloop.reports.accuracy import page_data
from faultloop.reports.accuracy.markdown import CHARACTERS_MAX, markdown
from faultloop.reports.accuracy.page import html
from faultloop.reports.accuracy.results import Results
from faultloop.scenarios.wordings.observation import Observation
from faultloop.scenarios.wordings.score import Flaw, Mistake

VERDICTS = [
    pytest.param(once(13, 3, 64), {}, "‘b’ is better than ‘a’, by 12.5 points", id="better"),
    pytest.param(once(3, 13, 64), {}, "‘b’ is worse than ‘a’, by 12.5 points", id="worse"),
    pytest.param(
        once(10, 10, 980),
        {"margin": 0.02},
        "‘b’ is no worse than ‘a’ within the margin of 2 points",
        id="no worse",
    ),
    pytest.param(once(14, 6, 140), {}, "Cannot tell ‘b’ from ‘a’", id="cannot tell"),
]

HOSTILE = "</script><img src=x onerror=alert(1)>`` ` ``| @octocat ~~x~~ \x1b[31m \u202e#"
"""All that a page, a table and a terminal could take for something else."""


class Page(HTMLParser):
    """Elements and text of a page, and the data in it."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.looks: list[str] = []
        self.headings: list[str] = []
        self.data: dict[str, Any] = {}
        self._in = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.looks.append(given.get("class") or "")
        self._in = "data" if given.get("id") == "data" else tag
        if tag == "h1":
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = "" if tag in ("h1", "script") else self._in

    def handle_data(self, data: str) -> None:
        if self._in == "data":
            self.data = json.loads(data)
        elif self.headings and self._in in ("h1", "span") and "h2" not in self.tags:
            self.headings[-1] += data


def hostile() -> Results:
    """Every text that is somebody else's is hostile."""
    answer = f"{HOSTILE} half a character: \ud800"
    wordings = (HOSTILE, f"{HOSTILE} b")
    flaw = Flaw(mistake=Mistake.WRONG_TOOL, call=0, parameter=HOSTILE, says=answer)
    names = dict(zip("ab", wordings, strict=True))
    observations = [
        msgspec.structs.replace(
            one,
            wording=names[one.wording],
            answered=answer,
            flaws=(flaw,),
            task=one.task + HOSTILE,
        )
        for one in once(3, 13, 64)
    ]
    made = results(
        observations,
        base=wordings[0],
        candidates=wordings[1:],
        prompts=HOSTILE,
        model=HOSTILE,
        about_model=HOSTILE,
        tasks_name=HOSTILE,
        remarks=(HOSTILE,),
        command=HOSTILE,
        slices={HOSTILE: {HOSTILE: [one.task for one in observations]}},
    )
    return made


@pytest.mark.parametrize(("observations", "more", "title"), VERDICTS)
def test_page_and_comment_begin_with_the_verdict_and_its_figures(
    observations: list[Observation], more: dict[str, Any], title: str
) -> None:
    given = results(observations, **more)
    source, comment = html(given), markdown(given)
    assert title in Page(source).headings[0]
    assert comment.splitlines()[0].endswith(title)
    interval = re.search(r"95 % interval [^;]+", given.conclusions.headline.says)
    assert interval is not None
    for text in (source, comment):
        assert interval[0] in text
        assert "It is a lexical proxy and no LLM." in text
        assert given.command in text


def test_what_cannot_be_told_says_what_would_tell_and_is_never_green() -> None:
    given = results(once(14, 6, 140), slices={"tag": {"near miss": ["t0000", "t0001"]}})
    source = html(given)
    assert "a difference as small as this one takes about 420" in source
    looks = [look for look in Page(source).looks if "point " in look or "verdict-mark" in look]
    assert looks
    assert all("unknown" in look for look in looks)


def test_a_model_without_arguments_has_one_column_and_says_so() -> None:
    source = html(results(once(13, 3, 64)))
    assert source.count("<th>right tool</th>") == 1
    assert "Arguments were not put to the test." in source
    with_arguments = [
        msgspec.structs.replace(one, filled=True if one.selected else None)
        for one in once(13, 3, 64)
    ]
    assert "arguments, given the right tool" in html(results(with_arguments))


def test_losses_come_first_and_are_told_with_both_answers_and_the_diff() -> None:
    data = Page(html(results(once(2, 13, 64)))).data
    assert [one["gained"] for one in data["flips"]] == [False] * 13 + [True] * 2
    first = data["flips"][0]
    assert (first["base"]["chosen"], first["other"]["chosen"]) == ("read", "write")
    assert (first["base"]["rate"], first["other"]["rate"]) == (1, 0)
    assert first["tools"] == ["read", "write"]
    assert data["tasks"][first["task"]]["expected"] == 'read(path: "a.py")'
    assert data["diffs"]["b"]["read"] == [
        ["purpose", [["-", "Read a text file."], ["+", "Reads."]]]
    ]
    assert data["diffs"]["b"]["write"] == []
    assert data["counts"] == {"b": {"lost": 13, "gained": 2}}


def test_the_answer_that_is_shown_goes_with_the_flip() -> None:
    """Right in three of four askings against one of four: a right one and a wrong one are shown."""
    rows = {"a": [[1, 0, 1, 1]] * 20, "b": [[0, 1, 0, 0]] * 20}
    first = Page(html(results(table(rows)))).data["flips"][0]
    assert (first["base"]["rate"], first["base"]["chosen"]) == (0.75, "read")
    assert (first["other"]["rate"], first["other"]["chosen"]) == (0.25, "write")


def test_a_call_without_arguments_is_not_told_twice_where_the_model_gives_none() -> None:
    def told(filled: bool | None) -> str:
        observations = [
            msgspec.structs.replace(one, answered="read({})", filled=filled)
            if one.selected
            else msgspec.structs.replace(one, answered="I cannot.")
            for one in once(3, 13, 64)
        ]
        first = Page(html(results(observations))).data["flips"][0]
        assert first["other"]["answered"] == "I cannot."
        return str(first["base"]["answered"])

    assert told(filled=None) == ""
    assert told(filled=True) == "read({})"


def test_text_of_others_is_never_markup_in_the_page() -> None:
    source = html(hostile())
    page, plain = Page(source), Page(html(results(once(3, 13, 64), slices={"k": {"n": ["t0000"]}})))
    assert set(page.tags) == set(plain.tags)
    assert "img" not in page.tags
    assert page.tags.count("script") == 2
    assert "\x1b" not in source
    assert "\u202e" not in source
    first = page.data["flips"][0]
    assert "[U+001B][31m [U+202E]#" in page.data["tasks"][first["task"]]["prompt"]
    assert first["base"]["answered"].endswith("half a character: ?")
    assert "</script><img" in first["base"]["answered"]
    source.encode()


def test_text_of_others_is_never_markup_in_the_comment() -> None:
    comment = markdown(hostile())
    comment.encode()
    assert "\x1b" not in comment
    assert "\u202e" not in comment
    outside = re.sub(r"(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)", "CODE", comment)
    assert "CODE" in outside
    assert not re.search(r"(?<!\\)<(?!/?details|/?summary)", outside)
    assert "@octocat" not in outside
    rows = [line for line in comment.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {6}


def test_the_comment_is_short_enough_whatever_the_results_are() -> None:
    observations = [
        msgspec.structs.replace(one, answered="`@" * 5_000) for one in once(100, 200, 100)
    ]
    given = results(
        observations,
        prompts="| " * 10_000,
        remarks=tuple("long " * 1_000 for _ in range(100)),
        about_model="x" * 100_000,
        command="y" * 100_000,
    )
    assert len(markdown(given)) < CHARACTERS_MAX


def test_a_thousand_tasks_make_a_page_that_opens_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    observations = [
        msgspec.structs.replace(one, answered="答" * 5_000) for one in once(300, 600, 100)
    ]
    given = results(observations, prompts="问" * 5_000)
    assert len(html(given).encode()) < 5_000_000
    monkeypatch.setattr(page_data, "BYTES_MAX", 100_000)
    data = Page(html(given)).data
    assert 0 < len(data["flips"]) < 900
    assert {one["gained"] for one in data["flips"]} == {True, False}
    assert data["counts"]["b"] == {"lost": 600, "gained": 300}


def test_several_candidates_tell_of_the_half_that_was_held_out() -> None:
    rows = {
        name: [[int(task_ % 10 < right)] for task_ in range(80)]
        for name, right in {"a": 5, "b": 9, "c": 6}.items()
    }
    given = results(table(rows), candidates=("b", "c"))
    source, comment = html(given), markdown(given)
    for text in (source, comment):
        assert "tasks that did not choose the winner" in text
        assert "Holm over 2 pairs" in text
    assert Page(source).data["candidates"] == ["b", "c"]


def test_what_is_missing_from_the_results_is_left_out_and_nothing_breaks() -> None:
    observations = [asked(name, f"t{place}", 1) for name in "ab" for place in range(8)]
    given = results(observations, tasks={}, about_model="", command="", design="", model="small")
    assert "No task came out differently" in html(given)
    assert "No task came out differently" in markdown(given)
    lost = results(once(3, 13, 64), tasks={})
    assert Page(html(lost)).data["tasks"] == {}
    assert "`read`" in markdown(lost)


def test_a_task_and_a_wording_of_other_shapes_are_told_in_words() -> None:
    given = results(once(2, 13, 64))
    wordings = (wording("a"), wording("b", when_not="never", name="open"))
    told = {one: task(one, calls=(), expect="ask back") for one in given.tasks}
    data = Page(html(replace(given, wordings=wordings, tasks=told))).data
    assert data["tasks"]["t0002"]["expected"] == "a question to the user"
    parts = {part for part, _ in data["diffs"]["b"]["read"]}
    assert parts == {"name", "when not"}
