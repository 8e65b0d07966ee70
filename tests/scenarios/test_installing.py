"""Installing: whole or not at all, once for each recipe, with the reason where it fails.

`uv` is a stand-in on PATH that makes an environment of one script; pip itself is run once, offline.
"""

from __future__ import annotations

import functools
import subprocess
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.scenarios.stand_in_uv import stand_in_uv

from faultloop.scenarios.subject import BadSubject, SubjectUnusable
from faultloop.scenarios.subjects.declaration import command_line, places
from faultloop.scenarios.subjects.finding import asked_for, declared, find
from faultloop.scenarios.subjects.installed import (
    MARKER,
    cache_folder,
    folder_of,
    installed,
    marker,
)
from faultloop.scenarios.subjects.installing import CannotInstall, install, log_of, remove
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.recipe import Recipe

RECIPE = Recipe(name="toy", version="1.0", python=("toy==1.0",))

SUBJECT = """
name = "toy"
version = "1.0"
command = ["{python}", "driver.py", "{env}", "{node}"]
second_command = ["{python}", "other.py"]
[install]
python = ["toy=={version}"]
"""

Uv = Callable[[str], None]


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Uv:
    """Puts a `uv` on PATH that does as told instead of fetching anything."""
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:/usr/bin:/bin")
    stand_in_uv(tmp_path / "programs")
    return functools.partial(stand_in_uv, tmp_path / "programs")


def asked() -> list[str]:
    return (folder_of(RECIPE).parent / "asked").read_text().splitlines()


def subject_in(folder: Path) -> ProcessSubject:
    (folder / "subject.toml").write_text(SUBJECT)
    (folder / "driver.py").touch()
    return declared(folder / "subject.toml")


def test_an_installation_says_what_it_is(uv: Uv) -> None:
    made = install(RECIPE)
    assert (made.name, made.version, made.python) == ("toy", "1.0", {"toy": "1.0"})
    assert made.fingerprint == RECIPE.fingerprint()
    assert made.size_bytes > 0
    assert installed(RECIPE) == made


def test_what_is_installed_is_not_installed_again_unless_asked(uv: Uv) -> None:
    install(RECIPE)
    install(RECIPE)
    assert len(asked()) == 1
    install(RECIPE, again=True)
    assert len(asked()) == 2


def test_another_recipe_of_the_same_version_is_made_anew(uv: Uv) -> None:
    install(RECIPE)
    other = Recipe(name="toy", version="1.0", python=("toy==1.0", "openai==3.57.0"))
    assert installed(other) is None
    install(other)
    assert (installed(RECIPE), installed(other)) == (None, marker(folder_of(other)))


def test_what_was_left_half_done_is_begun_anew(uv: Uv) -> None:
    left = folder_of(RECIPE) / "lib" / "half"
    left.mkdir(parents=True)
    assert installed(RECIPE) is None
    install(RECIPE)
    assert not left.exists()


def test_an_installation_whose_python_is_gone_is_none(uv: Uv) -> None:
    install(RECIPE)
    (folder_of(RECIPE) / "bin" / "python").unlink()
    assert installed(RECIPE) is None


def test_a_marker_that_cannot_be_read_is_none(uv: Uv) -> None:
    install(RECIPE)
    (folder_of(RECIPE) / MARKER).write_text("{")
    assert installed(RECIPE) is None


def test_a_failure_gives_the_reason_and_the_log_and_leaves_nothing(uv: Uv) -> None:
    uv("echo 'trying'; echo 'error: No space left on device' >&2; exit 1")
    with pytest.raises(CannotInstall) as caught:
        install(RECIPE)
    log = log_of(folder_of(RECIPE))
    assert str(caught.value) == (
        f"toy 1.0 cannot be installed: No space left on device (all that was said: {log})"
    )
    assert "trying" in log.read_text()
    assert not folder_of(RECIPE).exists()


def test_a_disk_that_is_full_is_told_as_such(uv: Uv) -> None:
    log = log_of(folder_of(RECIPE))
    log.parent.mkdir(parents=True)
    log.symlink_to("/dev/full")
    with pytest.raises(CannotInstall, match=r"toy 1\.0 cannot be installed: .*: No space left"):
        install(RECIPE)
    assert not folder_of(RECIPE).exists()


