"""What may start now (SPEC C5, S1, S3, S5, S6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.contract import Contract
from faultloop.loop.schedule import Planned, Progress, WholeBatch, classify, decide, in_the_way


def contract(name: str, **declared: Any) -> Contract:
    return Contract(
        name=name,
        purpose="p",
        parameters={"type": "object", "additionalProperties": True},
        **declared,
    )


READ = contract("read", concurrency_safe=True, read_only=True)
NOTE = contract("note", concurrency_safe=True)
EDIT = contract("edit", concurrency_safe=True, resource=lambda args: args["path"])
TEST = contract("test")
SHIP = contract("ship", concurrency_safe=True, depends_on=("test", "read"))
LAUNCH = contract("launch", depends_on=("ship",))


def batch(*contracts: Contract | None, args: dict[str, Any] | None = None) -> list[Planned]:
    given = {"path": "a"} if args is None else args
    return [
        Planned(call=str(place), contract=contract, args=given)
        for place, contract in enumerate(contracts)
    ]


STATES: dict[str, Progress] = {"w": "waiting", "r": "running", "o": "ok", "f": "failed"}


def starts(contracts: list[Contract | None], states: str, **policy: Any) -> str:
    progress = {str(place): STATES[letter] for place, letter in enumerate(states)}
    return "".join(decide(batch(*contracts), progress, **policy).start)


TABLE: list[tuple[list[Contract | None], str, str]] = [
    # batch, state of each call (waiting, running, ok, failed), which start
    ([READ, READ, READ], "www", "012"),
    ([READ, READ, READ], "rwo", "1"),
    ([TEST], "w", "0"),
    ([TEST, READ], "ww", "0"),
    ([TEST, READ], "rw", ""),
    ([TEST, READ], "ow", "1"),
    ([TEST, READ], "fw", "1"),
    ([READ, READ, TEST, READ], "wwww", "01"),
    ([READ, READ, TEST, READ], "orww", ""),
    ([READ, READ, TEST, READ], "ooww", "2"),
    ([READ, READ, TEST, READ], "ofww", "2"),
    ([READ, READ, TEST, READ], "oorw", ""),
    ([READ, READ, TEST, READ], "ooow", "3"),
    ([TEST, TEST], "ww", "0"),
    ([EDIT, EDIT, READ], "www", "02"),
    ([EDIT, EDIT, READ], "rww", "2"),
    ([EDIT, EDIT, READ], "owr", "1"),
    ([SHIP, READ], "ww", "01"),  # depends only on what came before it
    ([READ, SHIP], "ww", "0"),
    ([READ, SHIP], "rw", ""),
    ([READ, SHIP], "ow", "1"),
    ([READ, SHIP, NOTE], "rww", "2"),
    ([None, READ], "fw", "1"),
    ([], "", ""),
]


@pytest.mark.parametrize(("contracts", "states", "expected"), TABLE)
def test_what_may_start_now(contracts: list[Contract | None], states: str, expected: str) -> None:
    assert starts(contracts, states) == expected


def test_the_pool_is_bounded_and_counts_what_runs() -> None:
    assert starts([READ] * 5, "wwwww", pool=3) == "012"
    assert starts([READ] * 5, "rrwww", pool=3) == "2"
    assert starts([READ] * 5, "rrrww", pool=3) == ""


def test_a_failed_dependency_refuses_its_dependants_and_theirs() -> None:
    planned = batch(TEST, SHIP, LAUNCH, READ)
    progress: dict[str, Progress] = {"0": "failed", "1": "waiting", "2": "waiting", "3": "waiting"}
    decision = decide(planned, progress)
    assert decision.refuse == {"1": "test", "2": "ship"}
    assert decision.start == ("3",)
    assert progress["1"] == "waiting", "the caller's value is not touched"


def test_a_dependant_behind_a_barrier_is_refused_at_once() -> None:
    planned = batch(READ, TEST, SHIP)
    decision = decide(planned, {"0": "failed", "1": "running", "2": "waiting"})
    assert decision.refuse == {"2": "read"}


WHOLE: list[tuple[WholeBatch, list[Contract | None], str]] = [
    ("per_call", [READ, READ, TEST], "01"),
    ("one_sequential_serialises", [READ, READ, TEST], "0"),
    ("one_sequential_serialises", [READ, NOTE], "01"),
    ("all_read_only", [READ, READ], "01"),
    ("all_read_only", [READ, NOTE], "0"),
    ("all_read_only", [READ, None], "0"),
]


@pytest.mark.parametrize(("policy", "contracts", "expected"), WHOLE)
def test_whole_batch_policies(
    policy: WholeBatch, contracts: list[Contract | None], expected: str
) -> None:
    assert starts(contracts, "w" * len(contracts), whole_batch=policy) == expected


def raising(args: dict[str, Any]) -> str:
    raise KeyError("path")


CLASSES: list[tuple[object, dict[str, Any] | None, str]] = [
    (True, {}, "parallel"),
    (False, {}, "exclusive"),
    (True, None, "exclusive"),
    (lambda args: args.get("dry") is True, {"dry": True}, "parallel"),
    (lambda args: args.get("dry"), {"dry": "yes"}, "exclusive"),  # truthy is not True
    (lambda args: args.get("dry") is True, {}, "exclusive"),
    (raising, {}, "exclusive"),
    (1, {}, "exclusive"),
]


@pytest.mark.parametrize(("declared", "args", "mode"), CLASSES)
def test_only_exactly_true_is_parallel(
    declared: Any, args: dict[str, Any] | None, mode: str
) -> None:
    assert classify(contract("t", concurrency_safe=declared), args) == mode


def test_a_tool_that_is_unknown_or_cannot_name_its_resource_is_exclusive() -> None:
    assert classify(None, {}) == "exclusive"
    assert classify(contract("t", concurrency_safe=True, resource=raising), {}) == "exclusive"


def test_a_call_is_classified_again_each_time() -> None:
    answers = iter([True, False])
    wavering: Callable[[dict[str, Any]], object] = lambda args: next(answers)  # noqa: E731
    planned = batch(READ, contract("t", concurrency_safe=wavering))
    assert decide(planned, {"0": "running", "1": "waiting"}).start == ("1",)
    assert decide(planned, {"0": "running", "1": "waiting"}).start == ()


@given(data=st.data())
def test_every_batch_drains_and_no_exclusive_call_ever_has_company(data: st.DataObject) -> None:
    kinds = st.sampled_from([READ, NOTE, EDIT, TEST, SHIP, LAUNCH])
    contracts = data.draw(st.lists(kinds, max_size=8))
    planned = batch(*contracts)
    progress: dict[str, Progress] = {call.call: "waiting" for call in planned}
    pool = data.draw(st.integers(1, 4))
    while "waiting" in progress.values() or "running" in progress.values():
        decision = decide(planned, progress, pool=pool)
        progress.update(dict.fromkeys(decision.refuse, "failed"))
        progress.update(dict.fromkeys(decision.start, "running"))
        running = [call for call in planned if progress[call.call] == "running"]
        assert running or decision.refuse, "something must move"
        assert len(running) <= pool
        alone = any(classify(call.contract, call.args) == "exclusive" for call in running)
        assert len(running) == 1 or not alone
        assert sum(call.contract is EDIT for call in running) <= 1, "one resource, one mutation"
        if running:
            ended = data.draw(st.sampled_from(running))
            progress[ended.call] = data.draw(st.sampled_from(["ok", "failed"]))


STRAYS: list[tuple[Contract, Contract, bool]] = [
    # what still runs though it was to stop, what would start, whether it may not
    (EDIT, EDIT, True),
    (EDIT, TEST, True),
    (EDIT, READ, False),
    (NOTE, EDIT, False),
    (contract("lost", concurrency_safe=True, resource=raising), EDIT, False),
    (contract("lost", concurrency_safe=True, resource=raising), TEST, True),
]


@pytest.mark.parametrize(("stray", "wanted", "forbidden"), STRAYS)
def test_what_could_not_be_stopped_forbids_what_would_be_beside_it(
    stray: Contract, wanted: Contract, forbidden: bool
) -> None:
    (still,), (next_one,) = batch(stray), batch(wanted)
    assert in_the_way(next_one, [still]) == (still if forbidden else None)
