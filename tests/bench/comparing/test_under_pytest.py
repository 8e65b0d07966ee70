"""`pytest bench --wordings`: a comparison as test items, one a candidate."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest
from tests.bench import within
from tests.bench.comparing.test_compare import SWAPPED, TASK, TOOLS

from faultloop.bench.comparing import under_pytest
from faultloop.bench.comparing.command import NothingAnswered, Wanted, read

pytest_plugins = ("pytester",)

ROOT = Path(__file__).parents[3]
SAME = "schema: 1\nname: same\nextends: full.yaml\ntools: {}\n"


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with three wordings of two tools, twelve tasks, and a test of its own."""
    roots = ("loop", "fakes", "scenarios", "reports", "bench")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(ROOT / root) for root in roots))
    pytester.makepyfile("def test_of_its_own(): assert False")
    tasks = "".join(
        TASK.format(id=f"{tool}-{n}", prompt=f"{says} {n}", tool=tool, parameter=parameter)
        for tool, says, parameter in (
            ("search_notes", "words for", "words"),
            ("append_to_note", "remember", "text"),
        )
        for n in range(6)
    )
    files = {"full": TOOLS, "swapped": SWAPPED, "same": SAME}
    for name, text in {**files, "tasks": f"schema: 1\ntasks:\n{tasks}"}.items():
        (pytester.path / f"{name}.yaml").write_text(text)
    return pytester


def compared(project: pytest.Pytester, *argv: str) -> pytest.RunResult:
    """`pytest ... --wordings`, pointed at the project's own tests and at the bench."""
    words = ("--pyargs", "faultloop.bench", ".", "-p", "faultloop.bench.plugin")
    report = ("--report-dir", "out", "--cache", "kept", "--color=no")
    tasks = () if "--tasks" in argv else ("--tasks", "tasks.yaml")
    asked = (*words, *report, *tasks, "--wordings", *argv)
    if "-n" in argv:
        return project.runpytest_subprocess(*asked, *within.LIGHT)
    return within.run(project, *asked)


def test_what_is_worse_or_cannot_be_told_fails_with_the_sentence_and_the_page(
    project: pytest.Pytester,
) -> None:
    done = compared(project, "full.yaml", "swapped.yaml", "same.yaml")
    done.assert_outcomes(failed=2)
    assert done.ret == 1
    done.stdout.fnmatch_lines(["*swapped* is worse than *full*", "page: *accuracy.html"])
    done.stdout.fnmatch_lines(["Cannot tell *same* from *full*"])
    done.stdout.no_fnmatch_line("*Traceback*")


def test_what_is_better_passes_and_workers_make_one_comparison(project: pytest.Pytester) -> None:
    done = compared(project, "swapped.yaml", "full.yaml", "same.yaml", "-n", "2", "-v")
    done.assert_outcomes(passed=2)
    said = done.stdout.str()
    for worker in ("[gw0]", "[gw1]"):
        assert said.count(f"{worker} ") - said.count(f"{worker} node") in (0, 2), said
    done.stdout.fnmatch_lines(["*full* is better than *swapped*", "page: *"])
    assert (project.path / "out" / "accuracy.html").exists()


def test_a_run_that_a_limit_stopped_fails(project: pytest.Pytester) -> None:
    done = compared(project, "swapped.yaml", "full.yaml", "--max-requests", "10")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["cannot tell: --max-requests 10 is used up*"])


def test_a_comparison_that_failed_is_not_made_again_for_the_next_candidate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[object] = []

    def stopped(*_: object, **given: object) -> NoReturn:
        made.append(given)
        raise NothingAnswered("--max-requests 0 is used up")

    monkeypatch.setattr(under_pytest, "compare", stopped)
    wanted = Wanted(
        base="coding_agent/full",
        candidates=("coding_agent/vague", "coding_agent/terse"),
        model="embedded:lexical",
        cache=Path("kept"),
        report_dir=Path("out"),
    )
    comparison = under_pytest.Comparison(wanted, read(wanted))
    for _ in comparison.candidates:
        with pytest.raises(NothingAnswered, match="is used up"):
            comparison.made()
    assert len(made) == 1


def test_collecting_asks_nobody(project: pytest.Pytester) -> None:
    done = compared(project, "full.yaml", "swapped.yaml", "--collect-only")
    assert done.ret == 0
    assert not (project.path / "out").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("full.yaml",), "--wordings full.yaml: give a base and at least one candidate"),
        (("full.yaml", "none.yaml"), "none.yaml:1: it cannot be read"),
        (("full.yaml", "same.yaml", "--metric", "beauty"), "invalid choice: 'beauty'"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_code_4(
    project: pytest.Pytester, words: tuple[str, ...], told: str
) -> None:
    done = compared(project, *words)
    said = done.stdout.str() + done.stderr.str()
    assert done.ret == 4, said
    assert told in said
    assert "Traceback" not in said
