"""From what was typed to what is wanted: the one place that knows what the shared options mean.

What is out of range is told here in a sentence, for those who have no typer before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from faultloop.bench.comparing.asked import Shared
from faultloop.bench.comparing.command import BadComparison, Wanted
from faultloop.reports.accuracy.conclusion import Metric
from faultloop.scenarios.subjects.installed import cache_folder
from faultloop.scenarios.wordings.models.budget import Limits, price_of
from faultloop.scenarios.wordings.models.endpoint import Settings
from faultloop.scenarios.wordings.planning import Design


def wanted(
    shared: Shared,
    *,
    wordings: Sequence[str],
    tasks: str,
    model: str,
    report_dir: Path,
    command: str,
    metric: Metric = "right",
    tools: int | None = None,
    lock: Path | None = None,
) -> Wanted:
    """The comparison that is asked for. `wordings`: the base first. Raises BadComparison."""
    base, *candidates = wordings
    try:
        _refuse(shared)
        return Wanted(
            base=base,
            candidates=tuple(candidates),
            tasks=tasks,
            model=model,
            settings=_settings(shared),
            design=Design(
                orders=shared.orders,
                samples=shared.samples,
                tools_max=tools,
                seed=shared.seed,
                strict=shared.strict,
            ),
            limits=_limits(shared),
            concurrency=shared.concurrency,
            metric=metric,
            margin=shared.margin / 100,
            cache=shared.cache or cache_folder() / "answers",
            fresh=shared.fresh,
            report_dir=report_dir,
            lock=lock,
            command=command,
        )
    except ValueError as error:
        raise BadComparison(str(error)) from error


def _refuse(shared: Shared) -> None:
    if not 0 <= shared.margin < 100:
        raise ValueError(f"--margin {shared.margin:g}: give points from 0 to 99")
    if shared.concurrency < 1:
        raise ValueError(f"--concurrency {shared.concurrency}: it must be 1 or more")


def _settings(shared: Shared) -> Settings:
    return Settings(
        temperature=shared.temperature,
        seed=shared.sampling_seed,
        output_tokens_max=shared.output_tokens,
        timeout_s=shared.timeout,
        key_variable=shared.key_variable,
    )


def _limits(shared: Shared) -> Limits:
    return Limits(
        requests_max=shared.max_requests,
        cost_usd_max=shared.max_cost,
        price=price_of(shared.price_input, shared.price_output, shared.price_cached),
    )
