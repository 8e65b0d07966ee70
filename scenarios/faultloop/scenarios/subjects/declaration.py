"""subject.toml: what a subject's author declares, as a validated value (contract v1).

Only the shape is judged here; whether the declaration is true is the business of `conformance`.
A wrong declaration raises BadSubject with `path: field: sentence`; a requirement that this machine
lacks raises SubjectUnusable with what to install, so that the play is not applicable, not broken.
"""

from __future__ import annotations

import importlib.util
import shutil
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from faultloop.fakes.closing import TerminalTool
from faultloop.fakes.dialects import DIALECTS
from faultloop.scenarios.subject import BadSubject, Capabilities, Resume, SubjectUnusable
from faultloop.scenarios.subjects.environment import GIVEN
from faultloop.scenarios.subjects.installed import places_of
from faultloop.scenarios.subjects.naming import MetaToolTable, NamingTable, OwnToolTable
from faultloop.scenarios.subjects.places import Places, file_beside
from faultloop.scenarios.subjects.recipe import Install, Recipe, is_version

FILE_NAME = "subject.toml"


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Need(_Table):
    """Something that must be installed before the subject can run at all."""

    command: str | None = None
    """A program on PATH; or"""
    module: str | None = None
    """a module of the bench's own Python (`{python}`)."""
    hint: Annotated[str, Field(min_length=1)]
    """What to install, as a sentence."""

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        if (self.command is None) == (self.module is None):
            raise ValueError("name either a command or a module")
        _refuse_nul(self.command or self.module or "")
        return self

    def is_met(self) -> bool:
        """Whether this machine has it."""
        if self.command is not None:
            return shutil.which(self.command) is not None
        try:
            return importlib.util.find_spec(self.module or "") is not None
        except (ImportError, ValueError):  # the package above it is missing
            return False


