"""JSON read as a protobuf message, with all that Google's servers say against it.

Every Google API takes JSON this way: fields by their camel-case or their own name, null for
nothing, one element for a list of one, numbers also as strings. All violations of a body are told
at once, in the order of the body, each with the place in the field's own notation. The sentences
are those of protobuf's converter, and what clients quote.

What messages there are is `gemini_fields`' business.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

SENTENCES = {
    # google-gemini/gemini-cli #13972, promptfoo/promptfoo #1393, zed-industries/zed #44875.
    "unknown": 'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.',
    # zed-industries/zed #53919, vercel/ai #3589.
    "list": 'Invalid JSON payload received. Unknown name "{name}"{at}: Proto field is not '
    "repeating, cannot start list.",
    # protobuf's proto_writer.cc; quoted for several Google APIs.
    "root": 'Invalid JSON payload received. Unknown name "": Root element must be a message.',
    # (TYPE_STRING): microsoft/azure-devops-mcp #139; a type's URL: zereight/gitlab-mcp #166.
    "value": "Invalid value at '{path}' ({type}), {got}",
    # protobuf's proto_stream_object_writer.cc; quoted for several Google APIs.
    "object": "Invalid value at '{path}' ({name}), Starting an object on a scalar field",
    # crmne/ruby_llm #521, google-gemini/gemini-cli #8011.
    "base64": "Invalid value at '{path}' (TYPE_BYTES), Base64 decoding failed for {got}",
    # googleapis/google-cloud-dart #26.
    "oneof": "Invalid value at '{path}' (oneof), oneof field '{oneof}' is already set. Cannot set "
    "'{name}'",
}
"""Each with its source."""

PACKAGE = "type.googleapis.com/google.ai.generativelanguage.v1beta."


class Field(NamedTuple):
    """One field of a message."""

    name: str
    kind: str
    """A scalar, an enum, a message, or `any` for what is not looked into."""
    shape: str = ""
    """`list`, `map`, or nothing for a single value."""


class Schema(NamedTuple):
    """All messages of an API."""

    messages: Mapping[str, Mapping[str, Field]]
    """Fields of each message, under every name that a body may use."""
    enums: Mapping[str, frozenset[str]]
    oneofs: Mapping[str, tuple[str, frozenset[str]]]
    """By message: a oneof's name and its members."""


_INTEGERS = {"TYPE_INT32": 2**31, "TYPE_INT64": 2**63}
_NUMBERS = ("TYPE_FLOAT", "TYPE_DOUBLE")
_STRUCT = "Struct"
_STRUCT_TYPE = "type.googleapis.com/google.protobuf.Struct"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


class Reader:
    """Reads one body; what is wrong with it gathers in `violations`."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.violations: list[str] = []

    def message(self, value: Any, kind: str, path: str) -> dict[str, Any]:
        """The fields of a message under their own names. What is wrong is left out."""
        if not isinstance(value, dict):
            self._add("root", "")
            return {}
        fields = self._schema.messages[kind]
        oneof, members = self._schema.oneofs.get(kind, ("", frozenset()))
        read: dict[str, Any] = {}
        taken = False
        for name, item in value.items():
            field = fields.get(name)
            if field is None:
                self._add("unknown", path, name=name, at=f" at '{path}'" if path else "")
            elif item is not None:
                if field.name in members:
                    if taken:
                        self._add("oneof", path, oneof=oneof, name=name)
                        continue
                    taken = True
                read[field.name] = self.field(item, field, path, name)
        return read

    def field(self, item: Any, field: Field, path: str, name: str) -> Any:
        """A field's value; `name` is what the body calls it."""
        where = f"{path}.{field.name}" if path else field.name
        if field.kind == "any":
            return item
        if field.shape == "list":
            if not isinstance(item, list):
                return [self._one(item, field, where, path, name)]
            return [
                self._one(element, field, f"{where}[{at}]", f"{where}[{at}]", name)
                for at, element in enumerate(item)
                if element is not None
            ]
        if field.shape == "map" and isinstance(item, dict):
            return {
                key: self._one(element, field, f"{where}[{at}].value", f"{where}[{at}]", "value")
                for at, (key, element) in enumerate(item.items())
                if element is not None
            }
        return self._one(item, field, where, path, name)

    def _one(self, item: Any, field: Field, where: str, path: str, name: str) -> Any:
        kind = field.kind
        if isinstance(item, list):
            self._add("list", path, name=name, at=f" at '{path}'" if path else "")
            return None
        if isinstance(item, dict):
            if kind == _STRUCT:
                return item
            if kind in self._schema.messages:
                return self.message(item, kind, where)
            self._add("object", path or where, name=field.name)
            return None
        if kind == _STRUCT or kind in self._schema.messages:
            type_ = _STRUCT_TYPE if kind == _STRUCT else PACKAGE + kind
            self._add("value", where, type=type_, got=_spelt(item))
            return None
        if kind in self._schema.enums:
            return self._enum(item, kind, where)
        return self._scalar(item, kind, where)

    def _enum(self, item: Any, kind: str, where: str) -> Any:
        known = self._schema.enums[kind]
        if isinstance(item, str):
            name = item.upper().replace("-", "_")
            if name in known:
                return name
        elif isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(known):
            return item
        self._add("value", where, type=PACKAGE + kind, got=_spelt(item))
        return None

    def _scalar(self, item: Any, kind: str, where: str) -> Any:
        if kind == "TYPE_STRING":
            good = isinstance(item, str)
        elif kind == "TYPE_BOOL":
            good = isinstance(item, bool) or item in ("true", "false")
        elif kind == "TYPE_BYTES":
            if isinstance(item, str) and not _is_base64(item):
                self._add("base64", where, got=_spelt(item))
                return None
            good = isinstance(item, str)
        else:
            number = _number(item)
            good = number is not None
            if kind in _INTEGERS and number is not None:
                good = number == int(number) and abs(number) < _INTEGERS[kind]
                number = int(number)
            item = number if good else item
        if not good:
            self._add("value", where, type=kind, got=_spelt(item))
            return None
        return item

    def _add(self, sentence: str, path: str, **words: str) -> None:
        self.violations.append(SENTENCES[sentence].format(path=path, **words))


def decoded(text: str) -> bytes:
    """The bytes of a base64 text in either alphabet, padded or not; none where it is none."""
    if not _is_base64(text):
        return b""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return b""


def _is_base64(text: str) -> bool:
    return bool(_BASE64.fullmatch(text)) and len(text.rstrip("=")) % 4 != 1


def _number(item: Any) -> int | float | None:
    if isinstance(item, bool) or not isinstance(item, int | float | str):
        return None
    try:
        number = float(item) if isinstance(item, str) else item
        return number if math.isfinite(number) else None
    except (ValueError, OverflowError):
        return None


def _spelt(item: Any) -> str:
    """A value as the sentences repeat it: text in quotes, unescaped."""
    return f'"{item}"' if isinstance(item, str) else json.dumps(item)
