"""Changes of one real file queue behind each other, under whatever names; others overlap."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from faultloop.bench.drills.kit.drill import Drill, Untested
from faultloop.bench.drills.kit.model import Ask, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import Session, play, toy
from faultloop.loop.tools.port import ToolContext

NAMES = {"it": "notes.txt", "a symlink to it": "link.txt", "a hard link to it": "hard.txt"}
"""What one file is called; `folder/../notes.txt` is another name of it."""

KNOBS: dict[str, Any] = {"whole_batch": "per_call", "repeat_guard": False}
"""Of one batch changes overlap but for their queue: no rule for the whole batch puts them into a
row before that, and the same edit once more is no repeat that a guard refuses."""


def run(kit: Kit) -> Iterator[str]:
    """Pairs of edits in one batch: of two files, and of one under two of its names."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "notes.txt").write_text("one")
        (root / "other.txt").write_text("two")
        (root / "link.txt").symlink_to("notes.txt")
        (root / "hard.txt").hardlink_to(root / "notes.txt")
        if not _overlap(kit, root, "notes.txt", "other.txt"):
            raise Untested("not even edits of two different files run side by side")
        for what, name in (
            *NAMES.items(),
            ("another path to it", "./../" + root.name + "/notes.txt"),
        ):
            if _overlap(kit, root, "notes.txt", name):
                yield f"two edits of one file ran at the same time, the second through {what}"


def _overlap(kit: Kit, root: Path, *names: str) -> bool:
    inside, most, order = [0], [0], list[str]()

    async def body(args: dict[str, Any], context: ToolContext) -> str:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        order.append(args["x"])
        await asyncio.sleep(1)
        inside[0] -= 1
        return "done"

    def resource(args: dict[str, Any]) -> str:
        found = (root / args["x"]).stat()
        return f"{found.st_dev}:{found.st_ino}"

    asks = [Ask("edit", f'{{"x":"{name}"}}') for name in names]
    session = Session(kit, call(*asks), say("ok"), **KNOBS)
    session.tools = (toy(kit, "edit", body, concurrency_safe=True, resource=resource),)
    play(partial(session.agent().prompt, "go"))
    if order != list(names):
        raise Untested(f"the edits of {names} began in the order {order}")
    return most[0] > 1


DRILL = Drill(
    name="changes-queue-up",
    claim="changes of one real resource queue behind each other, through links and other paths too",
    claims=("S5",),
    evidence="journal",
    run=run,
)
