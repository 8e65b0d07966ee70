"""Every limit ends a turn under its own name (SPEC L2)."""

from __future__ import annotations

import pytest

from faultloop.loop.budget import LIMITS, Budget, BudgetReason, Price, Spent, estimate
from faultloop.loop.message import AssistantMessage, UserMessage
from faultloop.loop.providers.port import ModelRequest, UsageDelta


def hit(budget: Budget, spent: Spent) -> BudgetReason | None:
    """The first limit, in the table's order, that is used up."""
    return next((reason for reason in LIMITS if budget.is_used_up(reason, spent)), None)


BUDGET = Budget(
    steps_max=3, wall_s_max=60.0, tokens_max=1000, cost_usd_max=0.5, price=Price(output_usd=100.0)
)

TABLE: list[tuple[Spent, BudgetReason | None]] = [
    (Spent(), None),
    (Spent(steps=2, input_tokens=999), None),
    (Spent(steps=3), "max_steps"),
    (Spent(input_tokens=600, output_tokens=400), "token_budget"),
    (Spent(cached_tokens=5_000_000), None),
    (Spent(output_tokens=5_000), "token_budget"),
    (Spent(steps=9, output_tokens=5_000), "max_steps"),
]


@pytest.mark.parametrize(("spent", "reason"), TABLE)
def test_the_first_limit_that_is_used_up_gives_the_reason(
    spent: Spent, reason: BudgetReason | None
) -> None:
    assert hit(BUDGET, spent) == reason


def test_cost_is_a_limit_of_its_own() -> None:
    budget = Budget(cost_usd_max=0.5, price=Price(input_usd=1.0, cached_usd=0.1, output_usd=10.0))
    assert hit(budget, Spent(output_tokens=49_999)) is None
    assert hit(budget, Spent(output_tokens=50_000)) == "cost_budget"
    assert hit(budget, Spent(cached_tokens=5_000_000)) == "cost_budget"


def test_nothing_is_limited_where_nothing_is_said() -> None:
    free = Budget(steps_max=None, wall_s_max=None)
    assert hit(free, Spent(steps=10**9, input_tokens=10**9)) is None


def test_a_charge_keeps_cached_tokens_apart_and_changes_nothing_in_place() -> None:
    before = Spent(steps=1)
    after = before.charge(usage=UsageDelta(input_tokens=100, output_tokens=7, cached_tokens=80))
    assert after == Spent(steps=1, input_tokens=20, cached_tokens=80, output_tokens=7)
    assert before == Spent(steps=1)
    assert after.tokens == 27


def test_more_cached_tokens_than_input_is_the_providers_mistake_not_a_refund() -> None:
    usage = UsageDelta(input_tokens=10, output_tokens=0, cached_tokens=99)
    assert Spent().charge(usage=usage) == Spent(cached_tokens=10)


def test_a_limit_of_cost_without_a_price_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"a cost limit of 0\.5 US dollars needs the model's price"
    ):
        Budget(cost_usd_max=0.5)


def test_a_guess_is_marked_as_one_and_grows_with_the_conversation() -> None:
    def guess(text: str) -> UsageDelta:
        said = (UserMessage(id="i", text=text),)
        request = ModelRequest(model="m", system="", messages=said, tools=(), stream=True)
        return estimate(request, AssistantMessage(id="a", text=text))

    short, long = guess("hi"), guess("hi" * 4_000)
    assert short.estimated
    assert long.input_tokens - short.input_tokens == pytest.approx(2_000, abs=1)
    assert long.output_tokens - short.output_tokens == pytest.approx(2_000, abs=1)
