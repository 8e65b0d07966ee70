"""The pairs as a table for the terminal and as the page docs/regressions.md."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from faultloop.bench.regressions_command.reading import Regression
from faultloop.bench.regressions_command.side import Agreement, Pair, Side
from faultloop.scenarios.verdict import Verdict

PAGE = Path("docs") / "regressions.md"
"""From the root of a checkout, where `make` runs."""

STYLES = {Agreement.AS_EXPECTED: "green", Agreement.DIFFERS: "red", Agreement.CANNOT_TELL: "yellow"}

_HEAD = """\
# Known bugs, shown by the bench

<!-- Made by `make regressions`. -->

Each line names a scenario and a check. The check has to be broken on the version that has the bug,
and held on the first one that has not; where there is none yet, the bug is open and the affected
version is the current release. What begins with `found` was found here; its link, if it has one,
leads to what bears on it in public, which need not be a report of it. Both versions of a pair are
played through the same driver. `by account` says that all rests on what that driver tells of how
the run ended; of an open bug another driver might tell something else.
`faultloop subjects install NAME@VERSION` installs a version, `faultloop regressions ID` plays one
line.

"""


def table(pairs: Sequence[Pair]) -> Table:
    """The bug, both verdicts, and whether they are as expected."""
    made = Table(box=None, header_style="bold")
    for head in ("regression", "affected", "fixed", ""):
        made.add_column(head, overflow="fold")
    for pair in pairs:
        cells = [f"{side.version} {_word(side.seen)}" for side in pair.sides]
        agreement = pair.agreement
        said = f"[{STYLES[agreement]}]{agreement}[/]"
        bug = Text.assemble(pair.regression.id, "\n", (pair.regression.about, "dim"))
        made.add_row(bug, cells[0], cells[1] if len(cells) > 1 else "open", said)
    return made


def listed(one: Regression) -> str:
    """A regression in three lines: its id and versions, what goes wrong, and where it is told."""
    until = f"fixed in {one.fixed}" if one.fixed else "open"
    told = f"\n    {one.source}" if one.source else ""
    return f"{one.id}: {one.subject} {one.affected}, {until}\n    {one.about}{told}"


def details(pairs: Sequence[Pair]) -> Iterator[str]:
    """Of each pair where it is told, and of each side what was seen and how to see it again."""
    for pair in pairs:
        one = pair.regression
        yield f"\n{one.id}: {one.scenario}, {one.check}{f', {one.source}' if one.source else ''}"
        for side in pair.sides:
            yield _sentence(pair, side)
            yield f"    {side.replay}"
    yield ""


def reasons(pairs: Sequence[Pair]) -> Iterator[str]:
    """A sentence for each side that is not as expected, and for each subject that is missing."""
    for pair in pairs:
        for side in pair.sides:
            if side.agreement is not Agreement.AS_EXPECTED and not side.to_install:
                yield _sentence(pair, side)
    yield from missing(pairs)


def missing(pairs: Sequence[Pair]) -> Iterator[str]:
    """A sentence for each subject of which versions are not installed, with what to run."""
    subjects: dict[str, list[Pair]] = {}
    for pair in pairs:
        if any(side.to_install for side in pair.sides):
            subjects.setdefault(pair.regression.subject, []).append(pair)
    for subject, of_it in subjects.items():
        sides = [side for pair in of_it for side in pair.sides if side.to_install]
        names = dict.fromkeys(side.to_install for side in sides)
        versions = ", ".join(dict.fromkeys(side.version for side in sides))
        many = f"{len(of_it)} regression{'' if len(of_it) == 1 else 's'}"
        command = shlex.join(("faultloop", "subjects", "install", *names))
        yield f"{subject} {versions}: not installed ({many}): run `{command}`"


def _sentence(pair: Pair, side: Side) -> str:
    is_expected = side.agreement is Agreement.AS_EXPECTED
    expected = "" if is_expected else f" in place of {_word(side.expected)}"
    return f"{pair.regression.id}, {side.version}: {_word(side.seen)}{expected}: {side.why}"


def document(pairs: Sequence[Pair]) -> str:
    """The page."""
    lines = [
        "| bug | what goes wrong | subject | check | affected | fixed |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for pair in pairs:
        one = pair.regression
        name = f"[{one.id}]({one.source})" if one.source else one.id
        cells = [name, one.about, one.subject, f"`{one.check}`"]
        cells += [_cell(side) for side in pair.sides]
        cells += ["open"] if len(pair.sides) == 1 else []
        lines.append(f"| {' | '.join(_plain(cell) for cell in cells)} |")
    lines += ["", "## What was seen, and how to see it again", ""]
    for pair in pairs:
        lines += [f"### {pair.regression.id}", ""]
        for side in pair.sides:
            lines += [f"{side.version}, {_word(side.seen)}: {_plain(side.why)}", ""]
            lines += ["```sh", _from_root(side.replay), "```", ""]
    return _HEAD + "\n".join(lines)


def _word(verdict: Verdict) -> str:
    return verdict.replace("_", " ")


def _cell(side: Side) -> str:
    plays = f" ({side.plays} plays)" if side.plays > 1 else ""
    account = ", by account" if side.by_account else ""
    return f"{side.version}: {_word(side.seen)}{account}{plays}"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _from_root(command: str) -> str:
    """Paths as they are in every checkout."""
    return command.replace(f"{Path.cwd()}/", "")
