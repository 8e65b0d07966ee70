"""Installing a subject: the shell around `recipe.steps`, which runs them under a lock.

Everything is made in the folder that it stays in, and the marker comes last, so that what a full
disk, Ctrl-C or a dead machine left half done is never taken for whole. What failed or was
interrupted is removed again; its log stays beside the folder. pip, uv and npm are run as their user
has set them up (mirrors, proxies), but for what would install somewhere else.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

import msgspec

from faultloop.scenarios.subjects.installed import MARKER, Installed, folder_of, installed
from faultloop.scenarios.subjects.recipe import Recipe, Step, Tools, node_of, package_json, steps
from faultloop.scenarios.subjects.said import why

ELSEWHERE = frozenset(
    {"PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "VIRTUAL_ENV", "CONDA_PREFIX", "NODE_OPTIONS"}
    | {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_PYTHON", "PIP_REQUIRE_VIRTUALENV"}
    | {"UV_TARGET", "UV_PREFIX", "UV_SYSTEM_PYTHON", "UV_PROJECT_ENVIRONMENT"}
    | {"NPM_CONFIG_GLOBAL", "NPM_CONFIG_LOCATION", "NPM_CONFIG_PREFIX", "NPM_CONFIG_IGNORE_SCRIPTS"}
)
"""Variables that would make the tools install somewhere else, or not all (in capitals)."""

PIP_FOR_OTHERS = (22, 3)
"""From this version on pip knows `--python`."""

LIST_PACKAGES = """
import importlib.metadata, json
print(json.dumps({d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}))
"""


class CannotInstall(Exception):
    """A subject cannot be installed here. The text is a sentence with the reason."""


def tools() -> Tools:
    """What this machine has to install with."""
    lib = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    return Tools(sys.executable, lib, shutil.which("uv"), _has_pip(), shutil.which("npm"))


def _has_pip() -> bool:
    try:
        major, minor = importlib.metadata.version("pip").split(".")[:2]
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return False
    return (int(major), int(minor)) >= PIP_FOR_OTHERS


def log_of(env: Path) -> Path:
    """The full output of the last installation into a folder."""
    return env.with_name(f"{env.name}.log")


def install(
    recipe: Recipe, *, again: bool = False, told: Callable[[str], object] = lambda doing: None
) -> Installed:
    """Install what a recipe says, unless it is there (`again`: even then), and return its marker.

    `told` hears what is being done. A second installation of the same waits for the first. Raises
    CannotInstall; on KeyboardInterrupt, too, nothing half-made is left.
    """
    env = folder_of(recipe)
    with _one_at_a_time(env, told):
        if not again and (there := installed(recipe)):
            return there
        try:
            _empty(env)
            return _made(recipe, env, told)
        except OSError as error:
            _remove(env)
            what = error.filename or env
            raise CannotInstall(
                f"{recipe.title} cannot be installed: {what}: {error.strerror}"
            ) from None
        except BaseException:
            _remove(env)
            raise


def remove(recipe: Recipe) -> int:
    """Remove an installation, and say how many bytes that gave back. Raises CannotInstall."""
    env = folder_of(recipe)
    if not env.exists():
        return 0
    with _one_at_a_time(env, lambda doing: None):
        size = _size_bytes(env)
        try:
            _empty(env)
            env.rmdir()
            log_of(env).unlink(missing_ok=True)
        except OSError as error:
            raise CannotInstall(f"{env} cannot be removed: {error.strerror}") from None
    return size


@contextmanager
def _one_at_a_time(env: Path, told: Callable[[str], object]) -> Iterator[None]:
    try:
        env.parent.mkdir(parents=True, exist_ok=True)
        lock = env.with_name(f"{env.name}.lock").open("ab")
    except OSError as error:
        raise CannotInstall(f"{env.parent} cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            told("waiting for another installation of it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _empty(env: Path) -> None:
    """The marker goes first: what is left of a removal that fails is not taken for whole."""
    (env / MARKER).unlink(missing_ok=True)
    if env.exists():
        shutil.rmtree(env)
    env.mkdir(parents=True)


def _remove(env: Path) -> None:
    with contextlib.suppress(OSError):
        (env / MARKER).unlink(missing_ok=True)
    shutil.rmtree(env, ignore_errors=True)


def _made(recipe: Recipe, env: Path, told: Callable[[str], object]) -> Installed:
    have = tools()
    if recipe.npm and not recipe.node and have.npm is None:
        raise CannotInstall(f"{recipe.title} is installed by npm, which is not here: get Node.js")
    began = time.monotonic()
    if recipe.npm:
        (env / "package.json").write_bytes(package_json(recipe))
    with log_of(env).open("wb") as log:
        for step in steps(recipe, env, have):
            told(step.doing)
            _run(recipe, step, env, log)
    told("looking at what is there")
    made = Installed(
        fingerprint=recipe.fingerprint(),
        name=recipe.name,
        version=recipe.version,
        node=str(Path(node).relative_to(env)) if (node := node_of(recipe, env, have.lib)) else "",
        python=_python_packages(env) if recipe.requirements else {},
        npm=_npm_packages(env) if recipe.npm else {},
        size_bytes=_size_bytes(env),
        seconds=round(time.monotonic() - began, 1),
    )
    unfinished = env / f"{MARKER}.new"
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1))
    unfinished.rename(env / MARKER)
    return made


def _run(recipe: Recipe, step: Step, env: Path, log: BinaryIO) -> None:
    """Run one command in a session of its own, so that all of it ends where we do."""
    log.write(f"$ {' '.join(step.argv)}\n".encode())
    log.flush()
    begins = log.tell()
    process = None
    try:
        with _interrupted_later():
            process = subprocess.Popen(
                step.argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=env,
                env=_environment(step),
                start_new_session=True,
            )
        code = process.wait()
    except OSError as error:
        _refuse(recipe, env, f"{step.argv[0]} cannot be started: {error.strerror}")
    except BaseException:
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    if code:
        said = log_of(env).read_bytes()[begins:].decode(errors="replace")
        _refuse(recipe, env, why(said) or f"{Path(step.argv[0]).name} ended with {code}")


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """An interrupt while a process is being born would leave it to nobody: it counts afterwards."""
    if threading.current_thread() is not threading.main_thread():  # no other is ever interrupted
        yield
        return
    heard: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: heard.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        raise KeyboardInterrupt


def _refuse(recipe: Recipe, env: Path, reason: str) -> NoReturn:
    raise CannotInstall(
        f"{recipe.title} cannot be installed: {reason} (all that was said: {log_of(env)})"
    )


def _environment(step: Step) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name.upper() not in ELSEWHERE}
    if step.first_in_path:
        kept["PATH"] = os.pathsep.join((step.first_in_path, kept.get("PATH", os.defpath)))
    return kept


def _python_packages(env: Path) -> dict[str, str]:
    listed = subprocess.run(
        [str(env / "bin" / "python"), "-I", "-c", LIST_PACKAGES], capture_output=True, check=False
    )
    try:
        return msgspec.json.decode(listed.stdout, type=dict[str, str])
    except msgspec.MsgspecError:
        raise CannotInstall(
            f"the Python of {env} does not start: {listed.stderr.decode(errors='replace').strip()}"
        ) from None


class _Package(msgspec.Struct):
    version: str = ""


class _Lockfile(msgspec.Struct):
    packages: dict[str, _Package] = {}


def _npm_packages(env: Path) -> dict[str, str]:
    """By their folders below node_modules; one may be there in several versions."""
    file = env / "node_modules" / ".package-lock.json"
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_Lockfile).packages
    except msgspec.MsgspecError:
        raise CannotInstall(f"{file} is none that npm writes") from None
    return {path.removeprefix("node_modules/"): one.version for path, one in found.items()}


def _size_bytes(env: Path) -> int:
    """What its files hold; one that has several names counts once."""
    sizes: dict[tuple[int, int], int] = {}
    for folder, _, names in os.walk(env):
        for name in names:
            with contextlib.suppress(OSError):
                status = (Path(folder) / name).lstat()
                sizes[status.st_dev, status.st_ino] = status.st_size
    return sum(sizes.values())
