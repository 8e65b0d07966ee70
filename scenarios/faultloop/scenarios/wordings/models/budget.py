"""What a run may take, and what it took: requests, tokens, US dollars.

A limit is looked at before a request, never during one, so that a run ends with whole answers. What
an answer will cost is not known before it is there; each one that is under way is reckoned as dear
as the dearest so far, and the first goes alone. Answers that were kept cost nothing and are counted
apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import msgspec

from faultloop.loop.budget import Price, Spent
from faultloop.loop.providers.port import UsageDelta
from faultloop.scenarios.wordings.answer import Usage

Verdict = Literal["go", "wait", "stop"]


class BadLimits(ValueError):
    """Limits or prices that cannot mean anything; the text says which option to change."""


def price_of(
    input_usd: float | None, output_usd: float | None, cached_usd: float | None = None
) -> Price | None:
    """Prices in US dollars per million tokens; None: none was told. Raises BadLimits.

    Cached tokens cost what the others do, unless something else is told.
    """
    told = {"input": input_usd, "output": output_usd, "cached": cached_usd}
    for name, usd in told.items():
        if usd is not None and not (math.isfinite(usd) and usd >= 0):
            raise BadLimits(f"--price-{name} {usd:g}: a price is 0 or more")
    if input_usd is None and output_usd is None and cached_usd is None:
        return None
    if input_usd is None or output_usd is None:
        raise BadLimits("a price for input and one for output belong together: give both")
    cached = input_usd if cached_usd is None else cached_usd
    return Price(input_usd=input_usd, cached_usd=cached, output_usd=output_usd)


def cost_usd(usage: Usage, price: Price | None) -> float | None:
    """What an answer costs; None where nobody told what a token costs."""
    if price is None:
        return None
    counted = UsageDelta(usage.input_tokens, usage.output_tokens, usage.cached_tokens)
    return Spent().charge(usage=counted).cost_usd(price)


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """What a run took."""

    requests: int = 0
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where nobody told what a token costs."""


NOTHING = Took()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may take; None: as much as it needs. Raises BadLimits for one that cannot bite."""

    requests_max: int | None = None
    """Attempts, also those that fail."""
    cost_usd_max: float | None = None
    price: Price | None = None
    spent: Took = NOTHING
    """What an earlier part of the same run took; the limits are of all of it."""

    def __post_init__(self) -> None:
        """A limit of cost without a price would never be hit, and nobody would notice."""
        if self.requests_max is not None and self.requests_max < 0:
            raise BadLimits(f"--max-requests {self.requests_max}: it must be 0 or more")
        if self.cost_usd_max is None:
            return
        if not self.cost_usd_max >= 0:
            raise BadLimits(f"--max-cost {self.cost_usd_max:g}: it must be 0 or more")
        if self.price is None or self.price == Price():
            raise BadLimits(
                f"--max-cost {self.cost_usd_max:g} needs the model's prices: give --price-input and"
                " --price-output, in US dollars per million tokens"
            )


class Meter:
    """Counts what a run takes, and says whether another request may begin."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests = 0
        self._under_way = 0
        self._usage = Usage()
        self._cost_usd = 0.0
        self._dearest_usd: float | None = None
        """None: no request has told yet what it took."""

    def _is_used_up(self) -> bool:
        most = self._limits.requests_max
        return most is not None and self._limits.spent.requests + self._requests >= most

    def _spent_usd(self) -> float:
        return (self._limits.spent.cost_usd or 0.0) + self._cost_usd

    def verdict(self) -> Verdict:
        """Whether another request may begin now, later perhaps, or not at all."""
        limits = self._limits
        if self._is_used_up():
            return "stop"
        if limits.cost_usd_max is None:
            return "go"
        if self._dearest_usd is None:
            fits = self._under_way == 0 and self._spent_usd() < limits.cost_usd_max
        else:
            reckoned = self._spent_usd() + (self._under_way + 1) * self._dearest_usd
            fits = reckoned <= limits.cost_usd_max
        return "go" if fits else "wait" if self._under_way else "stop"

    @property
    def under_way(self) -> int:
        """Requests that have begun and not ended."""
        return self._under_way

    def why(self) -> str:
        """The limit that stopped the run, in words."""
        limits = self._limits
        if self._is_used_up():
            return f"--max-requests {limits.requests_max} is used up"
        return (
            f"--max-cost {limits.cost_usd_max:g} leaves no room for another request"
            f" ({self._spent_usd():.4f} US dollars were spent)"
        )

    def begin(self) -> None:
        """A request begins."""
        self._requests += 1
        self._under_way += 1

    def end(self, usage: Usage | None) -> None:
        """A request came to its end, rightly or not; None: it took no tokens that we know of."""
        self._under_way -= 1
        used = usage or Usage()
        self._usage = Usage(
            input_tokens=self._usage.input_tokens + used.input_tokens,
            output_tokens=self._usage.output_tokens + used.output_tokens,
            cached_tokens=self._usage.cached_tokens + used.cached_tokens,
            estimated=self._usage.estimated or used.estimated,
        )
        cost = cost_usd(used, self._limits.price) or 0.0
        self._cost_usd += cost
        if used.input_tokens or used.output_tokens:
            self._dearest_usd = max(cost, self._dearest_usd or 0.0)

    @property
    def took(self) -> Took:
        """What it was so far."""
        cost = None if self._limits.price is None else self._cost_usd
        return Took(requests=self._requests, usage=self._usage, cost_usd=cost)
