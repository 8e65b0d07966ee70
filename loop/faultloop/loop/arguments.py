"""From the text that a model wrote to arguments that a tool may be given (SPEC P2, P4, P5, P7).

The text of a finished call comes in; `Parsed`, `Repaired` or `Rejected` comes out. Repairs are the
table `repairs.REPAIRS`, of which a policy may leave some out; what remains is validated strictly,
and a rejection says what is wrong where, what was received, and what to send (`complaint`). It is
text for the model, bounded and safe to journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from faultloop.loop import strict_json
from faultloop.loop.complaint import complaint, rejection
from faultloop.loop.contract import Contract
from faultloop.loop.repairs import (
    ALWAYS_MADE,
    FULL,
    REPAIRS,
    Draft,
    Refusal,
    Rules,
    glued_objects,
    unwrapped,
)
from faultloop.loop.strict_json import NotJSON, Value


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    """The text was right as it stood."""

    args: dict[str, Any]


class Repaired(msgspec.Struct, frozen=True, kw_only=True):
    """The text was right but for its form."""

    args: dict[str, Any]
    steps: tuple[str, ...]
    """What was mended, in order: a repair's name, with its detail after a colon."""
    warning: str
    """The same in sentences, to stand before the result that the model reads (SPEC C3)."""


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """The tool must not be given this; the message is the call's result (SPEC P7)."""

    message: str
    code: str = "INVALID_ARGS"


Reading = Parsed | Repaired | Rejected


def read(text: str, contract: Contract, rules: Rules = FULL) -> Reading:
    """Read the arguments of one call of a whole reply; those of a cut one are never read (P1)."""
    args = strict_json.unquestioned(text)
    if isinstance(args, dict) and _is_right(args, contract):
        return Parsed(args=args)
    return mended(text, contract, rules)


def _is_right(args: dict[str, Any], contract: Contract) -> bool:
    """Whether no repair would find anything to do. Says no where it would have to look closely."""
    in_doubt = contract.parameter_aliases or contract.strict in ("preferred", "required")
    return not in_doubt and contract.validator.is_valid(args)


def mended(text: str, contract: Contract, rules: Rules = FULL) -> Reading:
    """The same the long way, right for every text: through all repairs that the rules allow."""
    draft = Draft(text=text, decoded=strict_json.read(text))
    for name, repair in REPAIRS.items():
        if name not in rules.repairs and name not in ALWAYS_MADE:
            continue
        mended = repair(draft, contract)
        if isinstance(mended, Refusal):
            return _reject(contract, rules, text, mended.problem, mended.advice)
        draft = mended
    return _validated(draft, contract, rules)


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical(args: dict[str, Any]) -> str:
    """The one spelling of arguments that is journalled and compared.

    It is the standard library's; msgspec's is the same for all that is plain, at a seventh of the
    price.
    """
    if _is_plain(args):
        try:
            return msgspec.json.encode(args, order="sorted").decode()
        except (UnicodeEncodeError, OverflowError):  # half a character, a number beyond 64 bits
            pass
    return _CANONICAL.encode(args)


PLAIN = frozenset({str, int, bool, type(None)})
"""What everybody spells alike; floats are spelt in several ways."""


def _is_plain(value: object) -> bool:
    if type(value) is dict:
        for key, inner in value.items():
            if type(key) is not str or not _is_plain(inner):
                return False
        return True
    if type(value) is list:
        return all(_is_plain(inner) for inner in value)
    return type(value) in PLAIN


@lru_cache(maxsize=1024)  # every request says again all calls of the conversation
def replayable(text: str) -> str:
    """The text as a provider accepts it back in the history: always one JSON object.

    Providers refuse a request whose history holds anything else, for ever after. A good text goes
    back as it is; of a mended one the object that was read; of a hopeless one nothing, since its
    result quotes what was received.
    """
    decoded = strict_json.read(text)
    if isinstance(decoded, Value) and isinstance(decoded.value, dict):
        return text
    inner = unwrapped(decoded)
    if inner is not None:
        return json.dumps(inner, ensure_ascii=False)
    objects = glued_objects(text)
    return json.dumps(objects[0], ensure_ascii=False) if objects else "{}"


def _validated(draft: Draft, contract: Contract, rules: Rules) -> Reading:
    if not draft.text.strip(strict_json.WHITESPACE) and not draft.steps:
        return _reject(
            contract,
            rules,
            draft.text,
            "the arguments are empty",
            "Write the arguments again, whole, as one JSON object.",
        )
    if isinstance(draft.decoded, NotJSON):
        return _reject(
            contract,
            rules,
            draft.text,
            f"they are not valid JSON: {draft.decoded}",
            "Write the arguments again, whole, as one JSON object.",
            around=draft.decoded.position,
        )
    args = draft.args
    if args is None:
        return _reject(
            contract,
            rules,
            draft.text,
            f"a JSON object is expected, but {_kind(draft.decoded.value)} was received",
            "Put the values into one JSON object, each under its parameter's name.",
        )
    if not contract.validator.is_valid(args):
        found = complaint(contract, args)
        return _reject(contract, rules, draft.text, found.problem, found.advice, mended=draft.notes)
    if not draft.steps:
        return Parsed(args=args)
    return Repaired(args=args, steps=draft.steps, warning=" ".join(draft.notes))


def _reject(
    contract: Contract,
    rules: Rules,
    text: str,
    problem: str,
    advice: str,
    *,
    around: int | None = None,
    mended: Iterable[str] = (),
) -> Rejected:
    message = rejection(
        contract,
        text,
        problem,
        advice,
        around=around,
        mended=tuple(mended),
        wording=rules.complaints,
    )
    return Rejected(message=message)


def _kind(value: strict_json.JSONValue) -> str:
    for kind, name in KINDS:
        if isinstance(value, kind):
            return name
    return "null"


KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (str, "a string"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (dict, "an object"),
)
"""Order matters: in Python a bool is an int."""
