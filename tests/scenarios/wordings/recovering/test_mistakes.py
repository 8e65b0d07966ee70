"""Mistakes: each spoils a call in its own way, seeded, and the loop refuses it."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from faultloop.loop.contract import Contract
from faultloop.scenarios.wordings.recovering.mistakes import MISTAKES, Right, Spelt, misspelt
from faultloop.scenarios.wordings.recovering.playing import after_mistake, registry
from faultloop.scenarios.wordings.recovering.styles import where_what_how

MERGE = Contract(
    name="merge_request",
    purpose="Merges.",
    parameters={
        "type": "object",
        "required": ["number"],
        "properties": {
            "number": {"type": "integer"},
            "how": {"type": "string", "enum": ["squash", "rebase"]},
        },
    },
)
ARGS = {"number": 7, "how": "squash"}


def spoilt(kind: str, seed: int = 0, contract: Contract = MERGE, args: Any = ARGS) -> Spelt | None:
    return MISTAKES[kind](Right(contract, dict(args)), Random(f"{seed}/{kind}"))


@pytest.mark.parametrize("kind", MISTAKES)
@pytest.mark.parametrize("seed", range(4))
def test_the_loop_refuses_every_mistake(kind: str, seed: int) -> None:
    spelt = spoilt(kind, seed)
    assert spelt is not None
    assert spelt == spoilt(kind, seed), "seeded"
    told = asyncio.run(after_mistake("Merge 7.", spelt, registry([MERGE]), where_what_how))
    assert told is not None


def test_each_mistake_is_the_one_that_it_is_called() -> None:
    def args(kind: str) -> Any:
        spelt = spoilt(kind)
        assert spelt is not None
        return json.loads(spelt.arguments)

    assert args("missing parameter") == {"how": "squash"}
    assert args("wrong type") in (
        {"number": "7", "how": "squash"},
        {"number": 7, "how": ["squash"]},
    )
    assert args("unknown parameter").keys() in ({"numbers", "how"}, {"number", "hows"})
    assert args("wrong enum value") == {"number": 7, "how": "SQUASH"}
    assert spoilt("misspelt tool name") == ("mergeRequest", json.dumps(ARGS))
    broken = spoilt("broken JSON")
    assert broken is not None
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.arguments)


def test_a_call_that_cannot_be_spoilt_so_is_none() -> None:
    bare = Contract(name="now", purpose="Tells the time.", parameters={"type": "object"})
    found = {kind: spoilt(kind, contract=bare, args={}) for kind in MISTAKES}
    assert {kind for kind, spelt in found.items() if spelt} == {"misspelt tool name", "broken JSON"}


def test_names_are_misspelt_as_models_do_it() -> None:
    assert [misspelt(name) for name in ("read_file", "path")] == ["readFile", "paths"]
