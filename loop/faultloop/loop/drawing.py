"""The tables, drawn: Mermaid for the phases of a session, Markdown for the ends of a turn.

Documentation is made from the tables that the loop runs on, so that it cannot be wrong.
"""

from __future__ import annotations

import sys

from faultloop.loop.between import ENDS
from faultloop.loop.state import ALWAYS, CALL_STAGES, TRANSITIONS


def phases() -> str:
    """The transitions between phases as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    [*] --> idle"]
    for phase, row in TRANSITIONS.items():
        stays = [kind.__name__ for kind, follows in row.items() if follows == phase]
        lines.append(f"    {phase} --> {phase}: {', '.join(stays)}")
        for kind, follows in row.items():
            if follows != phase:
                lines.append(f"    {phase} --> {follows}: {kind.__name__}")
    return "\n".join(lines) + "\n"


def always() -> str:
    """The events that may happen in every phase, which they do not change."""
    return ", ".join(sorted(f"`{kind.__name__}`" for kind in ALWAYS))


def call_stages() -> str:
    """The life of one call as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    [*] --> queued"]
    for kind, (wanted, left) in CALL_STAGES.items():
        lines.append(f"    {wanted} --> {left}: {kind.__name__}")
    return "\n".join(lines) + "\n"


def ends() -> str:
    """The reasons for which a turn ends, in the order in which they are asked, as Markdown."""
    rows = (f"| {number} | {end.says} | `{end.reason}` |" for number, end in enumerate(ENDS, 1))
    return (
        "\n".join(("| | the turn ends, because ... | end_reason |", "| - | - | - |", *rows)) + "\n"
    )


def document() -> str:
    """The page docs/reference-loop.md."""
    return "\n".join(
        (
            "# The reference loop, from its tables",
            "",
            "<!-- Made by `python -m faultloop.loop.drawing`; a test holds it to the tables. -->",
            "",
            "A session is always in one of four phases. An event that is not drawn is illegal, but",
            f"for those that may happen in every phase and change none: {always()}.",
            "",
            "```mermaid",
            phases() + "```",
            "",
            "The life of one call of the current step:",
            "",
            "```mermaid",
            call_stages() + "```",
            "",
            "Whenever a turn stands between two steps, this table is read from the top; the first",
            "line that holds ends the turn, and if none does it goes on. Before it is asked, a",
            "hook that rejects the step ends the turn as `blocked`, and one that fails ends it as",
            "`error`; a turn whose process vanished is ended by recovery as `interrupted`.",
            "",
            ends(),
        )
    )


if __name__ == "__main__":
    sys.stdout.write(document())
