from __future__ import annotations

import contextlib
import gzip
import json
import random
import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from faultloop.reports import kept
from faultloop.reports.failures import read_play
from faultloop.reports.reading import BadReport, read_plays, read_summary
from faultloop.reports.rows import Played
from faultloop.reports.store import ReportDirectory, complete
from faultloop.reports.writing import ReportUnwritable

FILES = {
    "failures",
    "histories.jsonl.gz",
    "junit.xml",
    "plays.parquet",
    "report.html",
    "report.md",
    "summary.json",
    "timings.parquet",
}


def written(path: Path, plays: list[Played]) -> Path:
    report = ReportDirectory(path, seed=7)
    report.prepare()
    for played in plays:
        report.keep(played)
    report.finish()
    return path


def names(path: Path) -> set[str]:
    return {file.name for file in path.iterdir()}


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
        for played in sorted(plays, key=lambda played: played.record.key)
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


def test_a_directory_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ReportUnwritable, match=r"no report \(there is thesis\.tex\); nothing"):
        ReportDirectory(tmp_path, seed=7).prepare()
    assert names(tmp_path) == {"thesis.tex"}


def lie(path: Path, name: str, text: str) -> None:
    """A file of somebody else's under a name of ours."""
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(text)


FOREIGN: list[tuple[str, str]] = [
    ("summary.json", '{"mine": 1}'),
    ("summary.json", '{"schema": 1}'),
    ("summary.json", "no JSON"),
    ("plays.jsonl", '{"artist": "Bach"}\n'),
    ("plays-of-shakespeare.jsonl", "To be, or not to be\n"),
    ("failures/thesis.txt", "precious"),
    ("failures/mine/scenario.yaml", "precious"),
    ("failures/mine/play.json", "{}"),
]


@pytest.mark.parametrize("finished", [True, False], ids=["beside a report", "alone"])
@pytest.mark.parametrize(("name", "text"), FOREIGN)
def test_what_no_report_wrote_is_never_deleted_whatever_its_name(
    tmp_path: Path, plays: list[Played], name: str, text: str, finished: bool
) -> None:
    path = written(tmp_path / "out", plays) if finished else tmp_path
    lie(path, name, text)
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(ReportUnwritable, match=r"nothing was deleted, choose another"):
        ReportDirectory(path, seed=7).prepare()
    assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == before


def test_a_file_added_to_a_saved_failure_keeps_it(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    failure = next((report / "failures").iterdir())
    (failure / "notes.txt").write_text("what I found out")
    with pytest.raises(ReportUnwritable, match=rf"holds failures/{failure.name}, which no report"):
        ReportDirectory(report, seed=7).prepare()
    assert (failure / "play.json").exists()


def test_failures_that_lie_elsewhere_are_not_followed(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    (report / "failures").rename(tmp_path / "archive")
    (report / "failures").symlink_to(tmp_path / "archive")
    with pytest.raises(ReportUnwritable, match="holds failures, which no report wrote"):
        ReportDirectory(report, seed=7).prepare()
    assert len(names(tmp_path / "archive")) == 3


def test_what_a_person_put_beside_a_report_stays(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    (report / "notes.txt").write_text("mine")
    written(report, plays[:1])
    assert (report / "notes.txt").read_text() == "mine"


def test_an_interrupted_run_can_be_replaced(tmp_path: Path, plays: list[Played]) -> None:
    first = ReportDirectory(tmp_path, seed=7)
    first.prepare()
    first.keep(plays[0])
    first.close()
    assert names(written(tmp_path, plays)) == FILES


def test_a_path_below_a_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportUnwritable, match=r"cannot be made: .* is a file, not a folder"):
        ReportDirectory(tmp_path / "file" / "out", seed=7).prepare()


@contextlib.contextmanager
def room(bytes_max: int) -> Iterator[None]:
    """The system takes no file beyond this size: as on a full disk, half a line is written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_loses_only_the_play_that_did_not_fit(
    tmp_path: Path, plays: list[Played]
) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    report.keep(plays[0])
    report.keep(plays[1])
    size = (tmp_path / "plays.jsonl").stat().st_size
    sentence = r"^pull-request-504-after was played, but .*larger than is allowed; the 2 plays"
    with room(size + 100), pytest.raises(ReportUnwritable, match=sentence):
        report.keep(plays[2])
    assert (tmp_path / "plays.jsonl").stat().st_size == size
    report.keep(plays[3])
    assert len(report.finish().plays) == 3


def test_a_disk_that_fills_while_the_report_is_made_keeps_the_plays(
    tmp_path: Path, plays: list[Played]
) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    for played in plays:
        report.keep(played)
    with room(20_000), pytest.raises(ReportUnwritable, match="all finished plays are kept there"):
        report.finish()
    assert "report.html" not in names(tmp_path)
    assert len(complete(tmp_path).plays) == len(plays)
    assert names(tmp_path) == FILES


def test_a_device_that_is_full_is_told_in_a_sentence(plays: list[Played]) -> None:
    with pytest.raises(OSError, match="No space left"):
        kept.Appending(Path("/dev/full"), seed=7)


BAD = {
    "missing": ("does not exist; a report directory is wanted", None),
    "no report": ("is no report directory: it has no summary.json", {}),
    "no json": ("is no summary of schema 1: Invalid JSON", {"summary.json": "{"}),
    "newer": (
        "no summary of schema 1 at schema: Input should be 1",
        {"summary.json": '{"schema": 2, "seed": 1, "plays": [], "totals": {}}'},
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_an_unreadable_report_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    sentence, files = BAD[name]
    report = tmp_path / "out"
    if files is not None:
        report.mkdir()
        for file, content in files.items():
            (report / file).write_text(content)
    with pytest.raises(BadReport, match=sentence):
        read_summary(report)


def test_histories_of_another_report_are_noticed(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    lines = gzip.decompress((report / "histories.jsonl.gz").read_bytes()).splitlines(True)
    with gzip.open(report / "histories.jsonl.gz", "wb") as stream:
        stream.writelines(reversed(lines))
    with pytest.raises(BadReport, match=r"does not belong to its summary\.json"):
        complete(report)


def test_a_damaged_line_is_named(tmp_path: Path, plays: list[Played]) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    report.keep(plays[0])
    report.close()
    file = tmp_path / "plays.jsonl"
    file.write_bytes(file.read_bytes() + b'{"record": 1}\n')
    with pytest.raises(BadReport, match=r"plays\.jsonl is damaged: line 3 is no play"):
        complete(tmp_path)


def test_a_summary_says_nothing_about_wall_time(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    text = (report / "summary.json").read_text()
    assert "wall_s" not in text
    assert json.loads(text)["seed"] == 7
