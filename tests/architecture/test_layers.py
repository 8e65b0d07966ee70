"""The data flows one way, and what is packaged is one namespace and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


SOURCE_ROOTS = ("loop", "fakes", "scenarios", "reports", "bench")


def run(*argv: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment and return what it said."""
    path = os.pathsep.join(str(ROOT / root) for root in SOURCE_ROOTS)
    return subprocess.run(
        argv,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_imports_point_against_the_data_flow() -> None:
    done = run(str(BIN / "lint-imports"), "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_strict() -> None:
    done = run(str(BIN / "mypy"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_is_content() -> None:
    done = run(str(BIN / "ruff"), "check", ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_is_formatted() -> None:
    done = run(str(BIN / "ruff"), "format", "--check", ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_namespace_has_no_init() -> None:
    assert not [
        root for root in SOURCE_ROOTS if (ROOT / root / "faultloop" / "__init__.py").exists()
    ]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that a user would install."""
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_one_top_level_name(wheel: Path) -> None:
    done = run(str(BIN / "check-wheel-contents"), str(wheel))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "member",
    [
        "faultloop/loop/engine.py",
        "faultloop/fakes/stage.py",
        "faultloop/bench/plugin.py",
        "faultloop/bench/subjects/naive_openai/subject.toml",
        "faultloop/bench/subjects/naive_anthropic/driver.py",
        "faultloop/bench/subjects/naive_node/driver.mjs",
        "faultloop/reports/templates/report.html",
    ],
)
def test_the_wheel_holds_what_a_user_needs(wheel: Path, member: str) -> None:
    assert member in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_the_whole_catalogue(wheel: Path) -> None:
    here = {
        str(path.relative_to(ROOT / "scenarios")) for path in (ROOT / "scenarios").rglob("*.yaml")
    }
    assert here
    assert here <= set(zipfile.ZipFile(wheel).namelist())
