"""Options of comparisons: the same everywhere, and each arrives where it means something."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from faultloop.bench import options
from faultloop.bench.cli import app
from faultloop.bench.comparing.asked import Shared
from faultloop.bench.comparing.command import BadComparison, Wanted
from faultloop.bench.comparing.under_pytest import TYPED_AS
from faultloop.bench.comparing.wanting import wanted
from faultloop.scenarios.wordings.models.asking import CONCURRENCY
from faultloop.scenarios.wordings.models.budget import Limits, price_of
from faultloop.scenarios.wordings.models.endpoint import AS_IT_IS, Settings
from faultloop.scenarios.wordings.planning import Design

NAMES = [field.name for field in fields(Shared)]
COMMANDS = (("compare",), ("wordings", "errors"), ("wordings", "runs"))


def wants(shared: Shared) -> Wanted:
    """A comparison of two wordings, asked for so."""
    return wanted(
        shared,
        wordings=("a", "b"),
        tasks="t",
        model="m",
        report_dir=Path("out"),
        command="faultloop compare a b",
    )


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_takes_every_shared_option(words: tuple[str, ...]) -> None:
    command: Any = get_command(app)
    for word in words:
        command = command.commands[word]
    assert {f"--{name.replace('_', '-')}" for name in NAMES} <= {
        option for parameter in command.params for option in parameter.opts
    }


def test_pytest_takes_every_shared_option() -> None:
    dests = {option.dest for option in options.OPTIONS}
    assert {f"faultloop_{TYPED_AS.get(name, name)}" for name in NAMES} <= dests
    assert not {f"faultloop_{name}" for name in TYPED_AS} & dests


def test_what_is_not_typed_is_as_its_part_has_it() -> None:
    found = wants(Shared())
    assert (found.settings, found.design, found.limits) == (AS_IT_IS, Design(), Limits())
    assert (found.concurrency, found.margin, found.cache.name) == (CONCURRENCY, 0.0, "answers")


def test_all_that_is_typed_arrives() -> None:
    shared = Shared(
        margin=3.0,
        orders=2,
        samples=3,
        seed=4,
        strict="required",
        temperature=0.5,
        sampling_seed=6,
        output_tokens=7,
        timeout=8.0,
        key_variable="KEY",
        max_requests=9,
        max_cost=10.0,
        price_input=11.0,
        price_output=12.0,
        price_cached=13.0,
        concurrency=14,
        cache=Path("kept"),
        fresh=True,
    )
    untouched = [name for name in NAMES if getattr(shared, name) == getattr(Shared(), name)]
    assert untouched == [], "else this shows nothing of them"
    found = wants(shared)
    assert found.settings == Settings(
        temperature=0.5, seed=6, output_tokens_max=7, timeout_s=8.0, key_variable="KEY"
    )
    assert found.design == Design(orders=2, samples=3, seed=4, strict="required")
    assert found.limits == Limits(
        requests_max=9, cost_usd_max=10.0, price=price_of(11.0, 12.0, 13.0)
    )
    assert (found.margin, found.concurrency, found.cache, found.fresh) == (
        *(0.03, 14, Path("kept"), True),
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"margin": float("nan")}, "--margin nan"),
        ({"margin": 100.0}, "--margin 100"),
        ({"orders": 0}, "--orders"),
        ({"seed": -1}, "--seed"),
        ({"temperature": float("inf")}, "--temperature inf"),
        ({"sampling_seed": 2**64}, "--sampling-seed"),
        ({"output_tokens": 0}, "--output-tokens 0"),
        ({"timeout": 0.0}, "--timeout 0"),
        ({"max_requests": -1}, "--max-requests -1"),
        ({"max_cost": 1.0}, "--price-input"),
        ({"price_input": 1.0}, "give both"),
        ({"concurrency": 0}, "--concurrency 0"),
    ],
)
def test_what_is_out_of_range_is_told_with_its_option(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(BadComparison, match=told):
        wants(replace(Shared(), **wrong))
