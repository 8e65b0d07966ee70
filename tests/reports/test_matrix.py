"""The matrix of many subjects: how plays are counted, what keeps the count fair, and its pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faultloop.reports.matrix import overview, pages
from faultloop.reports.matrix.policy import BadPolicies, Policy, read_policies
from faultloop.reports.matrix.stamp import Stamp
from faultloop.reports.matrix.table import matrix
from faultloop.reports.matrix.values import CellReport, Left, Mark, Matrix, Told
from faultloop.reports.rows import CheckRecord, Played, Proof, Summary, summarise
from faultloop.scenarios.verdict import Verdict

from .conftest import play

HELD, BROKEN, UNKNOWN, NOT = (
    Verdict.HELD,
    Verdict.BROKEN,
    Verdict.UNKNOWN,
    Verdict.NOT_APPLICABLE,
)
END = "end_acceptable"
POLICY = Policy(
    subject="loopy",
    check="effects_once",
    scenario="kill-*",
    says="It repeats what it cannot know.",
    source="https://example.org/policy",
)


def stamp(subject: str = "loopy") -> Stamp:
    return Stamp(
        schema=1,
        fingerprint="f",
        subject=subject,
        version="1.0",
        about="A loop.",
        chosen=subject,
        seed=7,
        kill_repeats=5,
        faultloop="0.1.0 (abc)",
        date="2026-11-30",
        machine="Linux, 2 cores",
        wall_s=90.0,
    )


def summary(*plays: Played) -> Summary:
    return summarise((one.record for one in plays), seed=7)


def of(
    *plays: Played, second: Iterable[Played] | None = None, policies: tuple[Policy, ...] = ()
) -> Matrix:
    report = CellReport(
        stamp=stamp(),
        folder="cells/loopy@1.0",
        summary=summary(*plays),
        second=summary(*second) if second is not None else None,
    )
    return matrix([report], policies)


def counts(made: Matrix, check: str = "effects_once", column: int = 0) -> dict[Mark, int]:
    return {mark: n for mark, n in made.columns[column].entries[check].counts.items() if n}


def ended(
    name: str,
    verdict: Verdict,
    end: str = "completed",
    *,
    by_account: bool = True,
    failed: str | None = None,
) -> Played:
    played = play(name, verdict, subject="loopy", check=END, sentence=f"seen: {end}")
    said = {"by_account": by_account and verdict is BROKEN}
    checks = tuple(one.model_copy(update=said) for one in played.record.checks)
    record = played.record.model_copy(
        update={"end_reason": end, "checks": checks, "failed": failed}
    )
    return replace(played, record=record)


def test_each_promise_is_counted_by_plays_and_shown_in_its_worst() -> None:
    made = of(
        play("a", HELD, subject="loopy"),
        play("b", BROKEN, subject="loopy"),
        play("b", HELD, subject="loopy", repeat=1),
        play("c", UNKNOWN, subject="loopy"),
        play("d", NOT, subject="loopy"),
    )
    assert counts(made) == {Mark.HELD: 2, Mark.BROKEN: 1, Mark.UNKNOWN: 1}
    entry = made.columns[0].entries["effects_once"]
    assert entry.mark is Mark.BROKEN
    assert [(one.scenario, one.mark, one.plays, one.of) for one in entry.breaches] == [
        ("b", Mark.BROKEN, 1, 2),
        ("c", Mark.UNKNOWN, 1, 1),
    ]
    assert (made.columns[0].plays, made.columns[0].played) == (5, 4)


def test_streamed_and_whole_are_two_columns_of_one_subject() -> None:
    made = of(
        play("a", BROKEN, subject="loopy"),
        play("a", HELD, subject="loopy", streaming=False),
    )
    assert [(column.words, column.entries["effects_once"].mark) for column in made.columns] == [
        ("openai chat whole", Mark.HELD),
        ("openai chat streamed", Mark.BROKEN),
    ]
    assert [one.name for one in pages.subjects(made)] == ["loopy"]


def test_documented_policy_is_counted_apart_and_only_where_it_says_so() -> None:
    plays = (
        play("kill-after-effect", BROKEN, subject="loopy"),
        play("pull-request-504-after", BROKEN, subject="loopy"),
    )
    made = of(*plays, policies=(POLICY,))
    assert counts(made) == {Mark.BROKEN: 1, Mark.POLICY: 1}
    breaches = made.columns[0].entries["effects_once"].breaches
    assert [(one.scenario, one.policy) for one in breaches] == [
        ("pull-request-504-after", None),
        ("kill-after-effect", POLICY),
    ]
    others = POLICY.model_copy(update={"subject": "another"})
    assert counts(of(*plays, policies=(others,))) == {Mark.BROKEN: 2}
    several = POLICY.model_copy(update={"scenario": ("kill-*", "pull-request-*")})
    assert counts(of(*plays, policies=(several,))) == {Mark.POLICY: 2}


def test_a_policy_about_an_end_covers_no_other_end() -> None:
    waits = POLICY.model_copy(update={"check": END, "scenario": "*", "end": "did_not_end"})
    plays = (
        ended("a", BROKEN, "did_not_end", by_account=False),
        ended("b", BROKEN, "killed", by_account=False),
    )
    assert counts(of(*plays, policies=(waits,)), END) == {Mark.POLICY: 1, Mark.BROKEN: 1}


def test_policy_alone_breaks_no_promise_and_never_stands_before_what_is_broken() -> None:
    excused = play("kill-after-effect", BROKEN, subject="loopy")
    alone = of(excused, policies=(POLICY,))
    assert pages.headline(alone) == "loopy 1.0 breaks no promise (1 play)"
    both = of(excused, play("a", BROKEN, subject="loopy", streaming=False), policies=(POLICY,))
    assert pages.headline(both) == "loopy 1.0 breaks promises (2 plays)"
    told = pages.markdown(both)
    assert "in 1 play of 1 scenario, as in a:" in told
    assert told.index("\n- ✗ **") < told.index("\n- § **")


def test_a_subject_that_could_not_be_played_is_no_column_and_says_why() -> None:
    made = of(play("a", NOT, subject="loopy", sentence="loopy 1.0 is not installed"))
    assert made.columns == ()
    assert [(one.subject, one.why) for one in made.left] == [
        ("loopy", "loopy 1.0 is not installed")
    ]
    assert "\n- loopy 1.0 is not installed\n" in pages.markdown(made)
    assert pages.headline(made) == "No subject was played"


def test_both_pages_tell_what_broke_and_how_to_play_it_again() -> None:
    made = of(
        play("a", BROKEN, subject="loopy", sentence="it | took effect <twice>"),
        play("kill-after-effect", BROKEN, subject="loopy"),
        play("b", HELD, subject="loopy"),
        policies=(POLICY,),
    )
    told = pages.markdown(made)
    assert "| effects\\_once (D2) | ✗ 1 § 1 / 3 |" in told
    assert r"it \| took effect \<twice\>" in told
    assert "`faultloop replay out/failures/a`" in told
    assert "plays of each scenario that kills: 5;" in told
    assert "scenarios: 3;" in told
    assert "| loopy | 1.0 | openai chat streamed | 3 | 2026-11-30 | 1.5 |" in told
    data = shown(overview.html(made))
    breach = data["columns"][0]["entries"]["effects_once"]["breaches"][0]
    assert breach["timeline"].startswith("cells/loopy@1.0/report.html#a--loopy--")
    assert data["texts"][breach["stderr"]] == "Traceback ...\n"
    assert data["columns"][0]["entries"]["effects_once"]["breaches"][1]["source"] == POLICY.source


def test_what_cannot_be_told_is_no_praise() -> None:
    made = of(ended("a", BROKEN), play("b", HELD, subject="loopy"))
    assert pages.headline(made) == "loopy 1.0 is in doubt (2 plays)"
    assert "\n- ? **end\\_acceptable** (D2) in 1 play of 1 scenario, as in a:" in pages.markdown(
        made
    )
    assert "breaks no promise" in pages.headline(of(play("b", HELD, subject="loopy")))


def test_a_policy_does_not_hide_that_something_else_cannot_be_told() -> None:
    excused = play("kill-after-effect", BROKEN, subject="loopy")
    made = of(excused, play("b", UNKNOWN, subject="loopy"), policies=(POLICY,))
    assert counts(made) == {Mark.POLICY: 1, Mark.UNKNOWN: 1}
    assert pages.headline(made) == "loopy 1.0 is in doubt (2 plays)"


def died(
    name: str, end: str = "error", verdict: Verdict = BROKEN, *, claims: tuple[str, ...] = ("L11",)
) -> Played:
    """A play that was never asked about effects, for it ended before."""
    played = ended(name, verdict, end, by_account=False)
    unasked = CheckRecord(
        check="effects_once", claim="D2", verdict=NOT, proof=Proof(sentence="no effect was asked")
    )
    record = played.record.model_copy(
        update={"checks": (*played.record.checks, unasked), "claims": claims}
    )
    return replace(played, record=record)


def test_what_a_run_was_not_asked_because_it_had_died_is_told_apart() -> None:
    asked = play("a", HELD, subject="loopy", streaming=False)
    made = of(died("a"), asked)
    assert counts(made, column=1) == {Mark.ENDED: 1}
    (breach,) = made.columns[1].entries["effects_once"].breaches
    assert breach.sentence.startswith("the run ended as an error before it came to this: ")
    assert made.columns[1].totals(name for name, _ in made.checks)[Mark.ENDED] == 1
    assert "| effects\\_once (D2) | ✓ 1 ⊘ 1 |" in pages.markdown(made)
    assert counts(of(died("a", claims=("D2",)))) == {Mark.ENDED: 1}  # nobody lived to be asked


@pytest.mark.parametrize(
    "plays",
    [
        [died("a")],
        [died("a"), play("b", HELD, subject="loopy", streaming=False)],
        [died("a", claims=("D2",)), died("a", "completed")],
        [died("a", "completed"), play("a", HELD, subject="loopy", streaming=False)],
        [died("a", "error", HELD), play("a", HELD, subject="loopy", streaming=False)],
    ],
    ids=[
        "asked-nowhere",
        "asked-in-another-scenario",
        "not-asked-of-a-survivor",
        "an-end-of-its-own",
        "an-accepted-end",
    ],
)
def test_what_nothing_was_about_is_no_early_death(plays: list[Played]) -> None:
    made = of(*plays)
    entries = [column.entries.get("effects_once") for column in made.columns]
    assert any(one and one.counts.get(Mark.NOT_APPLICABLE) for one in entries)
    assert not any(one and one.counts.get(Mark.ENDED) for one in entries)


def test_an_entry_tells_what_it_held_beside_what_it_did_not() -> None:
    made = of(
        play("a", HELD, subject="loopy"),
        play("b", UNKNOWN, subject="loopy"),
        play("b", HELD, subject="loopy", repeat=1),
    )
    assert made.columns[0].entries["effects_once"].held == ("a",)
    assert made.columns[0].entries["effects_once"].tested == 3
    data = shown(overview.html(made))
    assert [data["scenarios"][n]["name"] for n in entry_of(data)["held"]] == ["a"]


def test_a_title_says_what_part_of_the_whole_it_is_about() -> None:
    one = of(play("a", HELD, subject="loopy"))
    to_come = (Left(subject="other", version="2", why="not played yet", is_to_come=True),)
    part = replace(one, part="quick, the classic faults only", left=to_come)
    assert pages.headline(part) == (
        "Quick, the classic faults only; not finished, 1 of 2 subjects so far."
        " loopy 1.0 breaks no promise (1 play)"
    )


def test_the_headline_of_several_subjects_counts_subjects() -> None:
    reports = [
        CellReport(stamp=stamp(name), folder=name, summary=summary(play("a", how, subject=name)))
        for name, how in (("one", BROKEN), ("two", BROKEN), ("three", UNKNOWN))
    ]
    said = "3 subjects in 3 plays: 2 subjects break promises, 1 is in doubt"
    assert pages.headline(matrix(reports, ())) == said
    assert pages.headline(matrix(reports[:2], ())) == (
        "2 subjects in 2 plays: all of these subjects break promises"
    )


def test_a_column_tells_how_it_was_driven_and_all_documented_policy() -> None:
    report = CellReport(
        stamp=replace_stamp("loopy@1.0"),
        folder="f",
        summary=summary(play("a", BROKEN, subject="loopy@1.0", sentence="`rm` ran")),
        driven="It is driven by `run()`.",
    )
    told = {"a": Told("Once is enough.", ("ends as completed",))}
    made = replace(matrix([report], (POLICY,)), told=told)
    data = shown(overview.html(made))
    column = data["columns"][0]
    assert (column["subject"], column["version"]) == ("loopy", "1.0")
    assert column["driven"] == "It is driven by `run()`."
    assert column["policies"] == [{"says": POLICY.says, "source": POLICY.source}]
    assert data["scenarios"] == [
        {"name": "a", "claim": "Once is enough.", "accepted": ["ends as completed"]}
    ]


def replace_stamp(subject: str) -> Stamp:
    return stamp().model_copy(update={"subject": subject})


def test_a_page_that_will_lie_elsewhere_links_to_no_cell() -> None:
    page = overview.html(of(play("a", BROKEN, subject="loopy")), alone=True)
    assert shown(page)["columns"][0]["entries"]["effects_once"]["breaches"][0]["timeline"] == ""


def test_what_a_subject_says_cannot_leave_the_pages_data() -> None:
    page = overview.html(of(play("a", BROKEN, subject="loopy", sentence="</script><script>x()")))
    assert "</script><script>x" not in page


def shown(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def entry_of(data: Any, check: str = "effects_once") -> Any:
    return data["columns"][0]["entries"][check]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[policy]]\nsubject = 'a'\ncheck = 'b'\nsays = 'c'\nsource = 'ftp://x'", "source"),
        ("[[policy]]\nsubject = 'a'", "check"),
        ("[[policies]]", "policies"),
        ("= nothing", "not TOML"),
        (f"policy = {'9' * 5000}", "not TOML"),
        ("policy = 3", "policy"),
    ],
)
def test_a_wrong_table_of_policies_is_told_with_its_place(
    text: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "policies.toml"
    file.write_text(text)
    with pytest.raises(BadPolicies, match=re.escape(said)):
        read_policies(file)
