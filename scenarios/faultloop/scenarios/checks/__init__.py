"""Checks: one promise a file. `CHECKS` is the table of all of them.

A check is a module: its docstring is its law, NAME, CLAIM and CLAIMS say which promises it judges,
WHY why that matters to somebody, CURE how loops keep it, and `judge` is a pure function of the
evidence.
"""

from __future__ import annotations

from typing import Protocol

from faultloop.scenarios.checks import (
    answers_told,
    arguments_exact,
    cut_told,
    effects_once,
    end_acceptable,
    excerpt_bounded,
    exclusive_not_overlapping,
    failed_attempts_forgotten,
    failure_explained,
    failure_stays_own,
    input_kept,
    journal_ahead,
    nearest_name_first,
    next_turn_well_formed,
    no_orphans,
    not_run_told,
    nothing_after_cancel,
    output_in_budget,
    pool_bounded,
    queue_honoured,
    request_recovery,
    requests_bounded,
    results_closed,
    results_in_order,
    results_kept,
    retry_manners,
    truncated_not_executed,
    turns_closed,
    unknown_outcome_told,
    world_asked,
)
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.verdict import Finding


class Check(Protocol):
    """What every module of this package offers."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a module's constant
        """Its name in tables, files and reports."""
        ...

    @property
    def CLAIM(self) -> str:  # noqa: N802
        """The SPEC id that it judges above all."""
        ...

    @property
    def CLAIMS(self) -> tuple[str, ...]:  # noqa: N802
        """All SPEC ids of which it judges a part, CLAIM first."""
        ...

    @property
    def WHY(self) -> str:  # noqa: N802
        """Why it matters, with a public example where there is one."""
        ...

    @property
    def CURE(self) -> str:  # noqa: N802
        """How loops fix it."""
        ...

    def judge(self, evidence: Evidence) -> Finding:
        """Judge one play."""
        ...


_ALL: tuple[Check, ...] = (
    results_closed,
    no_orphans,
    results_in_order,
    answers_told,
    not_run_told,
    truncated_not_executed,
    arguments_exact,
    failure_explained,
    nearest_name_first,
    excerpt_bounded,
    output_in_budget,
    exclusive_not_overlapping,
    pool_bounded,
    failure_stays_own,
    effects_once,
    unknown_outcome_told,
    world_asked,
    retry_manners,
    request_recovery,
    failed_attempts_forgotten,
    requests_bounded,
    nothing_after_cancel,
    cut_told,
    queue_honoured,
    input_kept,
    results_kept,
    next_turn_well_formed,
    end_acceptable,
    journal_ahead,
    turns_closed,
)

CHECKS: dict[str, Check] = {check.NAME: check for check in _ALL}
"""All checks by name, in the order in which a report reads them."""
