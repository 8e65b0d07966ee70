"""How a failed call is worded for the model: one table.

`where-what-how` is what the reference loop says (SPEC P7): the place, what was received, how to
mend it, the shape that is expected. The others say less, or the same without the tool's example. A
tool without an example is told the same in both ways, and a name of no tool has no example either.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from faultloop.loop.arguments import Rejected, read
from faultloop.loop.contract import Contract
from faultloop.loop.message import Call
from faultloop.loop.repairs import Rules


class Failed(NamedTuple):
    """A call that was refused."""

    call: Call
    contract: Contract | None
    """None: no tool is called so."""
    says: str
    """What the reference loop says of it."""


Style = Callable[[Failed], str]

VAGUE = "Error: invalid arguments."
VAGUE_NAME = "Error: unknown tool."


def vague(failed: Failed) -> str:
    """That something is wrong, and no more."""
    return VAGUE_NAME if failed.contract is None else VAGUE


def vague_example(failed: Failed) -> str:
    """The same, with the tool's example."""
    contract = failed.contract
    if contract is None or contract.example is None:
        return vague(failed)
    return f"{VAGUE}\nExample: {json.dumps(contract.example, ensure_ascii=False)}"


def problem(failed: Failed) -> str:
    """What is wrong and where, as validators word it: neither what was received nor what to do."""
    return _said_again(failed, failed.contract, Rules(complaints="failed"))


def where_what_how(failed: Failed) -> str:
    """The loop's own words."""
    return failed.says


def no_example(failed: Failed) -> str:
    """The loop's own words, without the tool's example."""
    bare = failed.contract and replace(failed.contract, example=None)
    return _said_again(failed, bare, Rules())


def _said_again(failed: Failed, contract: Contract | None, rules: Rules) -> str:
    """What the loop would say of the same arguments, of this contract under these rules."""
    if contract is None:
        return failed.says
    reading = read(failed.call.arguments, contract, rules)
    return reading.message if isinstance(reading, Rejected) else failed.says


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "vague": vague,
        "vague-example": vague_example,
        "problem": problem,
        "no-example": no_example,
        "where-what-how": where_what_how,
    }
)
"""Name to the words."""
