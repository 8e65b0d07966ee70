"""The rules of the linter, one file each. A new rule: a file, a line in this table, a test."""

from __future__ import annotations

from faultloop.loop.contract.lint.rule import Rule
from faultloop.loop.contract.lint.rules import (
    action_switch,
    dangerous_defaults,
    fixed_order,
    near_duplicate,
    no_continuation,
    no_example,
    no_path_base,
    no_returns,
    no_when,
    no_when_not,
    runtime_leak,
    similar_names,
    time_example,
    undescribed_parameter,
    vague,
    wrong_example,
)

RULES: tuple[Rule, ...] = (
    action_switch.RULE,
    fixed_order.RULE,
    dangerous_defaults.RULE,
    vague.RULE,
    no_when.RULE,
    no_when_not.RULE,
    no_path_base.RULE,
    no_returns.RULE,
    no_continuation.RULE,
    undescribed_parameter.RULE,
    no_example.RULE,
    wrong_example.RULE,
    time_example.RULE,
    near_duplicate.RULE,
    similar_names.RULE,
    runtime_leak.RULE,
)
"""In the order in which they are told: first what is hard to mend."""