def test_an_interrupt_leaves_nothing_that_counts_as_installed(uv: Uv) -> None:
    def told(doing: str) -> None:
        if doing.startswith("installing"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install(RECIPE, told=told)
    assert not folder_of(RECIPE).exists()


def test_two_installations_of_the_same_are_one(uv: Uv) -> None:
    waits = threading.Event()
    second = threading.Thread(
        target=install, args=(RECIPE,), kwargs={"told": lambda _: waits.set()}
    )

    def told(doing: str) -> None:
        if doing.startswith("installing"):
            second.start()
            assert waits.wait(60), "the second one did not say that it waits"

    install(RECIPE, told=told)
    second.join()
    assert len(asked()) == 1


def test_what_is_removed_is_gone(uv: Uv) -> None:
    made = install(RECIPE)
    assert remove(RECIPE) >= made.size_bytes
    assert not folder_of(RECIPE).exists()
    assert remove(RECIPE) == 0


def test_what_would_install_somewhere_else_is_not_handed_on(
    uv: Uv, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_TARGET", "PYTHONPATH", "NODE_OPTIONS", "npm_config_prefix", "PIP_INDEX_URL"):
        monkeypatch.setenv(name, "elsewhere")
    uv("env | grep elsewhere | cut -d= -f1 >> ../asked")
    install(RECIPE)
    assert asked()[1:] == ["PIP_INDEX_URL"]


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"FAULTLOOP_CACHE": "/own"}, Path("/own")),
        ({"XDG_CACHE_HOME": "/caches"}, Path("/caches/faultloop")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache" / "faultloop"),
        ({}, Path.home() / ".cache" / "faultloop"),
    ],
)
def test_the_cache_folder_is_the_user_s(environment: dict[str, str], folder: Path) -> None:
    assert cache_folder(environment) == folder


def test_the_placeholders_lead_into_the_installation(uv: Uv, tmp_path: Path) -> None:
    subject = subject_in(tmp_path)
    install(RECIPE)
    env = folder_of(RECIPE)
    there = places(subject.declaration, tmp_path, asked=subject.asked)
    words = command_line(subject.declaration, there)
    assert words == (f"{env}/bin/python", str(tmp_path / "driver.py"), str(env), "node")
    assert there.filled("{node} {here}") == f"node {tmp_path}"


def test_a_second_driver_is_the_same_subject(tmp_path: Path) -> None:
    subject = subject_in(tmp_path)
    second = subject.second()
    assert second is not None
    assert second.declaration.command == ("{python}", "other.py")
    assert (second.name, second.version) == ("toy", "1.0")
    assert second.second() is None


def test_what_is_not_installed_says_what_to_run(uv: Uv, tmp_path: Path) -> None:
    subject = subject_in(tmp_path)
    with pytest.raises(SubjectUnusable) as caught:
        places(subject.declaration, tmp_path, asked="toy")
    assert str(caught.value) == "toy 1.0 is not installed: run `faultloop subjects install toy`"


def test_what_is_installed_from_another_recipe_says_so(uv: Uv, tmp_path: Path) -> None:
    install(Recipe(name="toy", version="1.0", python=("toy==1.0", "openai==3.57.0")))
    subject = subject_in(tmp_path)
    with pytest.raises(SubjectUnusable, match=r"toy 1\.0 was installed from another recipe, or"):
        places(subject.declaration, tmp_path, asked="toy")


def test_another_version_is_asked_for_by_name(tmp_path: Path) -> None:
    subject_in(tmp_path)
    old = find(f"{tmp_path}/subject.toml@0.9")
    assert isinstance(old, ProcessSubject)
    assert (old.name, old.version) == ("toy@0.9", "0.9")
    assert old.asked == f"{tmp_path}/subject.toml@0.9"
    recipe = old.declaration.recipe()
    assert recipe is not None
    assert recipe.python == ("toy==0.9",)


def test_the_declared_version_is_the_subject_itself(tmp_path: Path) -> None:
    subject_in(tmp_path)
    assert find(f"{tmp_path}@1.0").name == "toy"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (
            "naive-openai@3.0",
            r"naive-openai has no \[install\] table: its version cannot be chosen",
        ),
        ("reference@3.0", "reference is part of this faultloop: it has no other version"),
        ("no-such@1.0", "there is no subject 'no-such': choose one of"),
        (
            "naive-openai@latest",
            "'latest' is no version of naive-openai: name one exactly, such as naive-openai@",
        ),
        ("reference@latest", "reference is part of this faultloop: it has no other version"),
        ("naive-opnai", r"there is no subject 'naive-opnai': did you mean naive-openai[ ?]"),
    ],
)
def test_a_version_that_cannot_be_had_is_told(asked: str, sentence: str) -> None:
    with pytest.raises(BadSubject, match=sentence):
        find(asked)


def test_a_path_with_an_at_sign_is_a_path(tmp_path: Path) -> None:
    folder = tmp_path / "me@1"
    folder.mkdir()
    assert asked_for(str(folder)) == (str(folder), "")
    assert asked_for(f"{folder}@2") == (str(folder), "2")


def test_pip_makes_an_environment_that_holds_what_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAULTLOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    wheel = tmp_path / "toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as written:
        written.writestr("toy.py", "answer = 42\n")
        about = "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n"
        written.writestr("toy-1.0.dist-info/METADATA", about)
        how = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        written.writestr("toy-1.0.dist-info/WHEEL", how)
        written.writestr("toy-1.0.dist-info/RECORD", "")
    made = install(RECIPE)
    assert made.python["toy"] == "1.0"
    python = folder_of(RECIPE) / "bin" / "python"
    asking = [python, "-c", "import toy; print(toy.answer)"]
    assert subprocess.run(asking, capture_output=True, check=True).stdout == b"42\n"
    with pytest.raises(CannotInstall, match=r"No matching distribution found for toy==2\.0"):
        install(Recipe(name="toy", version="2.0", python=("toy==2.0",)))
