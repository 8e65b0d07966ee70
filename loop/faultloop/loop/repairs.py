"""Repairs: what may be mended in the arguments that a model wrote, in this order (SPEC P4).

Each repair has a name, which the journal keeps, and a sentence, which the model reads: nothing is
mended in silence. A repair changes the form in which a value was written, never the value: no wrong
type is coerced, no missing field invented. Where one would choose between readings, a tool with
effects gets an error result instead. `Rules` says which repairs a policy allows; `arguments`
runs them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from faultloop.loop import strict_json
from faultloop.loop.complaint import Wording
from faultloop.loop.contract import Contract
from faultloop.loop.contract.strict_nulls import nulls_left_out
from faultloop.loop.output import head
from faultloop.loop.strict_json import NotJSON, Value

LAYERS_MAX = 3
"""How often a text may have been encoded as a JSON string; more is damage, not a habit."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments on their way through the repairs."""

    text: str
    decoded: Value | NotJSON
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def mended(self, step: str, note: str, value: object) -> Draft:
        """The draft after a repair."""
        return replace(
            self,
            decoded=Value(cast(strict_json.JSONValue, value)),
            steps=(*self.steps, step),
            notes=(*self.notes, note),
        )

    @property
    def args(self) -> dict[str, Any] | None:
        """The object that was decoded, if it is one."""
        if isinstance(self.decoded, Value) and isinstance(self.decoded.value, dict):
            return self.decoded.value
        return None


class Refusal(msgspec.Struct, frozen=True):
    """A repair that knows how to mend the text but may not: for a tool with effects it is not
    certain what was meant. Ends the chain with this problem and this advice."""

    problem: str
    advice: str


Repair = Callable[[Draft, Contract], Draft | Refusal]
"""Gives the draft back as it was where there is nothing to mend."""


# --- the repairs -----------------------------------------------------------------------------


def empty_object(draft: Draft, contract: Contract) -> Draft | Refusal:
    """An empty text is `{}` where that can do no harm; else an explicit object is asked for."""
    if draft.text.strip(strict_json.WHITESPACE):
        return draft
    if contract.read_only or not contract.properties:
        return draft.mended("empty_object", "The empty arguments were read as {}.", {})
    return Refusal(
        "they are empty, and this tool changes things, so they are not guessed",
        "Send an explicit JSON object; {} only if you really mean no arguments.",
    )


def unwrap_string(draft: Draft, contract: Contract) -> Draft:
    """An object encoded as a JSON string is that object."""
    inner = unwrapped(draft.decoded)
    if inner is None:
        return draft
    note = "The arguments were a JSON object encoded once more as a string; it was unwrapped."
    return draft.mended("unwrap_string", note, inner)


def keep_last(draft: Draft, contract: Contract) -> Draft | Refusal:
    """Of two values under one key the last, as JSON readers do; never for a tool with effects."""
    args = draft.args
    text = _innermost(draft.text) if draft.steps else draft.text
    key = None if args is None else strict_json.repeated_key(text)
    if args is None or key is None:
        return draft
    if not contract.read_only:
        return Refusal(
            f"the key {_quoted(key)} is given more than once, and this tool changes things, so"
            " neither value was chosen",
            "Give each key once.",
        )
    note = f"The key {_quoted(key)} was given more than once; the last value was used."
    return draft.mended(f"keep_last:{head(key, 100)}", note, args)


def split_glued(draft: Draft, contract: Contract) -> Draft | Refusal:
    """Of several objects glued together, the first that fits; never for a tool with effects."""
    if not isinstance(draft.decoded, NotJSON):
        return draft
    objects = glued_objects(draft.text)
    if len(objects) < 2:
        return draft
    if not contract.read_only:
        return Refusal(
            f"{len(objects)} JSON objects are glued together, and this tool changes things, so"
            " none of them was chosen",
            "Make one call for each object.",
        )
    chosen = next((i for i, found in enumerate(objects) if _fits(found, contract)), 0)
    note = (
        f"The arguments held {len(objects)} JSON objects glued together: only number {chosen + 1}"
        f" was run, {_quoted(objects[chosen])}. The rest was not run; make one call for each."
    )
    return draft.mended(f"split_glued:{chosen + 1} of {len(objects)}", note, objects[chosen])


def rename_parameters(draft: Draft, contract: Contract) -> Draft:
    """A declared misspelling stands for its parameter, unless both are there."""
    for wrong, right in contract.parameter_aliases.items():
        args = draft.args
        if args is None or wrong not in args or right in args or wrong in contract.properties:
            continue
        renamed = {right if name == wrong else name: value for name, value in args.items()}
        draft = draft.mended(
            f"rename_parameters:{wrong}->{right}", f"{wrong} was read as {right}.", renamed
        )
    return draft


