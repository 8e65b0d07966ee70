"""Foreign tools: their names, and what their servers' hints may do (SPEC C2, C10)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.contract import NAMES, Contract, ContractError
from faultloop.loop.tools.mcp import listing
from faultloop.loop.tools.mcp.naming import Inner, check_server, inner, outer

RECKLESS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
RECKLESS_META = {
    "faultloop/concurrencySafe": True,
    "faultloop/cancellable": True,
    "faultloop/honoursKey": True,
    "faultloop/risk": "low",
    "faultloop/verifyWith": "look",
    "faultloop/dependsOn": ["look"],
}
ENTRY = {"name": "act", "description": "Act.", "inputSchema": {"type": "object"}}


def made(
    annotations: dict[str, Any] | None = None,
    meta: dict[str, Any] | None = None,
    *,
    trusted: bool = False,
    **declared: Any,
) -> Contract:
    entry = {**ENTRY, "annotations": annotations or {}, "_meta": meta or {}}
    return listing.contract("shed", entry, trusted=trusted, declared=declared)


CAREFUL = Contract(name="shed__act", purpose="Act.", parameters={"type": "object"})


def test_hints_of_an_untrusted_server_make_nothing_less_careful() -> None:
    assert made(RECKLESS, RECKLESS_META) == CAREFUL


def test_hints_of_a_trusted_server_are_taken_and_its_names_are_put_in_its_space() -> None:
    contract = made(RECKLESS, RECKLESS_META, trusted=True)
    assert contract.read_only
    assert contract.concurrency_safe is True
    assert contract.risk == "low"
    assert contract.verify_with == "shed__look"
    assert contract.depends_on == ("shed__look",)


VOUCHED: dict[str, Any] = {
    "read_only": True, "idempotent": True, "concurrency_safe": True, "cancellable": True,
    "honours_key": True, "destructive": False, "open_world": False, "risk": "low",
}  # fmt: skip

HEARD: list[tuple[dict[str, Any], str, object]] = [
    ({"readOnlyHint": False}, "read_only", False),
    ({"destructiveHint": True}, "read_only", False),
    ({"destructiveHint": True, "readOnlyHint": True}, "read_only", True),
    ({"destructiveHint": True}, "destructive", True),
    ({"idempotentHint": False}, "idempotent", False),
    ({"openWorldHint": True}, "open_world", True),
    ({"faultloop/concurrencySafe": False}, "concurrency_safe", False),
    ({"faultloop/cancellable": False}, "cancellable", False),
    ({"faultloop/honoursKey": False}, "honours_key", False),
    ({"faultloop/risk": "high"}, "risk", "high"),
    ({"faultloop/risk": "no such"}, "risk", "low"),
    ({}, "read_only", True),
]


@pytest.mark.parametrize(("hints", "field", "value"), HEARD)
def test_a_hint_that_asks_for_care_is_heard_against_the_hosts_word(
    hints: dict[str, Any], field: str, value: object
) -> None:
    assert getattr(made(hints, hints, **VOUCHED), field) == value
    assert getattr(made(hints, hints, trusted=True, **VOUCHED), field) == VOUCHED[field]


HINTS = st.fixed_dictionaries(
    {},
    optional={
        key: st.sampled_from([True, False, None, 1, "x"]) for key in (*RECKLESS, *RECKLESS_META)
    }
    | {"faultloop/risk": st.sampled_from(["low", "medium", "high", 3])},
)
BOOLEANS = ("read_only", "idempotent", "concurrency_safe", "cancellable", "honours_key")


@given(hints=HINTS)
def test_no_hint_of_an_untrusted_server_ever_widens_what_the_host_declared(
    hints: dict[str, Any],
) -> None:
    for declared in ({}, VOUCHED):
        contract, without = made(hints, hints, **declared), made(**declared)
        assert all(getattr(contract, name) <= getattr(without, name) for name in BOOLEANS)
        assert contract.destructive >= without.destructive
        assert contract.open_world >= without.open_world
        order = ("low", "medium", "high")
        assert order.index(contract.risk) >= order.index(without.risk)
        assert contract.verify_with is None


@pytest.mark.parametrize("name", ["shed", "my-shed", "a_b", "a-_b"])
def test_a_server_may_have_a_plain_name(name: str) -> None:
    assert check_server(name) == name


@pytest.mark.parametrize("name", ["", "a__b", "a_", "_a", "7a", "a b", "a.b", "a" * 25])
def test_a_server_whose_name_could_be_misread_is_refused(name: str) -> None:
    with pytest.raises(ContractError, match="an MCP server cannot be called"):
        check_server(name)


def test_a_plain_name_is_led_back_by_reading_it() -> None:
    assert outer("shed", "look") == "shed__look"
    assert inner("shed__look") == Inner("shed", "look")
    assert inner("a_b___look") == Inner("a_b", "_look")
    assert inner("look") is None


@given(st.text(st.characters(codec="utf-8"), max_size=200))
def test_every_name_becomes_one_that_providers_take(tool: str) -> None:
    name = outer("shed", tool)
    assert NAMES.fullmatch(name)
    assert name.startswith("shed__")
    if name == f"shed__{tool}":
        assert inner(name) == Inner("shed", tool)


def test_names_that_differ_only_in_what_is_cut_stay_apart() -> None:
    assert len({outer("shed", name) for name in ("a.b", "a/b", "a b", "x" * 80, "x" * 81)}) == 5
