"""What a rendering is, and the one place that decides about strict decoding (SPEC C1, C11).

A tool has a wish and a provider has a setting; `WANTED` says what follows from the two. Whatever
follows, what cannot be had is said: as a note where it was only preferred, as an error where it was
required. A tool that says nothing itself is only put into a strict form that changes nothing about
its parameters: reading null as "left out" is for its author to allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from faultloop.loop.contract.declaration import ContractError, Strict
from faultloop.loop.contract.strict import Converted, NotConvertible, Profile, strict_form


class StrictImpossible(ContractError):
    """Strict decoding is required, but the schema or the provider cannot do it."""


class Rendered(msgspec.Struct, frozen=True):
    """One tool as a dialect spells it."""

    tool: dict[str, Any]
    strict: bool = False
    """Whether its arguments are decoded under constraint."""
    notes: tuple[str, ...] = ()
    """Why not, where that was preferred; or what only local validation enforces."""


class Chosen(NamedTuple):
    """What was decided about one tool's parameters."""

    parameters: dict[str, Any]
    strict: bool
    notes: tuple[str, ...]


Wanted = Literal["off", "preferred", "required", "switched_off", "contradiction"]

WANTED: Mapping[tuple[Strict | None, Strict], Wanted] = MappingProxyType(
    {
        (None, "off"): "off",
        (None, "preferred"): "preferred",
        (None, "required"): "required",
        ("off", "off"): "off",
        ("off", "preferred"): "off",
        ("off", "required"): "contradiction",
        ("preferred", "off"): "switched_off",
        ("preferred", "preferred"): "preferred",
        ("preferred", "required"): "required",
        ("required", "off"): "contradiction",
        ("required", "preferred"): "required",
        ("required", "required"): "required",
    }
)
"""(the tool's wish, the provider's setting) to what is tried."""


def choose(
    face: Mapping[str, Any], setting: Strict | None, *, dialect: str, profile: Profile | None
) -> Chosen:
    """Decide how the parameters of a tool's face are spelt.

    `setting`: the provider's; None leaves it to each tool. `profile`: None where the dialect has no
    strict mode for a single tool. Raises StrictImpossible.
    """
    wish: Strict | None = face.get("strict")
    wanted = WANTED[wish, setting] if setting is not None else wish or "off"
    parameters = face["parameters"]
    if wanted == "off":
        return Chosen(parameters, False, ())
    name = face["name"]
    if wanted == "contradiction":
        raise StrictImpossible(
            f"strict decoding of {name} is {wish} by the tool, but {setting} by the setting of the"
            f" provider ({dialect})"
        )
    if wanted == "switched_off":
        return Chosen(parameters, False, (f"{name}: strict decoding is off at this provider",))
    if profile is None:
        why = f"{dialect} has no strict decoding of a single tool's arguments"
    else:
        form = _form(msgspec.json.encode(parameters), profile)
        if isinstance(form, Converted) and (wish is not None or not form.nullable):
            left_out = tuple(f"{name}: {remark}" for remark in form.left_out)
            return Chosen(form.schema, True, left_out)
        why = _why_not(form)
    if wanted == "required":
        raise StrictImpossible(f"{name} requires strict decoding, but: {why}")
    return Chosen(parameters, False, (f"{name} is decoded without constraint: {why}",))


def _why_not(form: Converted | NotConvertible) -> str:
    if isinstance(form, NotConvertible):
        return f"its parameters have no strict form ({form})"
    return (
        f"its optional parameters ({', '.join(form.nullable)}) would have to become null; declare"
        " strict on the tool itself to allow that"
    )


@lru_cache(maxsize=256)  # every request renders all tools again
def _form(parameters: bytes, profile: Profile) -> Converted | NotConvertible:
    return strict_form(msgspec.json.decode(parameters), profile)