def strict_nulls(draft: Draft, contract: Contract) -> Draft:
    """Under strict decoding a model writes null for an optional parameter that it leaves out."""
    args = draft.args
    if args is None or contract.strict not in ("preferred", "required"):
        return draft
    left_out = nulls_left_out(args, contract.parameters)
    if not left_out.places:
        return draft
    places = ", ".join(left_out.places)
    told = ", ".join(place[1:].replace("/", ".") for place in left_out.places)
    return draft.mended(
        f"strict_nulls:{places}", f"null was read as left out: {told}.", left_out.args
    )


def list_parameters(draft: Draft, contract: Contract) -> Draft:
    """A list may arrive as a list, as an encoded list, or as its only item."""
    args = draft.args
    if args is None or contract.validator.is_valid(args):
        return draft
    wrong = {_parameter(error.instance_path) for error in contract.validator.iter_errors(args)}
    for name in contract.properties:  # in declared order, so that the journal is the same each time
        if name not in wrong:
            continue
        meant = _as_list(args[name])
        if meant is None:
            continue
        tried = {**args, name: meant.items}
        if not _complains_of(name, tried, contract):
            read_as = f"the {meant.form} received was read as {_quoted(meant.items)}"
            draft = draft.mended(f"list_parameters:{name}", f"{name} is a list: {read_as}.", tried)
            args = tried
    return draft


REPAIRS: dict[str, Repair] = {
    "empty_object": empty_object,
    "unwrap_string": unwrap_string,
    "keep_last": keep_last,
    "split_glued": split_glued,
    "rename_parameters": rename_parameters,
    "strict_nulls": strict_nulls,
    "list_parameters": list_parameters,
}
"""SPEC P4's order. Parsing whole comes before all of them; a misspelt tool name is mapped by
`registry`, which has to know the tool before its schema can be asked; validation comes last."""


ALWAYS_MADE: frozenset[str] = frozenset({"strict_nulls"})
"""What no rules leave out. It mends no slip: the strict form that a provider was given asks for
those nulls, and a loop that refused them would refuse what it had asked for (SPEC C11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a policy makes of wrong arguments (SPEC P4, P7)."""

    repairs: frozenset[str] = frozenset(REPAIRS)
    """Names of those that are tried beside `ALWAYS_MADE`, always in the table's order."""
    complaints: Wording = "full"
    """How a rejection is worded."""


FULL = Rules()


# --- what the repairs look at ----------------------------------------------------------------


def unwrapped(decoded: Value | NotJSON) -> dict[str, strict_json.JSONValue] | None:
    """The object that was encoded as a string, perhaps more than once."""
    for _ in range(LAYERS_MAX):
        if not isinstance(decoded, Value) or not isinstance(decoded.value, str):
            return None
        decoded = strict_json.read(decoded.value)
        if isinstance(decoded, Value) and isinstance(decoded.value, dict):
            return decoded.value
    return None


def _innermost(text: str) -> str:
    """The text of the object itself, where it was encoded as a string."""
    for _ in range(LAYERS_MAX):
        decoded = strict_json.read(text)
        if not isinstance(decoded, Value) or not isinstance(decoded.value, str):
            break
        text = decoded.value
    return text


def glued_objects(text: str) -> list[dict[str, strict_json.JSONValue]]:
    """All the glued values, if each of them is an object; a cut or foreign one spoils the rest."""
    glued = strict_json.read_glued(text.strip(strict_json.WHITESPACE))
    if isinstance(glued, NotJSON):
        return []
    objects = [value for value in glued.values if isinstance(value, dict)]
    return objects if len(objects) == len(glued.values) else []


def _fits(args: dict[str, strict_json.JSONValue], contract: Contract) -> bool:
    draft = Draft(text="", decoded=Value(args))
    settled = list_parameters(rename_parameters(draft, contract), contract)
    return contract.validator.is_valid(settled.args)


def _parameter(path: list[str | int]) -> str | int | None:
    return path[0] if len(path) == 1 else None


def _complains_of(name: str, args: dict[str, Any], contract: Contract) -> bool:
    errors = contract.validator.iter_errors(args)
    return any(error.instance_path[:1] == [name] for error in errors)


class _AsList(NamedTuple):
    items: list[Any]
    form: str


def _as_list(value: object) -> _AsList | None:
    """The list that a value stands for, and the form in which it came; None if it is one."""
    if value is None or isinstance(value, list):
        return None
    if isinstance(value, str):
        decoded = strict_json.read(value)
        if isinstance(decoded, Value) and isinstance(decoded.value, list):
            return _AsList(decoded.value, "encoded list")
        if value.lstrip(strict_json.WHITESPACE).startswith("["):
            return None  # a list that went wrong: to run it as one item would be a guess
    return _AsList([value], "single item")


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else head(text, 200) + "..."
