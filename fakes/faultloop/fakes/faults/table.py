"""The table of all faults, made from `KINDS`: docs/faults.md.

Nothing is listed here that a fault's own file says: its sentence and its fields are read from
there, its layer is the protocol that it keeps, and which dialects can say it is found by having
each of them say it. `python -m faultloop.fakes.faults.table` prints the page; a test holds the
committed one to it.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import Dialect, Frame
from faultloop.fakes.dialects.showing import shows, shows_shape
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Fault, HttpFault, ModelFault, StreamFault
from faultloop.fakes.reply import Reply, ReplyCall, pieces

LAYERS: Mapping[str, str] = MappingProxyType(
    {
        "model": "What the model says. Strikes each time that its step is said, streamed or whole.",
        "http": "An HTTP error in place of the reply.",
        "stream": "The shape of a streamed reply. Kinds combine: each takes what the one before it "
        "in the scenario left.",
        "bytes": "How the bytes of a reply travel, below every dialect, streamed or whole. Over a "
        "real socket as told; in process modelled, as far as a body without packets and frame can "
        "show it, and the history says so.",
        "tool": "How an invocation of a tool goes.",
    }
)
"""Layer to what it is, in the order of the page."""

EXAMPLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "hallucinated_name": {"name": "open_file"},
        "glued_objects": {"second": {"path": "c.txt"}},
        "wrong_type": {"field": "path", "value": 1},
        "missing_field": {"field": "path"},
        "contradicting_finish": {"finish": "stop"},
        "schema_drift": {"parameter": "path"},
    }
)
"""What is filled in where a kind has no default."""

_READ = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')
_APPEND = ReplyCall(id="call_2", tool="append_file", arguments='{"path":"b.txt","line":"x"}')
_REPLY = Reply(
    id="r",
    turn=0,
    step=1,
    text="I look, and then I write.",
    calls=(_READ, _APPEND),
    finish="tool_calls",
    prompt_tokens=9,
    completion_tokens=7,
)
_FRAME = Frame(created_s=0, model="m")

PAGE = """\
# Faults

<!-- Made by `python -m faultloop.fakes.faults.table`; a test holds it to the code. -->

Injected trouble, one kind a row. A scenario lists faults under `faults:`, each with its `kind`, its
place `at` (`step N`, `any step`, `tool NAME`, `tool NAME N` or `any tool`), how many `times` it
strikes at most (1), and with what `chance` each time (1.0). A chance is no generator: which times
are struck is a hash of the seed, the kind, the place and how often the play was there. A fault that
never struck makes a play prove nothing, and the report says so.

*Dialects* are those in which a reply of text and two calls looks different with the fault; in the
others it is spelt as the nearest thing, which is nothing.
"""


class Line(NamedTuple):
    """One kind, as the page tells of it."""

    kind: str
    layer: str
    sentence: str
    """What goes wrong."""
    detail: str
    """How it looks."""
    fields: tuple[str, ...]
    """Its own fields: name, default and meaning."""
    dialects: tuple[str, ...]
    """Dialects that can say it; none where it is not the model's business."""


def lines() -> Iterator[Line]:
    """The table, in the order of `KINDS`."""
    for kind, cls in KINDS.items():
        module = ast.parse(inspect.getsource(sys.modules[cls.__module__]))
        yield Line(
            kind=kind,
            layer=layer_of(cls),
            sentence=_one_line(ast.get_docstring(module)),
            detail=_one_line(cls.__doc__),
            fields=tuple(_fields(cls, module)),
            dialects=tuple(name for name, dialect in DIALECTS.items() if _says(cls, dialect)),
        )


def layer_of(cls: type[Fault]) -> str:
    """The layer at which a kind strikes."""
    protocols = {
        "model": "say",
        "http": "answer",
        "stream": "shape",
        "bytes": "travel",
        "tool": "gateway",
    }
    return next(layer for layer, method in protocols.items() if hasattr(cls, method))


def example(cls: type[Fault]) -> Fault:
    """A fault of this kind, with its defaults."""
    kind = str(next(field.default for field in fields(cls) if field.name == "kind"))
    return cls(at="step 1", **EXAMPLES.get(kind, {}))


def _says(cls: type[Fault], dialect: Dialect) -> bool:
    """Whether a reply looks different with the fault."""
    fault = example(cls)
    match fault:
        case ModelFault():
            return shows(dialect, _FRAME, _REPLY, fault.say(_REPLY), streaming=False)
        case StreamFault():
            items = tuple(pieces(_REPLY))
            return shows_shape(dialect, _FRAME, _REPLY, items, fault.shape(items))
        case _:
            return isinstance(fault, HttpFault)


def _fields(cls: type[Fault], module: ast.Module) -> Iterator[str]:
    shared = {field.name for field in fields(Fault)}
    told = _attribute_docstrings(module, cls.__name__)
    for field in fields(cls):
        if field.name not in shared:
            yield f"`{field.name}`{_default(field)}: {told[field.name]}"


def _default(field: Field[object]) -> str:
    if field.default is MISSING:
        return " (to be given)"
    return f" ({field.default!r})" if field.default is not None else ""


def _attribute_docstrings(module: ast.Module, name: str) -> dict[str, str]:
    """The texts below a class's attributes."""
    body = next(
        node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == name
    )
    return {
        node.target.id: _one_line(below.value.value)
        for node, below in pairwise(body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }


def _one_line(text: str | None) -> str:
    """The first paragraph of a docstring."""
    return " ".join((text or "").strip().split("\n\n")[0].split())


def document() -> str:
    """docs/faults.md."""
    found = list(lines())
    parts = [PAGE]
    for layer, meaning in LAYERS.items():
        rows = [line for line in found if line.layer == layer]
        said = layer in ("model", "stream")
        heading = "| kind | what goes wrong | fields |" + (" dialects |" if said else "")
        parts += [f"## {layer.capitalize()}", "", meaning, "", heading]
        parts += ["| --- | --- | --- |" + (" --- |" if said else "")]
        parts += [_row(line, said=said) for line in rows]
        parts += [""]
    return "\n".join(parts)


def _row(line: Line, *, said: bool) -> str:
    cells = [f"`{line.kind}`", f"{line.sentence} {line.detail}", "<br>".join(line.fields)]
    if said:
        everywhere = set(line.dialects) == set(DIALECTS)
        cells.append("all" if everywhere else ", ".join(line.dialects))
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


if __name__ == "__main__":
    print(document(), end="")
