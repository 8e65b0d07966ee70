"""The README tells the truth: its commands run, its links lead somewhere, it leaves out nothing."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from faultloop.bench.cli import EXIT_OF, Exit, app
from faultloop.scenarios.verdict import Verdict

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
DOCUMENTS = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> list[str]:
    """Every line of every sh block."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


SET_UP = ("python3 -m venv", ".venv/bin/python -m pip install", "make ")
"""What builds the environment that this test runs in; CI runs these lines themselves."""
STRANGERS = ("faultloop subjects install", "faultloop matrix", "faultloop run --subject openai-")
"""What fetches loops of others and plays all of the catalogue: no matter of a test."""
EVERYTHING = ".venv/bin/python -m pytest -n logical"
"""All tests: this one among them."""


def shortened(command: str, tmp_path: Path) -> list[str]:
    """The same command in this environment, on one scenario, with its report under tmp_path."""
    words = shlex.split(command)
    if words[0] == ".venv/bin/python":
        words[0] = sys.executable
    elif words[0] == "faultloop":
        words[:1] = [sys.executable, "-c", "from faultloop.bench.cli import main; main()"]
    elif words[0] == "pytest":
        words[:1] = [sys.executable, "-m", "pytest"]
    subject = str(ROOT / "bench/faultloop/bench/subjects/reference_process/subject.toml")
    words = [subject if word == "my-loop/subject.toml" else word for word in words]
    plays = "run" in words or "bench" in words or "faultloop.bench" in words
    if plays:
        words += ["--scenario", "one-call"]
    if plays and "--report-dir" not in words:
        words += ["--report-dir", "report"]
    return [str(tmp_path / word) if word in REPORTS else word for word in words]


REPORTS = {"out", "out2", "out3", "report", "base", "candidate"}


@pytest.mark.parametrize(
    "command",
    [
        line
        for line in commands()
        if not line.startswith((*SET_UP, *STRANGERS)) and line != EVERYTHING
    ],
)
def test_a_command_of_the_readme_runs(command: str, tmp_path: Path) -> None:
    if " gate " in command:
        done = run("faultloop run --subject reference --report-dir base", tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.copytree(tmp_path / "base", tmp_path / "candidate")
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def run(command: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    roots = ("loop", "fakes", "scenarios", "reports", "bench")
    path = os.pathsep.join(str(ROOT / root) for root in roots)
    return subprocess.run(
        [*shortened(command, tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_all_tests_are_run_as_make_runs_them() -> None:
    assert EVERYTHING in commands()
    assert (
        EVERYTHING.replace(".venv/bin", "\t$(BIN)") in (ROOT / "Makefile").read_text().splitlines()
    )


def test_the_lines_that_set_up_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    (install,) = [line for line in commands() if "pip install" in line]
    options = {word for word in shlex.split(install) if word.startswith(("--", ".", "constraints"))}
    assert options - {".venv/bin/python"} <= set(re.findall(r"[^\s']+", makefile))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", document.read_text())
    local = [link for link in links if "://" not in link]
    assert not [link for link in local if not (document.parent / link).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_paths_that_are_named_exist(document: Path) -> None:
    named = re.findall(
        r"`((?:bench|docs|tests|scenarios|fakes|loop|reports)/[\w./-]+)`", document.read_text()
    )
    places = [
        ROOT,
        *(ROOT / root / "faultloop" for root in ("loop", "fakes", "scenarios", "reports", "bench")),
    ]
    assert not [path for path in named if not any((place / path).exists() for place in places)]


def test_every_exit_code_is_in_the_table() -> None:
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert told == {int(code) for code in Exit}
    assert set(EXIT_OF) == set(Verdict)


def test_every_command_is_named_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    names = [command.callback.__name__ for command in app.registered_commands if command.callback]
    assert names
    assert not [name for name in names if name not in changelog]
