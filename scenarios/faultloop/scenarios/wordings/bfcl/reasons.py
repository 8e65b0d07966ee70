"""Why BFCL's checker and our score differ: each reason as a rewriting that takes it away.

A rewriting changes an answer in one respect only, towards the row's own answer. If both verdicts
are "right" afterwards, that respect was all that they differed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from faultloop.scenarios.wordings.bfcl.answers import LEFT_OUT, acceptable_values, admitted
from faultloop.scenarios.wordings.bfcl.checker import Called
from faultloop.scenarios.wordings.bfcl.json_types import schema_of
from faultloop.scenarios.wordings.bfcl.mutating import Calls, given
from faultloop.scenarios.wordings.bfcl.source import Row
from faultloop.scenarios.wordings.matchers.words import words_of

IGNORED = re.compile(r"[ ,./\-_*^]")
"""What its checker takes out of texts, wherever it stands."""


class Rewriting(NamedTuple):
    """What a reason works on."""

    row: Row
    calls: Calls
    in_place: Callable[[], Calls]
    """The calls in the order in which they are expected."""


class Reason(NamedTuple):
    """One reason."""

    name: str
    says: str
    """For the page: what its checker does, and what we do."""
    ours_right: bool
    """Whether we call the answer right, and its checker does not; else the other way round."""
    rewrite: Callable[[Rewriting], Calls | None]


Swap = Callable[[Any, Any, Mapping[str, Any]], Any]
"""Value, an acceptable one, the function's schema of it: the acceptable one where the two differ in
one respect only, else the value."""


def _swapped(swap: Swap) -> Callable[[Rewriting], Calls | None]:
    """Values one by one, each beside all that are acceptable in its place."""

    def rewrite(rewriting: Rewriting) -> Calls | None:
        row = rewriting.row
        best = rewriting.calls
        for answer in _arrangements(rewriting):
            best = tuple(
                _swapped_call(call, answer.get(at), row, swap) for at, call in enumerate(best)
            )
        return best

    return rewrite


def _arrangements(rewriting: Rewriting) -> Iterator[dict[int, Mapping[str, Any]]]:
    """Which expected call each call may be: those of the same name, in turn."""
    answers = [next(iter(answer.items())) for answer in rewriting.row.answers]
    for shift in range(len(answers)):
        yield {
            at: answers[(at + shift) % len(answers)][1]
            for at, call in enumerate(rewriting.calls)
            if answers[(at + shift) % len(answers)][0] == call.name
        }


def _swapped_call(call: Called, answer: Mapping[str, Any] | None, row: Row, swap: Swap) -> Called:
    if answer is None:
        return call
    declared = _declared(row, call.name)
    args = {
        name: _nearest(value, answer.get(name), declared.get(name) or {}, swap)
        for name, value in call.args.items()
    }
    return call._replace(args=args)


def _nearest(value: Any, acceptable: Any, schema: Mapping[str, Any], swap: Swap) -> Any:
    for one in acceptable_values(acceptable):
        found = _deep(value, one, schema, swap)
        if found is not value:
            return found
    return value


def _deep(value: Any, wanted: Any, schema: Mapping[str, Any], swap: Swap) -> Any:
    """The value with all that swaps in it; itself where nothing does."""
    if isinstance(value, dict) and isinstance(wanted, dict):
        inner = schema.get("properties") or {}
        made = {
            key: _nearest(one, wanted.get(key), inner.get(key) or {}, swap)
            for key, one in value.items()
        }
        return made if any(made[key] is not value[key] for key in made) else value
    if isinstance(value, list) and isinstance(wanted, list) and len(value) == len(wanted):
        items = schema.get("items") or {}
        listed = [_deep(*pair, items, swap) for pair in zip(value, wanted, strict=True)]
        return listed if any(a is not b for a, b in zip(listed, value, strict=True)) else value
    return swap(value, wanted, schema)


def _declared(row: Row, name: str) -> Mapping[str, Any]:
    found = next((one for one in row.functions if one["name"] == name), None)
    return (found["parameters"].get("properties") or {}) if found else {}


def _plain(text: str) -> str:
    return IGNORED.sub("", text).lower().replace("'", '"')


def _same_letters(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    is_text = isinstance(value, str) and isinstance(wanted, str)
    return wanted if is_text and value != wanted and _plain(value) == _plain(wanted) else value


def _same_words(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    is_text = isinstance(value, str) and isinstance(wanted, str)
    return wanted if is_text and value != wanted and words_of(value) == words_of(wanted) else value


def _same_member(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    return _same_words(value, wanted, schema) if "enum" in schema else value


def _same_number(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    numbers = type(value) in (int, float) and type(wanted) in (int, float)
    return wanted if numbers and type(value) is not type(wanted) and value == wanted else value


def _same_truth(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    one_is_truth = isinstance(value, bool) is not isinstance(wanted, bool)
    return wanted if one_is_truth and value == wanted else value


def _same_text(value: Any, wanted: Any, schema: Mapping[str, Any]) -> Any:
    """As a text of Java or JavaScript."""
    meant = given(wanted, schema, 0)
    differs = type(value) is not type(meant)
    return meant if differs and _spelt(value) == _spelt(meant) else value


def _spelt(value: Any) -> str:
    return "null" if value is None else str(value).lower()


def _admitted(rewriting: Rewriting) -> Calls:
    """Acceptable values that the parameter's own schema refuses give way to others, or go."""
    row = rewriting.row
    best = rewriting.calls
    for answer in _arrangements(rewriting):
        best = tuple(
            call._replace(args=_admitted_args(call, answer[at], row)) if at in answer else call
            for at, call in enumerate(best)
        )
    return best