class Declaration(_Table):
    """The keys of subject.toml."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
    """Chosen by `--subject`, shown in reports."""
    version: Annotated[str, Field(min_length=1)]
    """Pinned version of what is tested; free text, but exactly one version with `[install]`."""
    about: str = ""
    """One line for lists of subjects."""
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """argv, with the placeholders of `places`; a word with a slash or the name of a file beside
    subject.toml is taken relative to that folder."""
    second_command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """A second driver of another style: what only one of two sees of a loop may be the driver's."""
    licence: str = ""
    """As its publisher names it; `proprietary`: installed only where it is named, never by glob."""
    resume: Resume = "none"
    dialect: Annotated[tuple[str, ...], Field(min_length=1)] = ("openai_chat",)
    """It is played once in each; a start is told which in FAULTLOOP_DIALECT."""
    streaming: Annotated[tuple[bool, ...], Field(min_length=1)] = (False, True)
    tools: Literal["http", "mcp_http", "mcp_stdio"] = "http"
    """From which of the three ways to the world it takes its tools; for people to read."""
    commands: Literal["world", "own"] = "world"
    """`own`: it runs the command line of `run_command` itself, in a shell with the given PATH."""
    naming: NamingTable | None = None
    """How its model knows the tools of the world, where that is not by their own names."""
    pairing: Literal["native", "text"] = "native"
    terminal_tool: str = ""
    """`NAME(ARGUMENT)`: the tool of its own by which alone its turns end."""
    mode: Literal["cold", "zygote"] = "cold"
    cancel: Literal["sigint", "sigint_group", "control", "none"] = "sigint"
    control: Literal["none", "stdin"] = "none"
    goals: Annotated[bool, Field(strict=True)] = False
    """Whether it pursues a goal by itself where FAULTLOOP_GOAL_ROUNDS says so."""
    keys: Annotated[bool, Field(strict=True)] = False
    """Whether it sends an idempotency key with each call of a tool."""
    timeout_s: Annotated[float, Field(gt=0, le=3600)] | None = None
    """How long one start may take; left out, the scenario's deadline counts."""
    needs: tuple[Need, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)
    """Additions to the cleaned environment, with the placeholders of `places`."""
    install: Install | None = None
    """What it is installed from, into a folder of its own; left out: it is there already."""

    @field_validator("terminal_tool", mode="after")
    @classmethod
    def _is_a_terminal_tool(cls, spelt: str) -> str:
        if spelt:
            TerminalTool.of(spelt)
        return spelt

    @field_validator("dialect", mode="after")
    @classmethod
    def _are_dialects(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in DIALECTS:
                raise ValueError(f"{name!r} is no dialect; there are {', '.join(DIALECTS)}")
        if len({*names}) < len(names):
            raise ValueError("each dialect is named once; a column is played for each")
        return names

    @field_validator("command", "second_command", mode="after")
    @classmethod
    def _is_an_argv(cls, words: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if words is not None and not words[0]:
            raise ValueError("its first word is the program, and that is empty")
        for word in words or ():
            _refuse_nul(word)
        return words

    @field_validator("environment", mode="after")
    @classmethod
    def _is_an_environment(cls, variables: dict[str, str]) -> dict[str, str]:
        for name, value in variables.items():
            if not name or "=" in name:
                raise ValueError(f"{name!r} is no name of a variable: none is empty or has a '='")
            _refuse_nul(name)
            _refuse_nul(value)
            if name in GIVEN or name.startswith("FAULTLOOP_"):
                raise ValueError(f"{name} is given by the bench (contract v1); leave it out")
            if name == "PATH" and not value:
                raise ValueError("an empty PATH finds no program at all; leave it out")
        return variables

    @model_validator(mode="after")
    def _can_be_cancelled_as_it_says(self) -> Self:
        if self.cancel == "control" and self.control == "none":
            raise ValueError('cancel = "control" needs control = "stdin"')
        return self

    @model_validator(mode="after")
    def _says_exactly_what_is_installed(self) -> Self:
        if self.install is not None and not is_version(self.version):
            raise ValueError(
                f"version: with [install] it is what is installed, so {self.version!r} has to be"
                ' exactly one version, as in "1.4.2"'
            )
        texts = (*self.command, *(self.second_command or ()), *self.environment.values())
        if self.install is None and any("{env}" in text for text in texts):
            raise ValueError("{env} is the folder of an installation, and there is no [install]")
        return self

    @model_validator(mode="after")
    def _runs_the_commands_it_is_given(self) -> Self:
        if self.commands == "own" and "PATH" in self.environment:
            raise ValueError('with commands = "own" the bench gives the PATH; leave it out')
        if self.commands == "world" and self.naming and self.naming.run_command:
            raise ValueError('a shell of its own ([naming.run_command]) needs commands = "own"')
        return self

    @property
    def is_proprietary(self) -> bool:
        """Whether only its user's own word installs it."""
        return self.licence.lower() == "proprietary"

    def recipe(self) -> Recipe | None:
        """What is installed for this version; None: nothing has to be."""
        return self.install.recipe(self.name, self.version) if self.install else None

    def capabilities(self) -> Capabilities:
        """What scenarios' requirements are compared with."""
        return Capabilities(
            tier="real",
            dialects=self.dialect,
            streaming=self.streaming,
            resume=self.resume,
            commands=self.commands,
            pairing=self.pairing,
            naming=self.naming.naming() if self.naming else None,
            terminal_tool=TerminalTool.of(self.terminal_tool) if self.terminal_tool else None,
            cancel=self.cancel,
            control=self.control,
            goals=self.goals,
            keys=self.keys,
            timeout_s=self.timeout_s,
        )


def _refuse_nul(text: str) -> None:
    """The system's calls end every text at the first NUL."""
    if "\0" in text:
        raise ValueError(f"{text!r} holds a NUL character, which no process can be given")


TABLES: dict[tuple[str, ...], type[BaseModel]] = {
    ("install",): Install,
    ("naming",): NamingTable,
    ("naming", "run_command"): OwnToolTable,
    ("naming", "through"): MetaToolTable,
    ("needs",): Need,
}
"""The tables within a subject.toml, by their place."""


def read_declaration(path: Path) -> Declaration:
    """Read a subject.toml, given itself or its folder.

    Raises BadSubject with `path: field: sentence`.
    """
    file = path / FILE_NAME if path.is_dir() else path
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSubject(f"{file}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSubject(f"{file}: not TOML: {error}") from error
    except ValueError:  # the only other one that there is
        raise BadSubject(f"{file}: a number in it has too many digits to be read") from None
    except RecursionError:
        raise BadSubject(f"{file}: it is nested too deeply for a subject.toml") from None
    try:
        return Declaration.model_validate(table)
    except ValidationError as error:
        raise BadSubject("\n".join(_sentence(file, one) for one in error.errors())) from error


def _sentence(file: Path, error: ErrorDetails) -> str:
    field = ".".join(str(part) for part in error["loc"]) or "the whole"
    match error["type"]:
        case "missing":
            said = "this key is missing"
        case "extra_forbidden":
            above = tuple(part for part in error["loc"][:-1] if isinstance(part, str))
            known = ", ".join(_keys(TABLES.get(above, Declaration)))
            said = f"there is no such key; known are {known}"
        case "value_error":
            said = error["msg"].removeprefix("Value error, ")
        case _:
            said = f"{error['input']!r} will not do: {error['msg'][:1].lower()}{error['msg'][1:]}"
    return f"{file}: {field}: {said}"


def _keys(table: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in table.model_fields.items()]


def places(declaration: Declaration, here: Path, *, asked: str) -> Places:
    """Where its files and programs are.

    `asked` is what its user types to name it. Raises SubjectUnusable where it is not installed, or
    a declared need is not met.
    """
    for need in declaration.needs:
        if not need.is_met():
            what = need.command or need.module
            raise SubjectUnusable(f"{declaration.name} needs {what!r}: {need.hint}")
    recipe = declaration.recipe()
    return places_of(recipe, here, asked=asked) if recipe else Places(here=here)


def command_line(declaration: Declaration, there: Places) -> tuple[str, ...]:
    """The declared argv with its placeholders and relative paths filled in.

    Raises BadSubject where the program does not exist although all that is needed is there.
    """
    here = there.here
    words = tuple(_resolved(there.filled(word), here) for word in declaration.command)
    if shutil.which(words[0]) is None:
        raise BadSubject(
            f"{here / FILE_NAME}: command: {words[0]!r} is neither on PATH nor an executable file"
            f" in {here}"
        )
    return words


def _resolved(word: str, here: Path) -> str:
    beside = file_beside(word, here)
    return word if beside is None else str(beside)


def schema() -> dict[str, Any]:
    """JSON Schema of subject.toml, for editors."""
    return Declaration.model_json_schema()
