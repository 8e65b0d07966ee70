"""Which scenarios a subject's column can be played with, and why not.

Not applicable is not a failure: it is shown with its reason, never as green. The bench decides it
here, before anything is started, from what the subject declares (SPEC O1, DESIGN rule 11).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from faultloop.scenarios.sayable import says_any_call, why_unsaid
from faultloop.scenarios.scenario import Requirement, Scenario
from faultloop.scenarios.subject import Capabilities, Column


class Need(NamedTuple):
    """What a requirement asks of a subject's column."""

    met: Callable[[Capabilities, Column], bool]
    sentence: str
    """Why the scenario does not apply where it is not met."""


NEEDS: dict[Requirement, Need] = {
    "streaming": Need(
        lambda able, column: column.streaming,
        "it is about streamed replies, and this column asks for whole ones",
    ),
    "whole": Need(
        lambda able, column: not column.streaming,
        "it is about whole replies, and this column streams",
    ),
    "restart": Need(
        lambda able, column: able.resume != "none",
        "the play kills the subject, which cannot be started again (resume = none)",
    ),
    "memory": Need(
        lambda able, column: able.resume in ("session", "continue"),
        "the play looks at what a later start remembers, and the subject keeps no session",
    ),
    "cancel": Need(
        lambda able, column: able.cancel != "none",
        "the play cancels a turn, and the subject has no cancel",
    ),
    "control": Need(
        # In sim the play calls the loop's own methods, so every subject there takes input.
        lambda able, column: able.tier == "sim" or able.control != "none",
        "the play speaks to the subject while it runs, and it takes no input then (control = none)",
    ),
    "own_commands": Need(
        lambda able, column: able.commands == "own",
        "the play watches a command that the subject runs itself, and here the world runs it",
    ),
    "journal": Need(
        lambda able, column: able.journal,
        "the evidence is the loop's own journal, and the subject shows none",
    ),
    "goals": Need(
        lambda able, column: able.goals,
        "the user gives a goal to pursue, and the subject knows none (goals = false)",
    ),
    "keys": Need(
        lambda able, column: able.keys,
        "only an idempotency key could help here, and the subject sends none (keys = false)",
    ),
    "malformed_calls": Need(
        lambda able, column: not says_any_call(column.dialect),
        "the play is about a call that the API cannot say, and this one's can say any",
    ),
}


def why_not(scenario: Scenario, capabilities: Capabilities, column: Column) -> str | None:
    """The reason why the scenario does not apply to this column; None if it does."""
    if column.dialect not in capabilities.dialects:
        return f"the subject does not speak {column.dialect}"
    if column.streaming not in capabilities.streaming:
        return f"the subject does not {'stream' if column.streaming else 'ask for whole replies'}"
    if scenario.tier not in ("both", capabilities.tier):
        return f"the scenario is for the {scenario.tier} tier, this subject is {capabilities.tier}"
    for preset, instead in scenario.differs.items():
        if preset == capabilities.policy:
            return f"the policy {preset} promises otherwise: {instead}"
    for requirement in scenario.requires:
        need = NEEDS[requirement]
        if not need.met(capabilities, column):
            return need.sentence
    return why_unsaid(scenario, column)
