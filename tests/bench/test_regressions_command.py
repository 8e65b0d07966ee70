"""Version pairs: a bug is broken on one version and held on the next, or it is said why not.

Two versions of a tiny loop: 1.0 says that it is done without doing anything, 2.0 is honest. `uv` is
a stand-in on PATH whose environments lead to the Python of these tests.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import faultloop.bench.subjects
from faultloop.bench.regressions_command.command import (
    DETAILED_MAX,
    list_regressions,
    run_regressions,
)
from faultloop.bench.regressions_command.page import PAGE
from faultloop.bench.regressions_command.reading import SHIPPED, BadRegressions, read
from faultloop.bench.regressions_command.side import Agreement, Pair, Side
from faultloop.reports.writing import ReportUnwritable
from faultloop.scenarios.reading import catalogue, dump
from faultloop.scenarios.verdict import Verdict

SUBJECTS = Path(faultloop.bench.subjects.__file__).parent

LINE = """
[[regression]]
id = "toy-1"
source = "https://example.org/toy/issues/1"
about = "It says | that it is done."
subject = "./subject.toml"
scenario = "one-call"
streaming = false
check = "end_acceptable"
affected = "1.0"
fixed = "2.0"
"""

SUBJECT = f"""
name = "toy"
version = "2.0"
command = ["{{python}}", "driver.py", "{{env}}"]
resume = "rerun"
[environment]
PYTHONPATH = "{SUBJECTS}"
[install]
python = ["toy=={{version}}"]
"""

DRIVER = f"""
import runpy, sys
import faultloop_driver as bench
if sys.argv[1].endswith("1.0"):
    bench.run(lambda: "It is done.")
runpy.run_path("{SUBJECTS}/naive_openai/driver.py")
"""

UV = f"""#!/bin/sh
if [ "$1" = venv ]; then
  mkdir -p "$5/bin"
  printf '#!/bin/sh\\nexec {sys.executable} "$@"\\n' > "$5/bin/python"
  chmod +x "$5/bin/python"
