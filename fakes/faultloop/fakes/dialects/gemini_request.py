"""Reading a Gemini request: JSON to `Conversation`, or the API's own complaint.

Only shapes are judged here. First the body as JSON, then all of its fields and types at once
(`gemini_proto`), then what the API asks of a body that it could read (`gemini_complaints`). What
contents mean together is judged by `strictness`.

Calls and results have ids if the client sends them. A call without one is known by its thought
signature, in which `gemini_parts` tells it; a result without one answers the first open call of
its name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from faultloop.fakes.conversation import Conversation, Message, Role, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest, HttpRequest
from faultloop.fakes.dialects.gemini_complaints import bad, bullet, bulleted, malformed
from faultloop.fakes.dialects.gemini_fields import PART_DATA, SCHEMA
from faultloop.fakes.dialects.gemini_parts import signed_ids
from faultloop.fakes.dialects.gemini_proto import Field, Reader
from faultloop.fakes.dialects.out_of_range import out_of_range

_ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "user", "": "user"}
"""Roles of contents. `function` is what older clients send results under; none means the user."""

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]*")
"""What can be the name of a model; any that can is served."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")
"""As long as the API's discovery document has it by now; its complaint is older and says 64."""
_DECLARATIONS_MAX = 512
_DATA = PART_DATA | {"audio_transcription"}
_RESULT_KEYS = ("output", "result", "content", "error")
"""What clients name the text of a result; the official SDK `result` and `error`."""
SYSTEM_WIRE = -1
"""`Conversation.wire` of the system instruction, which is none of the contents."""

Object = dict[str, Any]

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_value = msgspec.json.Decoder().decode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_PLACE = re.compile(r"\(byte (\d+)\)")


class Body(NamedTuple):
    """A request body whose fields are all known and of their types."""

    text: str
    fields: Object
    bullets: tuple[str, ...]
    """What the API asks of contents and does not find."""


class _Read(NamedTuple):
    """One field of a body, read."""

    value: Any
    violations: tuple[str, ...]


def read(request: HttpRequest) -> Conversation:
    """Read a request for a reply. Raises BadRequest."""
    check_key(request)
    check_model(request)
    body = read_body(request.body, "GenerateContentRequest")
    fields = body.fields
    config = fields.get("generation_config") or {}
    limit = _whole(config.get("max_output_tokens"))
    bullets = list(body.bullets)
    if limit is not None and limit < 1:
        bullets.append(bullet("max_tokens", "GenerateContentRequest"))
    tools = _tools(fields, bullets)
    if bullets:
        raise bulleted(bullets)
    if (_whole(config.get("candidate_count")) or 1) > 1:
        raise bad("several_candidates")
    contents = fields["contents"]
    if any(content.get("role", "") not in _ROLES for content in contents):
        raise bad("role")
    calling = (fields.get("tool_config") or {}).get("function_calling_config")
    if calling is not None and not tools:
        raise bad("needs_tools")
    said = _said(fields.get("system_instruction"), contents)
    return Conversation(
        messages=tuple(message for _, message in said),
        wire=tuple(at for at, _ in said),
        tools=tools,
        may_call=(calling or {}).get("mode") != "NONE",
        streaming=request.route.path.endswith(":streamGenerateContent"),
        model=request.words["model"],
        max_tokens=limit,
        echo={"thoughts": (config.get("thinking_config") or {}).get("include_thoughts")},
        raw="\n".join((body.text, *_signed(contents, body.text))),
    )


def check_key(request: HttpRequest) -> None:
    """Every method asks who calls; any key will do here. Raises BadRequest."""
    if not (
        request.headers.get("x-goog-api-key")
        or request.headers.get("authorization")
        or request.query.get("key")
    ):
        raise bad("no_key")


def check_model(request: HttpRequest) -> None:
    """What is no model's name is found nowhere. Raises BadRequest."""
    name = request.words["model"]
    if not _MODEL.fullmatch(name):
        version, _, rest = request.route.path.removeprefix("/").partition("/")
        method = rest.partition(":")[2] or "getModel"
        raise bad("no_model", model=f"models/{name}", version=version, method=method)


