"""Whether one call is filled rightly: its arguments, against what one choice of a task expects.

The text is read as the standard says and never repaired: a text that is no JSON object is
unparsable, whatever one might guess. What every loop has to forgive is no mistake: no text at all
for a tool without parameters, and the nulls that a strict form of the schema asked for (SPEC C11).
What the tool's own schema refuses is never right, even where a matcher would take it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from faultloop.loop import strict_json
from faultloop.loop.contract import Contract, Strict
from faultloop.loop.contract.strict_nulls import nulls_left_out
from faultloop.loop.output import head
from faultloop.loop.strict_json import JSONValue, NotJSON
from faultloop.scenarios.wordings.matchers import Matcher
from faultloop.scenarios.wordings.matchers.exact import same
from faultloop.scenarios.wordings.matchers.kind import ANY_TYPE, json_type, shown
from faultloop.scenarios.wordings.score import Flaw, Mistake
from faultloop.scenarios.wordings.task import Choice
from faultloop.scenarios.wordings.wording import Wording

Arguments = dict[str, Any]
"""Decoded, by the names that the model wrote."""

REASON_BYTES = 300
"""Of a schema's own words."""
NAME_CHARS_MAX = 80
"""Of a name that a model made up; APIs take 64."""


def named(name: str) -> str:
    """A name as a flaw tells it, however long the model wrote it."""
    return name if len(name) <= NAME_CHARS_MAX else name[: NAME_CHARS_MAX - 3] + "..."


class Unparsable(NamedTuple):
    """The text is no object, and why."""

    reason: str


def arguments_of(
    text: str, contract: Contract, strict: Strict | None = None
) -> Arguments | Unparsable:
    """The arguments that a text says. `strict`: what was asked of the provider, where that was not
    left to the contract."""
    value = strict_json.unquestioned(text)
    found = value if isinstance(value, dict) else _closely(text, contract)
    if isinstance(found, Unparsable):
        return found
    if (strict or contract.strict) in ("preferred", "required"):
        return nulls_left_out(found, contract.parameters).args
    return found


def _closely(text: str, contract: Contract) -> Arguments | Unparsable:
    if not text.strip(strict_json.WHITESPACE):
        return Unparsable("they are empty") if contract.properties else {}
    value = strict_json.read(text)
    if isinstance(value, NotJSON):
        return Unparsable(f"they are not valid JSON: {value}")
    if not isinstance(value.value, dict):
        return Unparsable(f"they are of type {json_type(value.value)}, not one object")
    if (key := strict_json.repeated_key(text)) is not None:
        return Unparsable(f"they have the key {named(key)!r} twice")
    return value.value


class Slip(NamedTuple):
    """What is wrong with one argument, before it is told: most are only counted."""

    mistake: Mistake
    parameter: str = ""
    value: JSONValue = None
    """What came."""
    matcher: Matcher | None = None
    """What was wanted."""
    says: str = ""


def slips_of(choice: Choice, wording: Wording, written: Arguments | Unparsable) -> list[Slip]:
    """What is wrong with the arguments of a call of this choice's tool; nothing: filled rightly."""
    tool = choice.tool
    if isinstance(written, Unparsable):
        says = f"the arguments of {tool} cannot be read: {written.reason}"
        return [Slip(Mistake.UNPARSABLE, says=says)]
    contract = wording.contracts[tool]
    found: list[Slip] = []
    args = _in_base_names(written, wording, tool, found) if tool in wording.parameters else written
    wanted, optional = choice.args, choice.may_have
    for name, value in args.items():
        matcher = wanted.get(name) or optional.get(name)
        if matcher is None:
            if not _is_default(value, contract, wording, tool, name):
                found.append(Slip(Mistake.INVENTED, name, value))
        elif not matcher.matches(value):
            found.append(Slip(Mistake.WRONG_VALUE, name, value, matcher))
    if not wanted.keys() <= args.keys():
        for name, matcher in wanted.items():
            if name not in args and not _left_to_default(matcher, contract, wording, tool, name):
                found.append(Slip(Mistake.MISSING, name, None, matcher))
    if not found and not contract.validator.is_valid(written):
        found.extend(_refused(contract, wording, tool, written))
    return found


