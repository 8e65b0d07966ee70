"""The table of the shipped subjects, made from their declarations: docs/subjects.md.

What a subject can do is said once, in its subject.toml; people read it here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.finding import shipped
from faultloop.scenarios.subjects.process import ProcessSubject

FORMS = {True: "streamed", False: "whole"}
RESUMES = {
    "none": "not at all",
    "rerun": "from the beginning",
    "session": "with a further message",
    "continue": "where it was",
}
"""What starts it again after a kill, in words; docs/subject-contract.md has them in full."""
TOOLS = {"http": "HTTP", "mcp_http": "MCP over HTTP", "mcp_stdio": "MCP over stdio"}
CANCELS = {
    "none": "not at all",
    "sigint": "SIGINT",
    "sigint_group": "SIGINT to its group",
    "control": "a word on stdin",
}
COLUMNS = (
    "subject",
    "version",
    "API",
    "forms",
    "goes on",
    "tools",
    "cancelled by",
    "from",
    "licence",
)

_HEAD = """\
# The shipped subjects

<!-- Made by `python -m faultloop.bench.subjects_command.page`; a test holds it to the subjects. -->

What `--subject` knows by name, beside the reference loop and its presets. Each is a folder of
`bench/faultloop/bench/subjects` with its declaration, its driver, and a README that says what
resuming, cancelling and its end reasons mean there.

- *forms*: in which it asks its provider; each is a column of its own.
- *goes on*: how it is started again after a kill.
- *tools*: how it gets at the world's; *its own shell* runs the commands itself.
- *from*: `faultloop subjects install NAME`, or `NAME@VERSION` for another version, puts these, and
  what else its declaration pins, into a folder of its own in your cache. The others need nothing,
  or say what they need.
- *licence*: as the publisher names it, where the declaration says it; what is proprietary is
  installed only where it is named.
- **2**: a second driver of another style reads how its runs end.

"""


def document() -> str:
    """docs/subjects.md."""
    rows = [_row(COLUMNS), _row("---" for _ in COLUMNS)]
    rows += [_row(_cells(one)) for one in declarations()]
    return _HEAD + "\n".join(rows) + "\n"


def declarations() -> list[Declaration]:
    """Of all shipped subjects that are processes, by name."""
    return [one.declaration for one in shipped() if isinstance(one, ProcessSubject)]


def _cells(one: Declaration) -> tuple[str, ...]:
    return (
        f"`{one.name}`" + (" **2**" if one.second_command else ""),
        one.version,
        ", ".join(one.dialect),
        ", ".join(FORMS[form] for form in one.streaming),
        RESUMES[one.resume],
        TOOLS[one.tools] + (", its own shell" if one.commands == "own" else ""),
        CANCELS[one.cancel],
        _packages(one) or "–",
        one.licence or "–",
    )


def _packages(one: Declaration) -> str:
    if one.install is None:
        return ""
    own = [spec for spec in (*one.install.python, *one.install.npm) if "{version}" in spec]
    named = [f"`{spec.replace('{version}', one.version)}`" for spec in own]
    return ", ".join([*named, *([f"Node.js {one.install.node}"] if one.install.node else [])])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.stdout.write(document())
