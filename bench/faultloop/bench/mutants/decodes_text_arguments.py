"""A loop that unwraps whatever looks encoded twice, texts that are meant as texts included."""

from typing import Any

import msgspec

from faultloop.bench.mutants.mutant import Mutant
from faultloop.bench.mutants.rewriting import Rewriting
from faultloop.loop.contract import Contract
from faultloop.loop.engine import Agent


class Unwrapping(Rewriting):
    """Decodes every text once more."""

    def rewritten(self, args: dict[str, Any], contract: Contract) -> dict[str, Any]:
        """Texts that hold JSON are read, and spelt its own way."""
        return {name: _unwrapped(value) for name, value in args.items()}


def _unwrapped(value: object) -> object:
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return msgspec.json.encode(msgspec.json.decode(value)).decode()
    except msgspec.DecodeError:
        return value


class DecodesTextArguments(Agent):
    """Unwraps one layer too many."""

    executing = Unwrapping


MUTANT = Mutant(
    name="decodes-text-arguments",
    does="reads a text argument that holds JSON, and hands on its own spelling of it",
    claims=("P4", "C3"),
    breaks=("arguments_exact",),
    agent=DecodesTextArguments,
    scenarios=("json-text-stays-text", "double-encoded*"),
)