def flaws_of(
    slips: Sequence[Slip], tool: str, wording: Wording, written: Arguments | Unparsable, call: int
) -> list[Flaw]:
    """The same with a sentence each."""
    found: list[Flaw] = []
    for slip in slips:
        name, mistake, says = slip.parameter, slip.mistake, slip.says
        if mistake is Mistake.INVENTED:
            name = named(name)
            says = says or f"{name} was not to be given to {tool}, and {shown(slip.value)} came"
        elif slip.matcher is not None and mistake is Mistake.MISSING:
            says = f"{name} is missing; expected {slip.matcher.says}"
        elif slip.matcher is not None:
            says = f"{name}: expected {slip.matcher.says}, and {shown(slip.value)} came"
            called = wording.parameter_shown(tool, name)
            if _is_of_wrong_type(slip, called, wording.contracts[tool], written):
                mistake = Mistake.WRONG_TYPE
        found.append(Flaw(mistake=mistake, call=call, parameter=name, says=says))
    return found


def _in_base_names(written: Arguments, wording: Wording, tool: str, found: list[Slip]) -> Arguments:
    """The arguments by the base's names. A name of the base that this wording does not use is as
    unknown to the model as any other, so it is invented, even if the base would have it."""
    args: Arguments = {}
    for name, value in written.items():
        base = wording.parameter_called(tool, name)
        if wording.parameter_shown(tool, base) != name or base in args:
            found.append(Slip(Mistake.INVENTED, name, value))
        else:
            args[base] = value
    return args


def _default_of(contract: Contract, wording: Wording, tool: str, name: str) -> Mapping[str, Any]:
    """The parameter's schema, if it has a default; else nothing."""
    schema = contract.properties.get(wording.parameter_shown(tool, name))
    return schema if isinstance(schema, dict) and "default" in schema else {}


def _is_default(
    value: JSONValue, contract: Contract, wording: Wording, tool: str, name: str
) -> bool:
    schema = _default_of(contract, wording, tool, name)
    return bool(schema) and same(schema["default"], value)


def _left_to_default(
    matcher: Matcher, contract: Contract, wording: Wording, tool: str, name: str
) -> bool:
    """Whether leaving it out does the same: the tool then takes its default, which is right."""
    schema = _default_of(contract, wording, tool, name)
    if not schema or wording.parameter_shown(tool, name) in contract.required:
        return False
    return matcher.matches(schema["default"])


def _is_of_wrong_type(
    slip: Slip, called: str, contract: Contract, written: Arguments | Unparsable
) -> bool:
    """By what was wanted, or by the tool's schema, which may look deeper."""
    types = slip.matcher.types if slip.matcher else ANY_TYPE
    if types and json_type(slip.value) not in types:
        return True
    return any(
        error.kind.name == "type" and error.instance_path[:1] == [called]
        for error in contract.validator.iter_errors(written)
    )


def _refused(contract: Contract, wording: Wording, tool: str, written: Arguments) -> list[Slip]:
    """What the schema refuses where the matchers found nothing."""
    found: list[Slip] = []
    for error in contract.validator.iter_errors(written):
        keyword, path = error.kind.name, error.instance_path
        name = wording.parameter_called(tool, str(path[0])) if path else ""
        mistake = REFUSED.get(keyword, Mistake.WRONG_VALUE)
        if mistake is not Mistake.WRONG_TYPE and path:
            mistake = Mistake.WRONG_VALUE
        why = head(error.message, REASON_BYTES)  # it quotes what came, however much that is
        says = f"{name or 'the arguments'}: the tool's schema refuses it: {why}"
        found.append(Slip(mistake, name, says=says))
    return found


REFUSED: Mapping[str, Mistake] = {
    "type": Mistake.WRONG_TYPE,
    "required": Mistake.MISSING,
    "additionalProperties": Mistake.INVENTED,
    "unevaluatedProperties": Mistake.INVENTED,
}
"""What the keywords of JSON Schema mean at the top; all others are wrong values."""
