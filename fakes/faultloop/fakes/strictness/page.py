"""The rules as a page: what each API says, and where that is known from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.anthropic_messages_complaints import COMPLAINTS as MESSAGES
from faultloop.fakes.dialects.gemini_complaints import COMPLAINTS as GEMINI
from faultloop.fakes.dialects.openai_chat_complaints import COMPLAINTS as CHAT
from faultloop.fakes.dialects.openai_responses_complaints import COMPLAINTS as RESPONSES
from faultloop.fakes.strictness import RULES
from faultloop.fakes.strictness.models import WINDOWS
from faultloop.fakes.strictness.rule import Row

PAGE = "strictness.md"

LAW = """\
# What the fake provider rejects

<!-- Made by `make strictness`; a test holds it to the rules. -->

Each rule with each API that keeps it: the status, the API's own sentence, where it points, its
code, and where that is known from. An API that is not in a rule's table is not known to keep it, or
cannot be told otherwise. For each row a test plays a request that breaks the rule, which gets just
this answer, and its right neighbour, which is replied to (`tests/fakes/strictness_cases.py`).

How strict it is can be chosen: in a scenario

```yaml
strictness: {level: real, off: [unpaired_calls], context_tokens: 8000}
```

and on a command line as `lenient`, `real,-unpaired_calls` or `context=8000`.

- `real` (the default): as the providers themselves.
- `strict`: and as others reject who speak the same dialect; such rows say so.
- `lenient`: as servers on one's own machine (vLLM, llama.cpp, Ollama), which answer what providers
  reject (gpustack/gpustack #6210 put the same four damaged conversations to one of each kind).
  Only the rules stay that such servers were seen to keep as well.
- `off`: single rules that are left out.
- `context_tokens`: the model's context window, whatever its name.

"""

SHAPES = """\
## Shapes

What cannot be read is rejected by the dialect itself, at any level: wrong types, missing and
unknown fields, names of tools and their number, empty content. Where no source is given, the
comments in the table's file say what the sentences rest on.

"""

_SHAPES: Mapping[str, Mapping[str, object]] = {
    "openai_chat": CHAT,
    "openai_responses": RESPONSES,
    "anthropic_messages": MESSAGES,
    "gemini": GEMINI,
}


def document() -> str:
    """docs/strictness.md."""
    return "\n".join((LAW + "## Rules", "", *_rules(), *_windows(), SHAPES, *_shapes()))


def _rules() -> Iterator[str]:
    for name, rule in RULES.items():
        yield from (f"### {name}", "", rule.law, "")
        if rule.local:
            yield from (f"Kept by local servers too, so `lenient` has it: {rule.local}.", "")
        yield from ("| API | answer | points at, code | source |", "| --- | --- | --- | --- |")
        for dialect in DIALECTS:
            if dialect in rule.rows:
                yield _row(dialect, rule.rows[dialect])
        yield ""


def _row(dialect: str, row: Row) -> str:
    where = ", ".join(f"`{part}`" for part in (row.param, row.code) if part)
    api = f"{dialect}, `strict` only" if row.by_others else dialect
    return f"| {api} | {row.status}: {_cell(row.sentence)} | {where} | {_cell(row.source)} |"


def _windows() -> Iterator[str]:
    yield from ("## Context windows", "", "By the beginning of a model's name; others have none.")
    yield from ("", "| model | tokens | source |", "| --- | ---: | --- |")
    for model, (tokens, source) in WINDOWS.items():
        yield f"| `{model}` | {tokens:,} | {source} |"
    yield ""


def _shapes() -> Iterator[str]:
    for dialect, complaints in _SHAPES.items():
        yield from (f"### Shapes of {dialect}", "", "| answer | source |", "| --- | --- |")
        for complaint in complaints.values():
            status = getattr(complaint, "status", 400)
            sentence = _cell(str(getattr(complaint, "sentence", "")))
            yield f"| {status}: {sentence} | {_cell(str(getattr(complaint, 'source', '')))} |"
        yield ""


def _cell(text: str) -> str:
    """Text inside a table: a bar would end the cell, a line the row, a bracket begin a tag."""
    escaped = text.replace("|", "\\|").replace("\n", " ")
    return escaped.replace("<", "&lt;").replace("*", "\\*")