fi
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of one regression, beside its subject."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "uv").write_text(UV)
    (programs / "uv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "subject.toml").write_text(SUBJECT)
    (tmp_path / "driver.py").write_text(DRIVER)
    (tmp_path / "regressions.toml").write_text(LINE)
    return tmp_path / "regressions.toml"


def played(file: Path, *, install: bool = True, write: bool = False) -> int:
    report = file.parent / "report"
    return run_regressions("*", file=file, install=install, write=write, report_dir=report)


def test_a_bug_that_is_gone_in_the_fixed_version_is_as_expected_and_told_with_proof_and_command(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "docs").mkdir()
    assert played(file, write=True) == 0
    said = capsys.readouterr().out
    assert "1 of 1 as expected" in said
    assert "toy-1: one-call, end_acceptable, https://example.org/toy/issues/1\n" in said
    assert "toy-1, 1.0: broken: accepted: " in said
    assert f"    faultloop run --subject {file.parent}/subject.toml@1.0 --scenario one-call" in said
    assert f"report: {file.parent / 'report' / 'report.html'}\n" in said
    page = (file.parent / PAGE).read_text()
    row = (
        "| [toy-1](https://example.org/toy/issues/1) | It says \\| that it is done. |"
        " ./subject.toml | `end_acceptable` | 1.0: broken, by account | 2.0: held |"
    )
    assert row in page
    for version in ("1.0", "2.0"):
        assert (
            f"faultloop run --subject subject.toml@{version} --scenario one-call"
            " --dialect openai_chat --no-stream\n"
        ) in page
    assert str(file.parent) not in page
    assert (file.parent / "report" / "summary.json").is_file()


def test_a_bug_that_is_still_there_is_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swapped = LINE.replace('fixed = "2.0"', "").replace('affected = "1.0"', 'affected = "2.0"')
    file.write_text(swapped)
    assert played(file) == 1
    said = capsys.readouterr().out
    assert "toy-1, 2.0: held in place of broken: " in said
    assert "0 of 1 as expected" in said


def test_what_is_not_installed_is_not_green(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(file, install=False) == 3
    said = capsys.readouterr().out
    assert "toy-1, 1.0: unknown in place of broken: toy 1.0 is not installed: run" in said
    assert f"`faultloop subjects install {file.parent}/subject.toml@1.0`" in said


@pytest.mark.parametrize("dies", ["import no_such_module", "bench.run(no_such_name)"])
def test_a_driver_that_does_not_fit_a_version_shows_no_bug_of_it(
    file: Path, capsys: pytest.CaptureFixture[str], dies: str
) -> None:
    driver = file.parent / "driver.py"
    driver.write_text(DRIVER.replace('bench.run(lambda: "It is done.")', dies))
    assert played(file) == 3
    assert "toy-1, 1.0: unknown in place of broken: it ended before" in capsys.readouterr().out


def test_a_part_of_the_lines_does_not_take_the_place_of_the_whole_page(file: Path) -> None:
    (file.parent / "docs").mkdir()
    file.write_text(LINE + LINE.replace("toy-1", "other-1"))
    with pytest.raises(BadRegressions, match="the page of all lines"):
        run_regressions(
            "toy-*", file=file, install=False, write=True, report_dir=file.parent / "report"
        )


def test_a_page_that_cannot_be_written_is_a_sentence(file: Path) -> None:
    (file.parent / PAGE).mkdir(parents=True)
    with pytest.raises(ReportUnwritable, match=r"regressions\.md cannot be written"):
        played(file, install=False, write=True)


def test_a_page_needs_its_folder(file: Path) -> None:
    with pytest.raises(BadRegressions, match="there is no folder docs here to write to"):
        played(file, write=True)


def side(expected: Verdict, seen: Verdict) -> Side:
    return Side(version="1", expected=expected, seen=seen, why="")


@pytest.mark.parametrize(
    ("affected", "fixed", "agreement"),
    [
        (Verdict.BROKEN, Verdict.HELD, Agreement.AS_EXPECTED),
        (Verdict.HELD, Verdict.HELD, Agreement.DIFFERS),
        (Verdict.BROKEN, Verdict.BROKEN, Agreement.DIFFERS),
        (Verdict.UNKNOWN, Verdict.HELD, Agreement.CANNOT_TELL),
        (Verdict.BROKEN, Verdict.NOT_APPLICABLE, Agreement.CANNOT_TELL),
        (Verdict.UNKNOWN, Verdict.BROKEN, Agreement.DIFFERS),
    ],
)
def test_only_what_was_seen_on_both_sides_agrees(
    file: Path, affected: Verdict, fixed: Verdict, agreement: Agreement
) -> None:
    sides = (side(Verdict.BROKEN, affected), side(Verdict.HELD, fixed))
    assert Pair(regression=read(file)[0], sides=sides).agreement is agreement


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('check = "end_acceptable"', 'check = "ends_well"', "toy-1.check: 'ends_well' is no check"),
        ('affected = "1.0"', 'affected = ">1"', "toy-1.affected: '>1' is not exactly one version"),
        ('affected = "1.0"', "", "toy-1.affected: this key is missing"),
        ("one-call", "no-call", "toy-1.scenario: 'no-call' is neither in the catalogue nor"),
        ("streaming = false", 'streaming = "no"', "toy-1.streaming: 'no' will not do"),
        (
            "streaming = false",
            "streaming = false\nstream = 1",
            "toy-1.stream: there is no such key",
        ),
        ("https://", "http://", "toy-1.source: 'http://example.org/toy/issues/1' is no address"),
        (LINE, LINE + LINE, "toy-1: there are two of this id"),
        (LINE, "x = ", "not TOML"),
        (LINE, "", "regression: this key is missing"),
        (LINE, "regression = 3", "regression: 3 will not do"),
        (LINE, "regression = ['x', {id = 'y'}]", "regression 1: 'x' will not do"),
        (LINE, "regression = ['x', {id = 'y'}]", "y.about: this key is missing"),
        (LINE, "regressions = []", "regressions: there is no such key; known are regression"),
    ],
)
def test_a_wrong_file_is_told_with_its_place(
    file: Path, before: str, after: str, sentence: str
) -> None:
    file.write_text(LINE.replace(before, after))
    with pytest.raises(BadRegressions) as caught:
        read(file)
    assert f"{file}: {sentence}" in str(caught.value)


