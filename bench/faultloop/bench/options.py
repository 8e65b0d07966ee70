"""The options of `pytest bench`, which live in one namespace with those of everybody's plugins.

Each has a name of its own (`--faultloop-seed`), which always works, and a short one (`--seed`, the
word that `faultloop run` uses), which it gets only where no other plugin and no conftest of the
project has taken it. Whoever comes first keeps an option, so the short names are asked for last:
after the conftests were read, before the command line is.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Generator
from typing import Any, NamedTuple, NoReturn

import pytest

from faultloop.bench.wanted import DEFAULT_SEED, DEFAULT_SUBJECTS, Selection

DEFAULT_REPORT = "faultloop-report"
DEFAULT_ACCURACY = "faultloop-accuracy"
OWN = "--faultloop-"


class Option(NamedTuple):
    """One option under its short name."""

    name: str
    what: dict[str, Any]
    """As argparse wants it."""

    @property
    def own_name(self) -> str:
        """The name that nobody else has."""
        return OWN + self.name.removeprefix("--")

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return str(self.what.get("action", "")).startswith("store_")

    @property
    def dest(self) -> str:
        """Where its value is kept, under whichever name it was given."""
        return f"faultloop_{self.name.removeprefix('--').removeprefix('no-').replace('-', '_')}"


OPTIONS = (
    Option(
        "--subject",
        {
            "action": "append",
            "metavar": "NAME_OR_FILE",
            "help": "agent loop to play: a shipped name, mutant:NAME or a subject.toml "
            f"(repeatable; default: {', '.join(DEFAULT_SUBJECTS)})",
        },
    ),
    Option(
        "--scenario",
        {
            "action": "append",
            "metavar": "GLOB",
            "help": "play only scenarios with such a name, or this scenario file (repeatable)",
        },
    ),
    Option("--dialect", {"action": "append", "metavar": "NAME", "help": "only this dialect"}),
    Option("--stream", {"action": "store_true", "default": None, "help": "streamed replies only"}),
    Option("--no-stream", {"action": "store_false", "default": None, "help": "whole replies only"}),
    Option(
        "--seed",
        {"type": int, "help": f"default: {DEFAULT_SEED}, and 0 of a comparison of wordings"},
    ),
    Option("--repeat", {"type": int, "help": "plays of each (default: 1, kills 5)"}),
    Option("--only-repeat", {"type": int, "metavar": "N", "help": "only the Nth of these, from 0"}),
    Option("--quick", {"action": "store_true", "help": "the classic faults, one column"}),
    Option(
        "--port",
        {
            "type": int,
            "default": 0,
            "help": "loopback port of the fake provider for real subjects (default: any free one)",
        },
    ),
    Option(
        "--report-dir",
        {
            "metavar": "DIR",
            "help": f"where the report goes (default: {DEFAULT_REPORT}, and {DEFAULT_ACCURACY} of a"
            " comparison of wordings)",
        },
    ),
    Option(
        "--wordings",
        {
            "action": "extend",
            "nargs": "+",
            "metavar": "WORDING",
            "help": "play nothing, and compare wordings as `faultloop compare` does: the base, and"
            " one candidate or more; files, REV:PATH or shipped names",
        },
    ),
    Option("--tasks", {"metavar": "TASKS", "help": "of a comparison: a file, a folder, or a set"}),
    Option("--model", {"metavar": "MODEL", "help": "of a comparison: embedded, or an endpoint"}),
    Option(
        "--metric",
        {
            "choices": ("right", "selection"),
            "default": "right",
            "help": "what a comparison is about (default: %(default)s)",
        },
    ),
    Option("--margin", {"type": float, "help": "so many points worse are still no worse"}),
    Option("--tools", {"type": int, "help": "offer so many tools at most (default: all)"}),
    Option("--orders", {"type": int, "help": "orders of the tools for each task (default: 1)"}),
    Option("--samples", {"type": int, "help": "askings of each question (default: 1)"}),
    Option(
        "--strict-decoding",
        {
            "choices": ("off", "preferred", "required"),
            "help": "`--strict` of `faultloop compare` (without it each tool decides)",
        },
    ),
    Option("--temperature", {"type": float, "help": "of a comparison's endpoint"}),
    Option("--sampling-seed", {"type": int, "help": "of its model (default: none is sent)"}),
    Option("--output-tokens", {"type": int, "help": "an answer is cut there"}),
    Option(
        "--answer-timeout",
        {"type": float, "metavar": "SECONDS", "help": "`--timeout` of `faultloop compare`"},
    ),
    Option("--key-variable", {"metavar": "NAME", "help": "environment variable with the key"}),
    Option("--max-requests", {"type": int, "help": "a comparison stops before this many"}),
    Option("--max-cost", {"type": float, "help": "or before this many US dollars"}),
    Option("--price-input", {"type": float, "help": "US dollars per million tokens"}),
    Option("--price-output", {"type": float, "help": "likewise"}),
    Option("--price-cached", {"type": float, "help": "likewise"}),
    Option("--concurrency", {"type": int, "help": "requests at a time"}),
    Option("--cache", {"metavar": "DIR", "help": "where a comparison keeps models' answers"}),
    Option("--fresh", {"action": "store_true", "help": "ask again what was answered"}),
    Option("--lock", {"metavar": "FILE", "help": "record a comparison for `wordings check`"}),
)

_taken = pytest.StashKey[tuple[Option, ...]]()


def register(parser: pytest.Parser) -> None:
    """Register the names that nobody else has."""
    for option in OPTIONS:
        _group(parser).addoption(option.own_name, dest=option.dest, **option.what)


def registering_short_names(
    config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None]:
    """Around the reading of the conftests: the short names that are free afterwards are ours."""
    # Until then pytest takes the value of `--subject FOLDER` for a folder of tests.
    config.known_args_namespace = parser.parse_known_args(
        _without_ours(args), namespace=copy.copy(config.option)
    )
    yield
    others = _names(parser)
    config.stash[_taken] = tuple(option for option in OPTIONS if option.name in others)
    for option in OPTIONS:
        if option.name not in others:
            what = {**option.what, "help": f"the same as {option.own_name}"}
            _group(parser).addoption(option.name, dest=option.dest, **what)


def told(config: pytest.Config) -> str:
    """Which short names are somebody else's here; empty where all are ours."""
    taken = config.stash.get(_taken, ())
    if not taken:
        return ""
    names = ", ".join(option.name for option in taken)
    ours = ", ".join(option.own_name for option in taken)
    return f"faultloop: {names} belong to another plugin or a conftest here; ours: {ours}"


