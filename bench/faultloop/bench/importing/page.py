"""`docs/bfcl.md`: what was converted, and where our scores and BFCL's own verdicts differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faultloop.scenarios.wordings.bfcl.comparing import Compared, Disagreement, kinds_of
from faultloop.scenarios.wordings.bfcl.importing import Imported

SHOWN_CHARS_MAX = 160


class Found(NamedTuple):
    """All that the page tells."""

    version: str
    converted: Sequence[Imported]
    compared: Compared
    seed: int


INTRODUCTION = """\
# Tasks of the Berkeley Function Calling Leaderboard

<!-- Made by `faultloop import bfcl --check --page docs/bfcl.md`. -->

```sh
pip install --no-deps bfcl-eval
faultloop import bfcl --out bfcl            # bfcl/live_multiple.yaml, bfcl/live_multiple.jsonl, ...
faultloop import bfcl --check               # our scores beside its own checker's
```

BFCL is the work of Huanzhi Mao, Shishir Patil and others at UC Berkeley
(<https://github.com/ShishirPatil/gorilla>), under Apache-2.0. Nothing of it is part of faultloop
but the few values that this page quotes. Its package is read, never imported; its checker runs in a
process of its own, and only under `--check`.

How it is converted:

- A category becomes one wording with all its distinct functions, and one file of tasks, each of
  which names the tools that it offers. Tasks with the same set of tools share a cluster.
- Names get the form that an API takes: `spotify.play` is `spotify_play`. A second function of the
  same name has `__2` behind it.
- Types become JSON Schema's: `dict` is `object`, `float` is `number`, `tuple` is `array`, `any` is
  no type. In the rows of Java and JavaScript a text is admitted beside each type, since an
  expression or a variable may stand there. A default of null admits null.
- Acceptable values become `one_of`; texts are compared as `words`: case, spaces and signs between
  words say nothing, digits, decimal points and signs of numbers do. The empty text among them
  becomes `may_have`. An acceptable value that the function's own schema refuses is dropped where
  there is another.
- `irrelevance` expects no call; `live_relevance` expects one call of any tool that is offered,
  whatever its arguments. Its own rule there is whether any call came at all, so these three are not
  compared below: they differ where several calls come, and where an endpoint's reply is empty,
  which is no call to it and a failure (`empty`) to us.
"""


def markdown(found: Found) -> str:
    """The page."""
    return "\n".join([INTRODUCTION, *_sections(found)]) + "\n"


def _sections(found: Found) -> Iterator[str]:
    yield f"## What is in it (bfcl-eval {found.version or 'of an unknown version'})\n"
    yield from _table(
        ("category", "rows", "tasks", "left out", "tools", "tool sets"),
        [
            (one.category, len(one.rows), len(one.tasks), len(one.left_out),
             len(one.wording.contracts), one.clusters)
            for one in found.converted
        ],
    )  # fmt: skip
    yield "\n## Rows that are left out\n"
    yield "No model could be right in them, because the answer contradicts the function.\n"
    for one in found.converted:
        for row in one.left_out:
            yield f"- `{row.id}`: {row.says}"
    yield "\n## Rows whose own answer fails BFCL's own checker\n"
    yield "With the first acceptable values, with or without what may be left out.\n"
    for failing in found.compared.fails_itself:
        yield f"- `{failing.row.id}`: {failing.verdict.says}"
    yield from _verdicts(found)


def _verdicts(found: Found) -> Iterator[str]:
    compared = found.compared
    agree = len(compared.tried) - len(compared.disagreements)
    unexplained = sum(one.reason is None for one in compared.disagreements)
    yield "\n## Verdicts beside each other\n"
    yield (
        f"Each task's own answer and changed ones (seed {found.seed}): {len(compared.tried):,}"
        f" answers, on {agree:,} of which both verdicts agree. Of the"
        f" {len(compared.disagreements):,} others {unexplained} are unexplained.\n"
    )
    rows: list[tuple[str, int, int, int, int]] = []
    for kind in kinds_of(compared):
        tried = [one for one in compared.tried if one.kind == kind]
        same = [one for one in tried if one.agrees]
        right = sum(one.ours.right for one in same)
        rows.append((kind, len(tried), right, len(same) - right, len(tried) - len(same)))
    yield from _table(("answer", "answers", "both right", "both wrong", "differ"), rows)
    yield "\n## Why they differ\n"
    yield (
        "A reason counts only where it was put to the test: the answer is rewritten so that what"
        " the reason speaks of is gone, and then both call it right. Only of a row that fails its"
        " own checker nothing can be shown.\n"
    )
    for reason, cases in compared.by_reason:
        name = reason.name if reason else "unexplained"
        said = f" {reason.says}" if reason else ""
        yield f"- **{name}** ({len(cases):,}).{said} {_example(cases[0])}"


def _example(case: Disagreement) -> str:
    tried = case.tried
    calls = ", ".join(
        f"{call.name}({json.dumps(call.args, ensure_ascii=False)})" for call in tried.asked.calls
    )
    short = calls if len(calls) <= SHOWN_CHARS_MAX else calls[: SHOWN_CHARS_MAX - 3] + "..."
    ours = "right" if tried.ours.right else "wrong"
    return (
        f"In `{tried.asked.row.id}` ({tried.kind}) this is {ours} to us, and not to it: `{short}`"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        cells = [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row]
        yield "| " + " | ".join(cells) + " |"
