"""What the knobs compute: waits that grow, are bounded, and honour the provider's word."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from faultloop.loop.policy import REFERENCE, Backoff
from faultloop.loop.presets import PRESETS
from faultloop.loop.providers.port import ProviderFailure

BACKOFF = Backoff(retries_max=4, base_s=1.0, cap_s=10.0)


def test_waits_double_up_to_the_cap_and_half_of_each_is_jitter() -> None:
    for failures, step_s in enumerate((1, 2, 4, 8, 10, 10), start=1):
        waits = [BACKOFF.wait_s(failures, Random(seed)) for seed in range(50)]
        assert step_s / 2 <= min(waits) < max(waits) <= step_s
        assert len(set(waits)) == 50


def test_a_great_many_failures_overflow_nothing() -> None:
    assert BACKOFF.wait_s(10_000, Random(0)) <= 10.0


def test_the_same_seed_waits_the_same() -> None:
    assert BACKOFF.wait_s(3, Random(7)) == BACKOFF.wait_s(3, Random(7))


RETRIES = [
    ("rate_limited", 1, True),
    ("unavailable", 4, True),
    ("unavailable", 5, False),
    ("timeout", 1, True),
    ("broken", 1, True),
    ("overflow", 1, False),
    ("rejected", 1, False),
]


@pytest.mark.parametrize(("kind", "failures", "again"), RETRIES)
def test_only_what_may_pass_is_tried_again_and_only_so_often(kind, failures, again) -> None:
    wait_s = REFERENCE.retry_wait_s(ProviderFailure(kind, "no"), failures, Random(0))
    assert (wait_s is not None) is again


@pytest.mark.parametrize(("asked_s", "least_s"), [(0.001, 0.25), (2.0, 2.0), (120.0, 120.0)])
def test_retry_after_is_a_floor_and_never_shortens_the_wait(asked_s, least_s) -> None:
    failure = ProviderFailure("rate_limited", "no", retry_after_s=asked_s)
    waits = [REFERENCE.retry_wait_s(failure, 1, Random(seed)) for seed in range(50)]
    assert all(wait is not None and wait >= least_s for wait in waits)
    assert max(wait for wait in waits if wait is not None) <= max(asked_s, least_s) + 0.5
    assert len(set(waits)) == 50


def test_a_provider_that_asks_for_too_long_a_wait_gets_no_retry() -> None:
    failure = ProviderFailure("rate_limited", "come back tomorrow", retry_after_s=86_400.0)
    assert REFERENCE.retry_wait_s(failure, 1, Random(0)) is None


def test_the_reference_is_a_preset_and_has_the_documented_limits() -> None:
    assert PRESETS["reference"].policy is REFERENCE
    assert (REFERENCE.budget.steps_max, REFERENCE.budget.wall_s_max) == (50, 3_600)


@pytest.mark.parametrize("knob", ["strict", "truncation", "whole_batch", "steering_claims"])
def test_a_word_that_is_no_choice_is_refused_with_those_that_are(knob) -> None:
    with pytest.raises(ValueError, match=rf"Policy\({knob}='typo'\): choose one of '"):
        replace(REFERENCE, **{knob: "typo"})


def test_a_knob_that_may_be_left_alone_may_be_none() -> None:
    assert replace(REFERENCE, strict=None).strict is None
