"""Shims: the small shell scripts that stand for a world's commands in a subject's PATH.

`yard` explains what a shim does and why. It is POSIX sh, so that it starts in a millisecond
wherever a subject runs it from. One file stands for all command lines with the same first word.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from string import Template

from faultloop.fakes.world.commands import NOT_FOUND
from faultloop.fakes.world.spec import CommandSpec

BUILT_IN = frozenset(
    (
        *(":", ".", "[", "alias", "bg", "break", "case", "cd", "command", "continue", "echo"),
        *("eval", "exec", "exit", "export", "false", "fg", "getopts", "hash", "if", "jobs"),
        *("kill", "local", "printf", "pwd", "read", "readonly", "return", "set", "shift"),
        *("test", "times", "trap", "true", "type", "ulimit", "umask", "unalias", "unset"),
        *("until", "wait", "while"),
    )
)
"""What a shell does itself, so that no file in PATH could stand for it."""

INTERPRETERS = frozenset({"bash", "bun", "deno", "env", "node", "python", "python3", "sh", "uv"})
"""What subjects are started with: a shim of that name would stand in their own way."""

_SHIM = Template(
    """#!/bin/sh
# $name, a command of faultloop's fake world: faultloop/fakes/yard.py explains what it does.
set -f -- $name "$$@"
set -- $$*
line=$$*
case $$line in
$cases
*) code=$not_found output="sh: 1: $$line: not found
" ;;
esac
answers=$answers/$$$$
$mkfifo "$$answers" || exit 125
printf '%s\\n' "began $$$$ $start $$line" > $reports
exec 3< "$$answers"
read -r go <&3 || exit 125
printf '%s\\n' "done $$$$" > $reports
read -r go <&3 || exit 125
printf '%s' "$$output"
exit $$code
"""
)
_CASE = Template("$line) code=$code output=$output ;;")


def refuse_unfit(commands: Mapping[str, CommandSpec]) -> None:
    """Raise ValueError, the scenario being at fault, for a command that no file in PATH can be."""
    for name in _names(commands):
        if (why := _unfit(name)) is not None:
            raise ValueError(
                f"a subject cannot run the command {name!r} itself, because {why}: "
                "give it another name in the scenario's world"
            )


def write_shims(
    commands: Mapping[str, CommandSpec], *, start: int, folder: Path, reports: Path, answers: Path
) -> None:
    """Write a shim for each first word of the command lines, for one start of the subject.

    The start is written into the shims: a subject may clear the environment of its commands.
    """
    mkfifo = shutil.which("mkfifo") or "/usr/bin/mkfifo"
    for name in _names(commands):
        cases = [
            _CASE.substitute(
                line=shlex.quote(line),
                code=command.exit_code,
                output=shlex.quote(command.output),
            )
            for line, command in commands.items()
            if line.split(" ", 1)[0] == name
        ]
        shim = folder / name
        shim.write_text(
            _SHIM.substitute(
                name=shlex.quote(name),
                cases="\n".join(cases),
                start=start,
                not_found=NOT_FOUND,
                answers=shlex.quote(str(answers)),
                reports=shlex.quote(str(reports)),
                mkfifo=shlex.quote(mkfifo),
            )
        )
        shim.chmod(0o755)


def _names(commands: Mapping[str, CommandSpec]) -> list[str]:
    return list(dict.fromkeys(line.split(" ", 1)[0] for line in commands))


def _unfit(name: str) -> str | None:
    """Why no file in PATH can stand for this word."""
    if name in BUILT_IN:
        return "every shell does that without looking for a file"
    if name in INTERPRETERS:
        return "subjects are started with it"
    return "it is a path" if "/" in name else None
