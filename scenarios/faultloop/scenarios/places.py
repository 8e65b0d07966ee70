"""YAML with places: the data of a document, and on which line each part of it stands.

Only what JSON can say is allowed, every value is written once, and a key occurs once: scenario
files are data that people review. Whatever is wrong raises Misplaced with its line.
"""

from __future__ import annotations

from typing import NamedTuple

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

Place = tuple[str | int, ...]
"""Keys and indexes from the document's root."""

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


class Document(NamedTuple):
    """A YAML document as plain data."""

    data: Json
    lines: dict[Place, int]
    """Line of each key and list item, from 1; the root is ()."""

    def line(self, place: Place) -> int:
        """The line of that place, or of the nearest one around it that is written down."""
        while place not in self.lines and place:
            place = place[:-1]
        return self.lines.get(place, 1)


class Misplaced(Exception):
    """The text is not a YAML document of the plain kind that is wanted."""

    def __init__(self, line: int, place: Place, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line
        self.place = place
        self.sentence = sentence


def parse(text: str) -> Document:
    """Read one document. Raises Misplaced."""
    try:
        root = yaml.compose(text, Loader=_loader(text))
    except RecursionError:
        raise Misplaced(_too_deep(text), (), _DEEP) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Misplaced(mark.line + 1 if mark else 1, (), _syntax(error)) from None
    except yaml.YAMLError as error:
        raise Misplaced(1, (), f"this is not YAML: {str(error).splitlines()[0]}") from None
    if root is None:
        raise Misplaced(1, (), "the file is empty; begin with 'schema: 1'")
    lines: dict[Place, int] = {(): root.start_mark.line + 1}
    try:
        return Document(_plain(root, (), lines, set()), lines)
    except _Alias as alias:
        # The node of an alias is that of its anchor; only the tokens know where the alias stands.
        tokens = yaml.scan(text, Loader=yaml.SafeLoader)
        line = next(one.start_mark.line + 1 for one in tokens if isinstance(one, yaml.AliasToken))
        sentence = "it is an alias (*name); write the value out where it is used"
        raise Misplaced(line, alias.place, sentence) from None


BIG_CHARS = 500_000
"""From here on reading takes seconds in Python, and libyaml is asked instead; its words for what is
wrong are a little poorer."""


def _loader(text: str) -> type[yaml.SafeLoader | yaml.CSafeLoader]:
    is_fast = len(text) > BIG_CHARS and yaml.__with_libyaml__
    return yaml.CSafeLoader if is_fast else yaml.SafeLoader


DEPTH_MAX = 50
"""Lists and mappings within each other; scenario files need less than ten."""
SHOWN_PARTS = 3
"""How much of a place is named that lies too deep."""
_DEEP = f"it is nested more than {DEPTH_MAX} deep; no part of such a file needs that"


def _too_deep(text: str) -> int:
    """The line on which the nesting becomes too deep; by its tokens, which come one by one."""
    depth = 0
    token: yaml.Token | None = None
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        if depth > DEPTH_MAX:
            break
    return token.start_mark.line + 1 if token is not None else 1


_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


class _Alias(Exception):
    """The first alias of a document was met."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place


def _syntax(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "it cannot be parsed"
    if "'\\t'" in problem:
        return "a tab stands where YAML wants spaces; indent with spaces"
    if "expected a single document" in (error.context or ""):
        return "a second document begins here; one file holds one document"
    if "mapping values are not allowed here" in problem:
        return "a colon stands where none may; put a text that contains ': ' in quotes"
    return f"this is not YAML: {problem}"


def _plain(node: Node, place: Place, lines: dict[Place, int], seen: set[int]) -> Json:
    if id(node) in seen:
        raise _Alias(place)
    if len(place) > DEPTH_MAX:
        raise Misplaced(node.start_mark.line + 1, place[:SHOWN_PARTS], _DEEP)
    seen.add(id(node))
    if isinstance(node, MappingNode):
        return _mapping(node, place, lines, seen)
    if isinstance(node, SequenceNode):
        found: list[Json] = []
        for index, item in enumerate(node.value):
            lines[(*place, index)] = item.start_mark.line + 1
            found.append(_plain(item, (*place, index), lines, seen))
        return found
    assert isinstance(node, ScalarNode)
    return _scalar(node, place)


def _mapping(
    node: MappingNode, place: Place, lines: dict[Place, int], seen: set[int]
) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, ScalarNode):
            raise Misplaced(line, place, "a key must be a plain word or text, not a list or map")
        name = _whole(key, place)
        inner = (*place, name)
        if name in found:
            raise Misplaced(
                line, inner, f"it is already on line {lines[inner]}; keep one of the two"
            )
        lines[inner] = line
        found[name] = _plain(value, inner, lines, seen)
    return found


def _whole(node: ScalarNode, place: Place) -> str:
    """The text, if each character of it is one; `\\ud83d` in double quotes is only half of one."""
    text: str = node.value
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise Misplaced(
            node.start_mark.line + 1,
            place,
            f"{half!r} is half a character (a surrogate); write the character itself",
        ) from None
    return text


def _scalar(node: ScalarNode, place: Place) -> Json:
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    text: str = node.value
    try:
        match kind:
            case "null":
                return None
            case "bool":
                return bool(yaml.SafeLoader.bool_values[text.lower()])
            case "int":
                return int(text.replace("_", ""), 0 if text.lower().startswith("0x") else 10)
            case "float":
                return float(text.replace("_", ""))
            case "str" | "timestamp" | "value" | "merge":
                return _whole(node, place)
    except ValueError:
        sentence = f"{text!r} is not a number that is understood here; write it in plain decimals"
        raise Misplaced(node.start_mark.line + 1, place, sentence) from None
    raise Misplaced(
        node.start_mark.line + 1, place, f"the tag {node.tag!r} is not allowed; write plain data"
    )
