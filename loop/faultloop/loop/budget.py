"""What a turn may use up, and which limit is hit first (SPEC L2).

Values only: `Spent` grows by `charge`, `Budget.hit` compares. The engine asks before each model
request and never during one, so a limit ends a turn between steps, with the history closed. Every
limit has an end reason of its own; none of them is ever reported as completed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from faultloop.loop.providers.port import UsageDelta

BudgetReason = Literal["max_steps", "timeout", "token_budget", "cost_budget"]
"""The end reasons of SPEC L11 that a budget gives."""

TOKENS_PER_PRICE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model charges, in US dollars per million tokens."""

    input_usd: float = 0.0
    cached_usd: float = 0.0
    output_usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was used up so far."""

    steps: int = 0
    wall_s: float = 0.0
    input_tokens: int = 0
    """Tokens that were read anew; cached ones are apart."""
    cached_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """What a token budget counts: all but the cached ones."""
        return self.input_tokens + self.output_tokens

    def cost_usd(self, price: Price) -> float:
        """What it cost so far."""
        return (
            self.input_tokens * price.input_usd
            + self.cached_tokens * price.cached_usd
            + self.output_tokens * price.output_usd
        ) / TOKENS_PER_PRICE

    def charge(
        self, *, steps: int = 0, wall_s: float = 0.0, usage: UsageDelta | None = None
    ) -> Spent:
        """Add what was used since. Failed attempts are charged too: their tokens are paid for.

        Providers count cached tokens among the input; here they are taken out of it.
        """
        used = usage or UsageDelta(input_tokens=0, output_tokens=0)
        cached = min(used.cached_tokens, used.input_tokens)
        return replace(
            self,
            steps=self.steps + steps,
            wall_s=self.wall_s + wall_s,
            input_tokens=self.input_tokens + used.input_tokens - cached,
            cached_tokens=self.cached_tokens + cached,
            output_tokens=self.output_tokens + used.output_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a turn; None means unlimited."""

    steps_max: int | None = 50
    wall_s_max: float | None = 3_600.0
    tokens_max: int | None = None
    cost_usd_max: float | None = None
    price: Price = Price()

    def hit(self, spent: Spent) -> BudgetReason | None:
        """The first limit of `LIMITS` that is used up, so that nothing more may begin."""
        for reason, (limit, used) in LIMITS.items():
            allowed = limit(self)
            if allowed is not None and used(self, spent) >= allowed:
                return reason
        return None


Limit = Callable[[Budget], float | None]
Used = Callable[[Budget, Spent], float]

LIMITS: dict[BudgetReason, tuple[Limit, Used]] = {
    "timeout": (lambda budget: budget.wall_s_max, lambda _, spent: spent.wall_s),
    "max_steps": (lambda budget: budget.steps_max, lambda _, spent: spent.steps),
    "token_budget": (lambda budget: budget.tokens_max, lambda _, spent: spent.tokens),
    "cost_budget": (
        lambda budget: budget.cost_usd_max,
        lambda budget, spent: spent.cost_usd(budget.price),
    ),
}
"""Where several are used up at once, the first in this order gives the reason."""
