"""The report of a comparison on disk: equal results, equal bytes; nothing of others is lost."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from tests.reports.accuracy.observed import asked, once
from tests.reports.accuracy.results import results

from faultloop.reports.accuracy import writing
from faultloop.reports.accuracy.rows import OBSERVATIONS, observations_parquet
from faultloop.reports.accuracy.summary import AccuracySummary
from faultloop.reports.accuracy.writing import FILES, check_folder, write_report
from faultloop.reports.holding import Hold
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.wordings.score import Flaw, Mistake


def test_equal_results_make_equal_bytes_also_over_an_earlier_report(tmp_path: Path) -> None:
    first, second = tmp_path / "deep" / "one", tmp_path / "two"
    page = write_report(first, results(once(3, 13, 64)))
    write_report(second, results(once(13, 3, 64)))
    write_report(second, results(once(3, 13, 64)))
    assert page == first / "accuracy.html"
    assert sorted(path.name for path in first.iterdir()) == sorted(FILES)
    for name in FILES:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_the_conclusions_are_read_back_as_they_were(tmp_path: Path) -> None:
    given = results(once(3, 13, 64), margin=0.02)
    write_report(tmp_path, given)
    read = msgspec.json.decode((tmp_path / "accuracy.json").read_bytes(), type=AccuracySummary)
    assert read.conclusions == given.conclusions
    assert read.schema == 1
    assert [one.fingerprint for one in read.wordings] == [one.fingerprint for one in given.wordings]


def test_an_observation_is_a_row_with_its_flaws_as_lists() -> None:
    flaw = Flaw(mistake=Mistake.WRONG_VALUE, call=0, parameter="path", says="half \ud800 a mark")
    one = asked("a", "t", 1, filled=False)
    made = observations_parquet([msgspec.structs.replace(one, flaws=(flaw,))])
    table = pq.read_table(io.BytesIO(made))
    assert table.schema.names == OBSERVATIONS.names
    (row,) = table.to_pylist()
    assert (row["selected"], row["filled"], row["right"]) == (True, False, False)
    assert row["mistakes"] == ["argument of wrong value"]
    assert row["mistake_parameters"] == ["path"]
    assert row["mistake_sentences"] == ["half ? a mark"]
    assert row["failure"] is None


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("thesis.txt", "mine", "is not empty and holds no report of a comparison (there is thesis"),
        ("accuracy.html", "mine", "holds no report of a comparison"),
        ("accuracy.json", '{"accuracy": 0.9}', "holds accuracy.json, which no comparison wrote"),
        ("accuracy.json", '{"report": "plays"}', "holds accuracy.json, which no comparison wrote"),
        ("accuracy.json", "\x00", "holds accuracy.json, which no comparison wrote"),
    ],
)
def test_files_of_others_stay(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ReportUnwritable) as refused:
        write_report(tmp_path, results(once(3, 13, 64)))
    assert says in refused.value.sentence
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == content


def test_a_link_in_place_of_a_file_is_somebody_elses(tmp_path: Path) -> None:
    write_report(tmp_path / "report", results(once(3, 13, 64)))
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text("mine")
    (tmp_path / "report" / "accuracy.md").unlink()
    (tmp_path / "report" / "accuracy.md").symlink_to(elsewhere)
    with pytest.raises(ReportUnwritable, match=r"holds accuracy\.md, which no comparison wrote"):
        check_folder(tmp_path / "report")


def test_what_a_crash_left_is_ours_and_what_a_person_added_to_a_report_stays(
    tmp_path: Path,
) -> None:
    (tmp_path / ".accuracy.json.draft").write_text("{")
    write_report(tmp_path, results(once(3, 13, 64)))
    (tmp_path / "remark.txt").write_text("mine")
    write_report(tmp_path, results(once(3, 13, 64)))
    assert (tmp_path / "remark.txt").read_text() == "mine"


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(ReportUnwritable, match="is no folder"):
        write_report(tmp_path / "out", results(once(3, 13, 64)))


def test_two_do_not_write_in_one_folder_at_once(tmp_path: Path) -> None:
    hold = Hold(tmp_path)
    hold.take()
    with pytest.raises(ReportUnwritable, match="another run is writing here"):
        write_report(tmp_path, results(once(3, 13, 64)))
    hold.release()
    write_report(tmp_path, results(once(3, 13, 64)))


def test_a_full_disk_is_a_sentence_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "replace", full)
    with pytest.raises(ReportUnwritable, match="is not complete: the disk is full; make room"):
        write_report(tmp_path, results(once(3, 13, 64)))