def test_one_subject_never_stands_for_another_of_its_name(file: Path) -> None:
    other = file.parent / "other"
    other.mkdir()
    (other / "subject.toml").write_text(SUBJECT)
    twin = LINE.replace("toy-1", "toy-2").replace("./subject", "./other/subject")
    file.write_text(LINE + twin)
    with pytest.raises(BadRegressions, match=r"are both called toy@1\.0"):
        played(file)


def test_one_scenario_never_stands_for_another_of_its_name(file: Path) -> None:
    own = file.parent / "regressions"
    own.mkdir()
    scenario = next(one for one in catalogue() if one.name == "one-call")
    (own / "mine.yaml").write_text(dump(scenario))
    file.write_text(LINE + LINE.replace("toy-1", "toy-2").replace("one-call", "mine"))
    with pytest.raises(BadRegressions, match="both have a scenario called one-call"):
        played(file)


def test_a_name_that_no_line_has_is_told(file: Path) -> None:
    with pytest.raises(BadRegressions, match="no regression is called nix; --list tells all"):
        list_regressions("nix", file=file)
    with pytest.raises(BadRegressions, match=r"called toy: did you mean toy-1\?"):
        list_regressions("toy", file=file)


OTHERS = LINE.replace("toy-1", "found-it").replace("./subject.toml", "openai-agents")


@pytest.mark.parametrize(
    ("glob", "ids"),
    [
        ("openai-agents", ["found-it"]),
        ("openai-*", ["found-it"]),
        ("toy-*", ["toy-1"]),
        ("*", ["toy-1", "found-it"]),
    ],
)
def test_a_glob_is_on_ids_and_on_subjects(
    file: Path, capsys: pytest.CaptureFixture[str], glob: str, ids: list[str]
) -> None:
    file.write_text(LINE + OTHERS)
    list_regressions(glob, file=file)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if not line.startswith(" ")] == ids


def test_of_much_that_is_not_installed_a_line_tells_for_each_subject(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [LINE.replace("toy-1", f"toy-{number}") for number in range(DETAILED_MAX)]
    file.write_text("".join(lines) + OTHERS)
    assert played(file, install=False) == 3
    toy = file.parent / "subject.toml"
    assert capsys.readouterr().out == (
        f"./subject.toml 1.0, 2.0: not installed ({DETAILED_MAX} regressions): run"
        f" `faultloop subjects install {toy}@1.0 {toy}@2.0`\n"
        "openai-agents 1.0, 2.0: not installed (1 regression): run"
        " `faultloop subjects install openai-agents@1.0 openai-agents@2.0`\n"
        f"0 of {DETAILED_MAX + 1} as expected\n"
        f"report: {file.parent / 'report' / 'report.html'}\n"
    )


def test_the_list_tells_what_each_is_about_and_plays_nothing(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list_regressions("*", file=file)
    assert capsys.readouterr().out == (
        "toy-1: ./subject.toml 1.0, fixed in 2.0\n"
        "    It says | that it is done.\n"
        "    https://example.org/toy/issues/1\n"
    )
    assert not (file.parent / "report").exists()


def test_the_shipped_lines_are_well_formed() -> None:
    assert not SHIPPED.exists() or read(SHIPPED)