def _admitted_args(call: Called, answer: Mapping[str, Any], row: Row) -> dict[str, Any]:
    function = next((one for one in row.functions if one["name"] == call.name), None)
    if function is None:
        return call.args
    properties = schema_of(function["parameters"], row.language)["properties"]
    found: dict[str, Any] = {}
    for name, value in call.args.items():
        values = acceptable_values(answer.get(name, []))
        kept = admitted(values, properties.get(name))
        if value in values and value not in kept:
            other = [one for one in kept if one != LEFT_OUT]
            if not other:
                continue
            value = other[0]
        found[name] = value
    return found


def _without_marks(rewriting: Rewriting) -> Calls:
    return tuple(call._replace(args=_unmarked(call.args)) for call in rewriting.calls)


def _unmarked(value: Any) -> Any:
    """Without empty texts and lists, in objects, too."""
    if not isinstance(value, dict):
        return value
    return {name: _unmarked(one) for name, one in value.items() if one not in (LEFT_OUT, [])}


def _without_defaults(rewriting: Rewriting) -> Calls:
    """Defaults go that are given where an answer does not have them."""

    def is_extra(name: str, value: Any, call: Called) -> bool:
        schema = _declared(rewriting.row, call.name).get(name) or {}
        listed = [
            acceptable_values(answer[call.name].get(name, []))
            for answer in rewriting.row.answers
            if call.name in answer
        ]
        is_default = "default" in schema and schema["default"] == value
        return is_default and any(value == LEFT_OUT or value not in one for one in listed)

    return tuple(
        call._replace(args={n: one for n, one in call.args.items() if not is_extra(n, one, call)})
        for call in rewriting.calls
    )


def _with_defaults(rewriting: Rewriting) -> Calls:
    """Parameters that are left out, although no acceptable value is to leave them out."""
    found: list[Called] = []
    for call in rewriting.calls:
        declared = _declared(rewriting.row, call.name)
        args = dict(call.args)
        for answer in rewriting.row.answers:
            for name, acceptable in answer.get(call.name, {}).items():
                schema = declared.get(name, {})
                is_wanted = LEFT_OUT not in acceptable_values(acceptable)
                if name not in args and is_wanted and "default" in schema:
                    args[name] = schema["default"]
        found.append(call._replace(args=args))
    return tuple(found)


def _in_place(rewriting: Rewriting) -> Calls:
    return rewriting.in_place()


REASONS: tuple[Reason, ...] = (
    Reason(
        "a member of an enum spelt otherwise",
        "Its checker never looks at `enum`, and compares loosely; a tool would refuse the value.",
        False,
        _swapped(_same_member),
    ),
    Reason(
        "an acceptable value that the schema refuses",
        "The possible answers list it, and the function's own schema does not admit it: another"
        " type, or no member of the enum. Its checker looks at neither; the import drops it.",
        False,
        _admitted,
    ),
    Reason(
        "texts are compared without any spaces and signs",
        'It takes ` ,./-_*^` out of texts before it compares: "1.5" is "15" to it, "-5" is "5",'
        ' "a/b" is "ab". We compare words and numbers, so these differ.',
        False,
        _swapped(_same_letters),
    ),
    Reason(
        "an empty value for what may be left out",
        'The "" that says that a parameter may be left out is an acceptable value to it, and among'
        " lists it is an empty list. We ask that the parameter be left out.",
        False,
        _without_marks,
    ),
    Reason(
        "true and 1 are one",
        "In objects it compares as Python does, where true equals 1.",
        False,
        _swapped(_same_truth),
    ),
    Reason(
        "everything is a text in Java and JavaScript",
        'There its answers are texts, so 5 and "5" cannot be told apart.',
        False,
        _swapped(_same_text),
    ),
    Reason(
        "a default is given explicitly",
        "A parameter that the possible answer does not have must not be given to it, not even with"
        " the schema's default. The tool does the same either way, so it is right to us.",
        True,
        _without_defaults,
    ),
    Reason(
        "a parameter is left to its default",
        "The possible answer has the schema's default, and does not say that it may be left out."
        " The tool does the same either way, so it is right to us.",
        True,
        _with_defaults,
    ),
    Reason(
        "5 and 5.0 are two numbers",
        "It asks for Python's own type, except for a whole number where a `float` parameter is"
        " wanted; inside lists, and for a `5.0` as `integer`, it does not forgive. In JSON both are"
        " one number, and one to us.",
        True,
        _swapped(_same_number),
    ),
    Reason(
        "calls are matched greedily",
        "It gives each expected call the first call that suits it, and never takes it back, so that"
        " the order of calls decides. We assign them as well as can be.",
        True,
        _in_place,
    ),
    Reason(
        "texts beside another type are compared to the letter",
        "Where the first acceptable value is of another type than the parameter (null, mostly), or"
        " texts lie deeper, it compares to the letter. We compare the words, as elsewhere.",
        True,
        _swapped(_same_words),
    ),
)
"""Tried from the top."""

FAILS_ITSELF = Reason(
    "the row fails its own checker",
    "Its checker calls the row's own answer wrong, so no right answer is known to both.",
    True,
    lambda rewriting: None,
)
"""In either direction, where none of the others holds."""
