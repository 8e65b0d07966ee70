"""JSON values as texts of Java and JavaScript, in the spelling that BFCL's checker can read.

Its rows in these languages are answered with texts (`123L`, `new ArrayList<>(...)`), which it turns
into values by patterns of its own. A text stands as it is: it may be a literal, an expression or
the name of a variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

QUOTED_IN_LISTS = frozenset({"ArrayList", "array"})
"""Types in whose lists its checker takes the quotes of texts away; in those of others it does
not."""


def arguments_as_texts(
    args: Mapping[str, Any], function: Mapping[str, Any] | None, language: str
) -> dict[str, Any]:
    """A call's arguments as its checker wants them; as they are in Python, and for a function that
    nobody knows."""
    if language == "python" or function is None:
        return dict(args)
    declared = function["parameters"].get("properties") or {}
    return {name: _text(value, declared.get(name) or {}, language) for name, value in args.items()}


def _text(value: Any, schema: Mapping[str, Any], language: str) -> str:
    kind = str(schema.get("type", "any"))
    inner = str((schema.get("items") or {}).get("type", ""))
    if isinstance(value, list):
        return _list(value, kind, inner, language)
    if isinstance(value, dict):
        return _object(value, language)
    return _scalar(value, kind if language == "java" or kind == "Bigint" else "any")


def _scalar(value: Any, kind: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    endings = {("int", "long"): "L", ("int", "Bigint"): "n", ("float", "float"): "f"}
    number = type(value).__name__
    return f"{value}{endings.get((number, kind), '')}"


def _list(values: Sequence[Any], kind: str, inner: str, language: str) -> str:
    inner = inner if language == "java" else "any" if inner == "float" else inner
    items = [
        f'"{item}"' if isinstance(item, str) and kind in QUOTED_IN_LISTS and inner != "any" else
        _list(item, kind, inner, language) if isinstance(item, list) else _scalar(item, inner)
        for item in values
    ]  # fmt: skip
    joined = ", ".join(items)
    if language == "javascript":
        return f"[{joined}]"
    if kind == "ArrayList":
        return f"new ArrayList<>(Arrays.asList({joined}))" if items else "new ArrayList<>()"
    return f"new {inner or 'Object'}[]{{{joined}}}"


def _object(value: Mapping[str, Any], language: str) -> str:
    if language == "javascript":
        pairs = [f"{key}: {_in_object(one, language)}" for key, one in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if not value:
        return "new HashMap<>()"
    puts = " ".join(f'put("{key}", {_in_object(one, language)});' for key, one in value.items())
    return f"new HashMap<>() {{{{ {puts} }}}}"


def _in_object(value: Any, language: str) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return _text(value, {"type": "array", "items": {"type": "any"}}, language)
