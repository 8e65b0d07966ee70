"""What a turn may use up, and which limits are hit (SPEC L2).

Values only: `Spent` grows by `charge`, `Budget.is_used_up` compares. The engine asks before each
model request and never during one, so a limit ends a turn between steps, with the history closed.
Every limit has an end reason of its own; none of them is ever reported as completed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import msgspec
from msgspec.structs import replace

from faultloop.loop.message import AssistantMessage
from faultloop.loop.providers.port import ModelRequest, UsageDelta

BudgetReason = Literal["max_steps", "token_budget", "cost_budget"]
"""The end reasons of SPEC L11 that are found between two steps. Wall time is not: the engine's
clock ends a turn as `timeout` in the middle of whatever it does."""

TOKENS_PER_PRICE = 1_000_000

BYTES_PER_TOKEN = 4
"""A rough rule, for providers that count nothing. Too many is better here than none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model charges, in US dollars per million tokens."""

    input_usd: float = 0.0
    cached_usd: float = 0.0
    output_usd: float = 0.0


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """What was used up so far."""

    steps: int = 0
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

    def charge(self, *, usage: UsageDelta) -> Spent:
        """Add what was used since. Failed attempts are charged too: their tokens are paid for.

        Providers count cached tokens among the input; here they are taken out of it.
        """
        cached = min(usage.cached_tokens, usage.input_tokens)
        return replace(
            self,
            input_tokens=self.input_tokens + usage.input_tokens - cached,
            cached_tokens=self.cached_tokens + cached,
            output_tokens=self.output_tokens + usage.output_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limits of a turn; None means unlimited. Raises ValueError for one that cannot bite."""

    steps_max: int | None = 50
    wall_s_max: float | None = 3_600.0
    """Watched by the engine, not here."""
    tokens_max: int | None = None
    cost_usd_max: float | None = None
    price: Price = Price()

    def __post_init__(self) -> None:
        """A limit of cost without a price would never be hit, and nobody would notice."""
        if self.cost_usd_max is not None and self.price == Price():
            raise ValueError(
                f"a cost limit of {self.cost_usd_max:g} US dollars needs the model's price: at no"
                " price at all it would never be hit"
            )

    def is_used_up(self, reason: BudgetReason, spent: Spent) -> bool:
        """Whether this limit is used up, so that nothing more may begin."""
        limit, used = LIMITS[reason]
        allowed = limit(self)
        return allowed is not None and used(self, spent) >= allowed


def estimate(request: ModelRequest, message: AssistantMessage) -> UsageDelta:
    """What a request and its reply used up, guessed from their length."""
    return UsageDelta(
        input_tokens=len(msgspec.json.encode(request)) // BYTES_PER_TOKEN,
        output_tokens=len(msgspec.json.encode(message)) // BYTES_PER_TOKEN,
        estimated=True,
    )


Limit = Callable[[Budget], float | None]
Used = Callable[[Budget, Spent], float]

LIMITS: dict[BudgetReason, tuple[Limit, Used]] = {
    "max_steps": (lambda budget: budget.steps_max, lambda _, spent: spent.steps),
    "token_budget": (lambda budget: budget.tokens_max, lambda _, spent: spent.tokens),
    "cost_budget": (
        lambda budget: budget.cost_usd_max,
        lambda budget, spent: spent.cost_usd(budget.price),
    ),
}
"""What each end reason is about: the limit, and what was used of it."""
