"""A report directory: what is kept, what is made of it, and runs that were cut short."""

from __future__ import annotations

import errno
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from faultloop.reports import kept
from faultloop.reports.failures import read_play
from faultloop.reports.forms import with_played
from faultloop.reports.reading import BadReport, read_plays, read_summary
from faultloop.reports.rows import Played
from faultloop.reports.store import ReportDirectory, complete
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.reading import load

from .directory import FILES, names, written


def test_a_finished_report_holds_its_files_and_nothing_else(
    tmp_path: Path, plays: list[Played]
) -> None:
    assert names(written(tmp_path / "out", plays)) == FILES


def test_the_same_plays_in_any_order_make_the_same_files(
    tmp_path: Path, plays: list[Played]
) -> None:
    one = written(tmp_path / "one", plays)
    other = written(tmp_path / "other", random.Random(5).sample(plays, len(plays)))
    for name in FILES - {"failures"}:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_plays_read_back_as_they_were(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    summary = read_summary(report)
    expected = [
        # How a subject was asked for is a matter of the machine: only failures/ keeps it.
        replace(played, chosen="")
        for played in sorted(with_played(plays), key=lambda played: played.record.key)
    ]
    assert list(read_plays(report, summary)) == expected


def test_a_failure_is_saved_with_all_that_plays_it_again(
    tmp_path: Path, plays: list[Played]
) -> None:
    report = written(tmp_path / "out", plays)
    folders = sorted((report / "failures").iterdir())
    assert [folder.name.split("--")[0] for folder in folders] == [
        "cancel-in-tool",
        "kill-after-effect",
        "pull-request-504-after",
    ]
    folder = folders[2]
    assert names(folder) == {"scenario.yaml", "play.json", "history.jsonl", "stderr.txt"}
    saved = read_play(folder)
    assert (saved.subject, saved.chosen) == ("naive-openai", "./naive-openai.toml")
    assert "name: pull-request-504-after" in (folder / "scenario.yaml").read_text()
    assert len((folder / "history.jsonl").read_text().splitlines()) == 15


def test_a_saved_scenario_says_the_arguments_in_the_order_of_its_file(
    tmp_path: Path, plays: list[Played]
) -> None:
    """The argument text that the model sends has that order, so a replay needs it."""
    arguments = {"title": "Fix the login", "body": "It is fixed."}
    calls = [{"tool": "create_pull_request", "args": arguments}]
    broken = plays[2]
    told = replace(broken, scenario={**broken.scenario, "script": [{"calls": calls}]})
    report = written(tmp_path, [told])
    (folder,) = (report / "failures").iterdir()
    (step,) = load(folder / "scenario.yaml").script
    assert json.dumps(step.calls[0].args) == json.dumps(arguments)
    (read,) = read_plays(report, read_summary(report))
    assert json.dumps(read.scenario["script"]) == json.dumps(told.scenario["script"])


def test_an_interrupted_run_keeps_what_was_finished(tmp_path: Path, plays: list[Played]) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    for played in plays[:3]:
        report.keep(played)
    # The process is gone here, in the middle of writing a fourth line.
    report.close()
    with (tmp_path / "plays.jsonl").open("ab") as stream:
        stream.write(kept.encode(plays[3])[:200])
    with pytest.raises(BadReport, match=r"did not finish; `faultloop report .*` makes a report"):
        read_summary(tmp_path)
    assert len(complete(tmp_path).plays) == 3
    assert names(tmp_path) == FILES


def test_a_run_that_was_cut_short_says_so_in_every_file_for_people(
    tmp_path: Path, plays: list[Played]
) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    report.plan(40)  # known only once all tests were collected
    for played in plays[:3]:
        report.keep(played)
    report.close()
    # The process is gone here.
    summary = complete(tmp_path)
    assert (len(summary.plays), summary.planned, summary.is_cut_short) == (3, 40, True)
    assert read_summary(tmp_path) == summary
    for name in ("report.md", "report.html"):
        text = (tmp_path / name).read_text()
        assert "interrupted: 3 of 40 plays were made, and of these:" in text, name


def test_a_run_that_made_all_of_its_plays_says_nothing_of_it(
    tmp_path: Path, plays: list[Played]
) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.plan(3)
    report.prepare()
    for played in plays[:3]:
        report.keep(played)
    assert not report.finish().is_cut_short
    for name in ("report.md", "report.html", "summary.json"):
        text = (tmp_path / name).read_text()
        assert "interrupted" not in text, name
        assert "planned" not in text, name


def test_a_report_whose_kept_plays_are_half_gone_is_not_made_smaller(
    tmp_path: Path, plays: list[Played]
) -> None:
    """Stopped between two workers' files, when everything had been written."""
    report = written(tmp_path, plays)
    left = ReportDirectory(report, seed=7, worker="gw1")
    left.keep(plays[0])
    left.close()
    assert len(complete(report).plays) == len(plays)
    assert names(report) == FILES


def test_workers_keep_apart_and_finish_together(tmp_path: Path, plays: list[Played]) -> None:
    owner = ReportDirectory(tmp_path, seed=7)
    owner.prepare()
    for number, played in enumerate(plays):
        worker = ReportDirectory(tmp_path, seed=7, worker=f"gw{number}")
        worker.keep(played)
        worker.close()
    assert len(owner.finish().plays) == len(plays)


def test_a_finished_report_can_be_written_anew(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    before = (report / "report.html").read_bytes()
    (report / "report.html").unlink()
    complete(report)
    assert (report / "report.html").read_bytes() == before


def test_an_earlier_report_is_replaced(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    written(report, plays[:1])
    assert len(read_summary(report).plays) == 1
    assert "failures" not in names(report)


def test_a_summary_says_nothing_about_wall_time(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    text = (report / "summary.json").read_text()
    assert "wall_s" not in text
    assert json.loads(text)["seed"] == 7


def test_a_run_that_was_cut_short_is_gone_on_with(tmp_path: Path, plays: list[Played]) -> None:
    first, *rest = plays
    cut = ReportDirectory(tmp_path / "out", seed=7)
    assert cut.resume() == frozenset()  # there was none
    cut.keep(first)
    cut.close()
    again = ReportDirectory(tmp_path / "out", seed=7)
    assert again.resume() == {first.record.key}
    for played in rest:
        again.keep(played)
    again.finish()
    once = written(tmp_path / "once", plays)
    for name in FILES - {"failures"}:
        assert (tmp_path / "out" / name).read_bytes() == (once / name).read_bytes(), name


@pytest.mark.parametrize("begun", [b"", b'{"schema":1,"se'], ids=["nothing", "half a header"])
def test_a_file_that_was_not_begun_takes_nothing_from_what_is_kept(
    tmp_path: Path, plays: list[Played], begun: bytes
) -> None:
    cut = ReportDirectory(tmp_path / "out", seed=7)
    cut.prepare()
    cut.keep(plays[0])
    cut.close()
    (tmp_path / "out" / "plays.again1.jsonl").write_bytes(begun)  # what a full disk has left
    again = ReportDirectory(tmp_path / "out", seed=7)
    assert again.resume() == {plays[0].record.key}
    assert len(again.finish().plays) == 1


def test_going_on_without_room_is_a_sentence_and_holds_nothing(
    tmp_path: Path, plays: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = ReportDirectory(tmp_path / "out", seed=7)
    cut.prepare()
    cut.keep(plays[0])
    cut.close()
    monkeypatch.setattr(kept, "Appending", _no_room)
    again = ReportDirectory(tmp_path / "out", seed=7)
    with pytest.raises(ReportUnwritable, match="1 play that it kept"):
        again.resume()
    assert len(complete(tmp_path / "out").plays) == 1


def _no_room(*path: object, **more: object) -> None:
    raise OSError(errno.ENOSPC, "no space")


def test_a_run_of_another_seed_is_not_gone_on_with(tmp_path: Path, plays: list[Played]) -> None:
    cut = ReportDirectory(tmp_path / "out", seed=7)
    cut.prepare()
    cut.keep(plays[0])
    cut.close()
    again = ReportDirectory(tmp_path / "out", seed=8)
    assert again.resume() == frozenset()
    assert again.finish().plays == ()
