"""Options of `pytest bench` beside those of a project: nobody's name is taken away."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.bench import within

from faultloop.bench.options import OPTIONS

pytest_plugins = ("pytester",)

CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--seed", default="mine", help="seed of the project's own")
    parser.addoption("--quick", action="store_true")

def pytest_configure(config):
    print(f"project: {config.getoption('--seed')} {config.getoption('--quick')}")
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project that has faultloop installed."""
    pytester.makepyfile("def test_of_its_own(): pass")
    return pytester


def play(project: pytest.Pytester, *argv: str) -> pytest.RunResult:
    """Play one scenario from within the project."""
    words = ("--pyargs", "faultloop.bench", "-p", "faultloop.bench.plugin", "-s")
    one = ("--scenario", "one-call", "--subject", "reference", "--stream")
    return within.run(project, *words, *one, *argv)


def seeds(project: pytest.Pytester) -> set[int]:
    summary = json.loads((project.path / "faultloop-report" / "summary.json").read_text())
    return {play["seed"] for play in summary["plays"]}


def test_where_nobody_else_has_them_the_short_names_are_ours(project: pytest.Pytester) -> None:
    done = play(project, "--seed", "5")
    assert done.ret == 0, done.stdout.str() + done.stderr.str()
    assert seeds(project) == {5}
    done.stdout.no_fnmatch_line("*belong to another plugin*")


def test_a_name_that_a_conftest_has_stays_its_own_and_ours_has_another(
    project: pytest.Pytester,
) -> None:
    project.makeconftest(CONFTEST)
    done = play(project, "--seed", "theirs", "--faultloop-seed", "5")
    assert done.ret == 0, done.stdout.str() + done.stderr.str()
    assert seeds(project) == {5}
    done.stdout.fnmatch_lines(
        [
            "project: theirs False",
            "faultloop: --seed, --quick belong to another plugin or a conftest here; "
            "ours: --faultloop-seed, --faultloop-quick",
        ]
    )


def test_a_project_with_names_of_ours_runs_its_own_tests_as_before(
    project: pytest.Pytester,
) -> None:
    project.makeconftest(CONFTEST)
    done = within.run(project, "-p", "faultloop.bench.plugin", "-s", "--seed=theirs")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["project: theirs False"])
    done.stdout.no_fnmatch_line("*faultloop*belong to*")


def test_the_help_tells_both_names(project: pytest.Pytester) -> None:
    said = within.run(project, "-p", "faultloop.bench.plugin", "--help").stdout.str()
    for option in OPTIONS:
        assert option.own_name in said
        assert f"the same as {option.own_name}" in " ".join(said.split())


def test_the_value_of_an_option_is_no_folder_of_tests(project: pytest.Pytester) -> None:
    """A conftest beside the subject is not read for being named on the command line."""
    project.mkdir("my-loop").joinpath("conftest.py").write_text("raise RuntimeError('read')")
    done = play(project, "--subject", "my-loop")
    assert "my-loop/subject.toml: cannot be read" in done.stderr.str()
    assert "RuntimeError" not in done.stderr.str()


def test_each_option_is_found_under_its_own_name(project: pytest.Pytester) -> None:
    argv = [
        *("--faultloop-subject", "reference", "--faultloop-scenario", "one-call"),
        *("--faultloop-dialect", "openai_chat", "--faultloop-no-stream", "--faultloop-seed", "7"),
        *("--faultloop-only-repeat", "2", "--faultloop-port", "0"),
        *("--faultloop-report-dir", "elsewhere"),
    ]
    words = ("--pyargs", "faultloop.bench", "-p", "faultloop.bench.plugin")
    done = within.run(project, *words, *argv)
    assert done.ret == 0, done.stdout.str() + done.stderr.str()
    summary = json.loads((project.path / "elsewhere" / "summary.json").read_text())
    (play,) = (play for play in summary["plays"] if play["scenario"] == "one-call")
    assert (play["streaming"], play["seed"], play["repeat"]) == (False, 7, 2)


HEAVY = {"faultloop.loop", "faultloop.fakes", "faultloop.scenarios", "httpx", "pyarrow", "pydantic"}


def test_a_project_that_collects_no_promises_pays_for_the_options_only() -> None:
    code = "import sys, faultloop.bench.plugin; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())