def read_body(body: bytes, kind: str) -> Body:
    """Read a body as a message of this kind. Raises BadRequest."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        at = len(body[: error.start].decode())
        raise malformed("not_utf8", body.decode(errors="replace"), at) from None
    try:
        spelt = _fields(body) if body.strip() else {}
        fields = SCHEMA.messages[kind]
        read: Object = {}
        violations: list[str] = []
        for name, raw in spelt.items():
            field = fields.get(name)
            if field is not None and field.name == "contents":
                values, wrong = _contents(raw)
            else:
                values, wrong = _field(kind, name, bytes(raw))
            violations += wrong
            if values is not None and field is not None:
                read[field.name] = values
    except msgspec.ValidationError:
        number = out_of_range(text)
        if number is not None:
            raise malformed("number_range", text, number) from None
        raise _violated(_field(kind, None, b"null").violations) from None
    except RecursionError:
        raise bad("too_deep") from None
    except _UNREADABLE as error:
        raise _not_json(body, text, error) from None
    if violations:
        raise _violated(violations)
    return Body(text, read, tuple(_bullets(read, kind)))


def _violated(violations: Sequence[str]) -> BadRequest:
    return BadRequest("\n".join(violations))


def _not_json(body: bytes, text: str, error: Exception) -> BadRequest:
    try:
        _value(body)  # for the place in the whole of it
    except _UNREADABLE as whole:
        error = whole
    place = _PLACE.search(str(error))
    if place is None:
        return malformed("cut_json", text, len(text))
    before = body[: int(place[1])].decode(errors="ignore")
    return malformed("not_json", text, len(before))


@lru_cache(maxsize=256)  # what a request sets comes again with every request of its conversation
def _field(kind: str, name: str | None, spelt: bytes) -> _Read:
    """A field of the body itself. Without a name: the body, which is no message."""
    reader = Reader(SCHEMA)
    read = reader.message(None if name is None else {name: _value(spelt)}, kind, "")
    return _Read(next(iter(read.values()), None), tuple(reader.violations))


def _contents(spelt: msgspec.Raw) -> _Read:
    """The contents, each known by its bytes once it was read."""
    try:
        elements = msgspec.json.decode(spelt, type=list[msgspec.Raw])
    except msgspec.ValidationError:
        return _content(bytes(spelt), None)
    each = [_content(bytes(element), at) for at, element in enumerate(elements)]
    return _Read(
        [content for read in each for content in read.value or ()],
        tuple(wrong for read in each for wrong in read.violations),
    )


@lru_cache(maxsize=1024)
def _content(spelt: bytes, at: int | None) -> _Read:
    """A content of these bytes; `at` is its place in the list, None where there is no list."""
    value = _value(spelt)
    if value is None:
        return _Read(None, ())
    reader = Reader(SCHEMA)
    where = "contents" if at is None else f"contents[{at}]"
    read = reader.field(value, Field(where, "Content"), "", "contents")
    return _Read([read or {}], tuple(reader.violations))


# --- what the API asks of a body that it could read -----------------------------------------


def _bullets(fields: Object, kind: str) -> list[str]:
    found: list[str] = []
    system = fields.get("system_instruction")
    if system is not None:
        found += _content_bullets(system, kind, "system_instruction")
    inner = fields.get("generate_content_request")
    if inner is not None:
        found += _bullets(inner, f"{kind}.generate_content_request")
    contents = fields.get("contents")
    if not contents and inner is None:
        found.append(bullet("no_contents", kind))
    for at, content in enumerate(contents or ()):
        found += _content_bullets(content, kind, f"contents[{at}]")
    return found


def _content_bullets(content: Object, kind: str, path: str) -> list[str]:
    parts = content.get("parts")
    if not parts:
        return [bullet("no_parts", kind, path=path)]
    found = []
    for number, part in enumerate(parts):
        where = f"{path}.parts[{number}]"
        if _DATA.isdisjoint(part):
            found.append(bullet("no_data", kind, path=where))
        elif "function_call" in part and not part["function_call"].get("name"):
            found.append(bullet("no_call_name", kind, path=where))
        elif "function_response" in part and not part["function_response"].get("name"):
            found.append(bullet("no_result_name", kind, path=where))
    return found


def _tools(fields: Object, bullets: list[str]) -> tuple[str, ...]:
    """Names of the functions that are declared."""
    names: list[str] = []
    for at, tool in enumerate(fields.get("tools") or ()):
        declared = tool.get("function_declarations") or ()
        path = f"tools[{at}].function_declarations"
        if len(declared) > _DECLARATIONS_MAX:
            raise bad("many_tools", path=path, most=_DECLARATIONS_MAX)
        for number, declaration in enumerate(declared):
            name = declaration.get("name") or ""
            if not _NAME.fullmatch(name):
                where = f"{path}[{number}]"
                bullets.append(bullet("tool_name", "GenerateContentRequest", path=where))
            names.append(name)
    if not bullets and len(set(names)) < len(names):
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise bad("same_name", name=twice)
    return tuple(names)


def _whole(value: Any) -> int | None:
    """An integer field, which a body may spell as a string."""
    return None if value is None else int(float(value)) if isinstance(value, str) else int(value)


# --- what was said --------------------------------------------------------------------------


class _Calls:
    """The calls so far: which ids they have, and which of them are open."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        """Ids that were on the wire."""
        self._open: list[SaidCall] = []

    def make(self, part: Object, id_: str, *, is_first: bool) -> SaidCall:
        """A call of a content; only the first of these is signed."""
        call: Object = part["function_call"]
        made = SaidCall(
            id=call.get("id") or id_,
            name=call["name"],
            arguments=_spelt(call),
            is_unsigned=is_first and not part.get("thought_signature"),
        )
        if call.get("id"):
            self._known.add(made.id)
        self._open.append(made)
        return made

    def answered(self, result: Object) -> str:
        """Id of the call that a result answers; where it answers none, what it calls itself."""
        id_: str | None = result.get("id")
        name: str = result["name"]
        for at, call in enumerate(self._open):
            same = call.id == id_ if id_ in self._known else call.name == name
            if same and (id_ in self._known or not id_ or call.id not in self._known):
                del self._open[at]
                return call.id
        return id_ or name


def _said(system: Object | None, contents: list[Object]) -> list[tuple[int, Message]]:
    """Everything that was said, each with the index of its content."""
    said: list[tuple[int, Message]] = []
    if system is not None:
        said.append((SYSTEM_WIRE, Message(role="system", text=_text(system["parts"]))))
    calls = _Calls()
    for at, content in enumerate(contents):
        said += ((at, message) for message in _messages(content, at, calls))
    return said


def _messages(content: Object, at: int, calls: _Calls) -> list[Message]:
    """A content as messages: each result is one, and so is what stands between results."""
    role = _ROLES[content.get("role", "")]
    messages: list[Message] = []
    ids = _ids(content["parts"], at)
    beside: list[Object] = []

    def close() -> None:
        if beside:
            asked = [part for part in beside if "function_call" in part]
            made = [
                calls.make(part, next(ids), is_first=not number)
                for number, part in enumerate(asked)
            ]
            messages.append(Message(role=role, text=_text(beside), calls=tuple(made)))
            beside.clear()

    for part in content["parts"]:
        result = part.get("function_response")
        if result is None:
            beside.append(part)
            continue
        close()
        id_ = calls.answered(result)
        messages.append(Message(role="tool", text=_result_text(result), result_of=id_))
    close()
    return messages


def _ids(parts: list[Object], at: int) -> Iterator[str]:
    """An id for each call of a content, as far as signatures tell them."""
    made = [part["function_call"] for part in parts if "function_call" in part]
    sent = {call.get("id") for call in made}
    told = [id_ for part in parts for id_ in signed_ids(part.get("thought_signature"))]
    rest = iter([id_ for id_ in told if id_ not in sent])
    for number, call in enumerate(made):
        yield "" if call.get("id") else next(rest, f"contents[{at}].call[{number}]")


def _signed(contents: list[Object], text: str) -> Iterator[str]:
    """The ids that only signatures tell: marks by which a script finds its place again."""
    for content in contents:
        for part in content["parts"]:
            for id_ in signed_ids(part.get("thought_signature")):
                if id_ not in text:
                    yield id_


def _text(parts: list[Object]) -> str:
    """What parts say. Thoughts are not said; what is no text keeps its place by saying nothing."""
    return "".join(part.get("text", "") for part in parts if not part.get("thought"))


def _spelt(call: Object) -> str:
    return json.dumps(call.get("args") or {}, ensure_ascii=False, separators=(",", ":"))


def _result_text(result: Object) -> str:
    """A result's text: the value where it is one text by itself, else all of it as JSON."""
    response = result.get("response") or {}
    # The AI SDK repeats the name beside it.
    rest = [key for key in response if key != "name" or response[key] != result["name"]]
    if len(rest) == 1 and rest[0] in _RESULT_KEYS and isinstance(response[rest[0]], str):
        return str(response[rest[0]])
    return json.dumps(response, ensure_ascii=False, separators=(",", ":"))