def selection_of(config: pytest.Config) -> Selection:
    """The selection that the command line asks for."""
    given = config.option
    return Selection(
        subjects=tuple(given.faultloop_subject or DEFAULT_SUBJECTS),
        scenarios=tuple(given.faultloop_scenario or ("*",)),
        dialects=tuple(given.faultloop_dialect or ()),
        streaming=given.faultloop_stream,
        seed=DEFAULT_SEED if given.faultloop_seed is None else given.faultloop_seed,
        repeat=given.faultloop_repeat,
        only_repeat=given.faultloop_only_repeat,
        quick=given.faultloop_quick,
    )


def _group(parser: pytest.Parser) -> pytest.OptionGroup:
    return parser.getgroup("faultloop", "fault-injection bench for agent loops")


def _names(parser: pytest.Parser) -> set[str]:
    """All names that are taken. Asking is the only way: whether a second one of a name is refused
    at once, or when the command line is read, depends on pytest's version."""
    groups = (*parser._groups, parser._anonymous)
    return {name for group in groups for option in group.options for name in option.names()}


class _NotOurs(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _without_ours(args: list[str]) -> list[str]:
    """The command line without what might be our short options; all of it where it is wrong."""
    ours = _NotOurs(add_help=False, allow_abbrev=False)
    for option in OPTIONS:
        if option.is_flag:
            ours.add_argument(option.name, action="store_true")
        else:
            ours.add_argument(option.name, nargs=option.what.get("nargs"))
    try:
        return ours.parse_known_args(args)[1]
    except ValueError:
        return args
