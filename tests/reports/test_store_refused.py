"""A report directory that cannot be used, on a disk that is full, or with damaged files."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from faultloop.reports import kept
from faultloop.reports.reading import BadReport, read_summary
from faultloop.reports.rows import Played
from faultloop.reports.store import ReportDirectory, complete, unfinished
from faultloop.reports.writing import ReportUnwritable

from .directory import FILES, names, written


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


def test_a_directory_that_a_run_writes_in_is_refused_to_a_second(
    tmp_path: Path, plays: list[Played]
) -> None:
    first = ReportDirectory(tmp_path, seed=7)
    first.plan(2)
    first.prepare()
    first.keep(plays[0])
    said = rf"^another run is writing here \(pid {os.getpid()}\): {tmp_path}; wait for its end"
    with pytest.raises(ReportUnwritable, match=said):
        ReportDirectory(tmp_path, seed=7).prepare()
    with pytest.raises(ReportUnwritable, match=said):
        complete(tmp_path)
    first.keep(plays[1])
    assert len(first.finish().plays) == 2
    assert names(written(tmp_path, plays)) == FILES


def test_a_run_that_was_refused_holds_nothing(tmp_path: Path, plays: list[Played]) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    refused = ReportDirectory(tmp_path, seed=7)
    with pytest.raises(ReportUnwritable, match="holds no report"):
        refused.prepare()
    (tmp_path / "thesis.tex").unlink()
    assert names(written(tmp_path, plays)) == FILES


def test_plays_that_were_deleted_are_not_said_to_be_kept(
    tmp_path: Path, plays: list[Played]
) -> None:
    assert "all finished plays are kept there" in unfinished(abandoned(tmp_path, plays))
    for file in tmp_path.glob("plays*.jsonl"):
        file.unlink()
    assert "none of its plays are there any more" in unfinished(tmp_path)
    assert "its plays are in histories.jsonl.gz" in unfinished(written(tmp_path, plays))


def abandoned(path: Path, plays: list[Played]) -> Path:
    """What a run leaves that is killed after its first play."""
    report = ReportDirectory(path, seed=7)
    report.prepare()
    report.keep(plays[0])
    report.close()
    return path


@pytest.mark.parametrize("name", sorted(FILES - {"failures"}))
@pytest.mark.parametrize("put", ["folder", "link"])
def test_a_name_of_ours_that_is_no_file_is_refused_before_anything_is_deleted(
    tmp_path: Path, plays: list[Played], name: str, put: str
) -> None:
    report = written(tmp_path / "out", plays)
    (report / name).unlink()
    if put == "folder":
        (report / name).mkdir()
    else:
        (report / name).symlink_to(tmp_path / "elsewhere")
    before = sorted(report.rglob("*"))
    with pytest.raises(ReportUnwritable, match=rf"{name}.*nothing was deleted, choose another"):
        ReportDirectory(report, seed=7).prepare()
    assert sorted(report.rglob("*")) == before


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


def parquet(**columns: list[object]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


DAMAGED: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("timings.parquet", lambda whole: b"", "Parquet file size is 0 bytes"),
    ("timings.parquet", lambda whole: b"no parquet" * 20, "Parquet magic bytes not found"),
    ("timings.parquet", lambda whole: whole[: len(whole) // 2], "Parquet magic bytes not found"),
    ("timings.parquet", lambda _: parquet(price=[1]), "its columns are price"),
    ("timings.parquet", lambda whole: b"PAR1" + b"\0" * 99 + whole[-9:], "."),
    ("histories.jsonl.gz", lambda whole: whole[:-40], "."),
    ("histories.jsonl.gz", lambda whole: whole[:40] + b"\xff" * 40 + whole[80:], "."),
    ("histories.jsonl.gz", lambda whole: b"no gzip", "Not a gzipped file"),
]


@pytest.mark.parametrize(("name", "damage", "why"), DAMAGED)
def test_a_damaged_file_is_named(
    tmp_path: Path, plays: list[Played], name: str, damage: Callable[[bytes], bytes], why: str
) -> None:
    file = written(tmp_path / "out", plays) / name
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(BadReport, match=rf"^{file} is damaged: .*{why}"):
        complete(tmp_path / "out")


def test_a_report_without_its_timings_is_written_anew(tmp_path: Path, plays: list[Played]) -> None:
    report = written(tmp_path / "out", plays)
    (report / "timings.parquet").unlink()
    (report / "report.html").unlink()
    complete(report)
    assert (report / "report.html").exists()


def test_a_damaged_line_is_named(tmp_path: Path, plays: list[Played]) -> None:
    report = ReportDirectory(tmp_path, seed=7)
    report.prepare()
    report.keep(plays[0])
    report.close()
    file = tmp_path / "plays.jsonl"
    file.write_bytes(file.read_bytes() + b'{"record": 1}\n')
    with pytest.raises(BadReport, match=r"plays\.jsonl is damaged: line 3 is no play"):
        complete(tmp_path)
