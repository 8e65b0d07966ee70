"""Every sentence that the loop itself says to the model, in tables.

Two rules hold for all of them. A call that never started is told plainly as not executed. A call
that started and whose end nobody saw is told as of unknown outcome, never as failed and never as
not having happened (SPEC D2): a model that believes a false "not executed" does it twice. (What a
tool's own failures say is `tools.uncertain`'s and `complaint`'s.)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from faultloop.loop.contract import Contract
from faultloop.loop.events import EndReason
from faultloop.loop.state import Turn
from faultloop.loop.tools.port import Outcome, ToolResult
from faultloop.loop.tools.uncertain import uncertain

NOT_EXECUTED: Mapping[str, str] = MappingProxyType(
    {
        "TRUNCATED": "not executed: the reply was cut at its length limit, so none of its calls"
        " was run, not even those that look complete. Make the call again, and keep the reply"
        " shorter: fewer calls at once, or large content in several parts.",
        "TRUNCATED_LATER": "not executed: the reply was cut at its length limit before this call"
        " started. Calls before it in the same reply were run; each one's result says what became"
        " of it. Make this call again, and keep the reply shorter.",
        "BROKEN": "not executed: the reply that asked for this call broke off before its end, and"
        " the call had not started by then. It may be called again.",
        "BLOCKED": "not executed: the provider's content filter stopped the reply that asked for"
        " this call.",
        "CANCELLED": "not executed: interrupted by user",
        "STOPPED": "not executed: the turn was stopped before this call started",
        "TIMEOUT": "not executed: the turn's time was used up before this call started",
        "DEPENDENCY": "not executed: dependency failed ({tool})",
        "BUSY": "not executed: earlier work of {tool} could not be stopped and may still be"
        " running, and this call must not run beside it. Find out what became of that first.",
        "REPEATED": "not executed: {tool} was called with the same arguments before in this turn."
        " Its result stands under call {earlier}; use that, or change the arguments.",
        "HOOK": "not executed: {reason}. Find another way, or ask the user.",
        "DENIED": "not executed: permission was denied{reason}. Find another way, or ask the user.",
        "VANISHED": "not executed: the process that ran this session ended before this call"
        " started. It may be called again.",
        "FAULT": "not executed: the agent loop had an internal fault before this call started. It"
        " may be called again.",
    }
)
"""Result of a call that never started, by its machine code."""


def not_executed(code: str, **values: object) -> str:
    """That result's text."""
    return NOT_EXECUTED[code].format(**values)


UNSEEN: Mapping[str, str] = MappingProxyType(
    {
        "TIMEOUT": "no answer came within {seconds:g} s",
        "STILL_RUNNING": "{why}, and the work could not be stopped, so it may still be running",
        "CANCELLED": "it was cancelled while it was running",
        "RAISED": "it broke off with {error}",
        "VANISHED": "the process that ran this session ended while the call was running",
        "FAULT": "the agent loop had an internal fault while the call was running",
    }
)
"""Why nobody saw the end of a call that did start, by its machine code."""


def unseen(contract: Contract | None, code: str, **values: object) -> ToolResult:
    """Result of a started call whose end nobody saw; `contract` is None if its tool is gone."""
    why = UNSEEN[code].format(**values)
    if contract is not None:
        return uncertain(contract, why, code=code)
    content = f"The outcome of this call is unknown: {why}. It may have taken effect."
    return ToolResult(outcome="unknown", code=code, content=content)


def still_running(contract: Contract, why: str, **values: object) -> ToolResult:
    """Result of a call that was told to stop, for the reason `why` in UNSEEN, and did not.

    Never retryable, however harmless a repeat: the two would run side by side.
    """
    told = unseen(contract, "STILL_RUNNING", why=UNSEEN[why].format(**values))
    return replace(told, retryable=False)


WITHHELD: Mapping[Outcome, str] = MappingProxyType(
    {
        "ok": "The call was carried out, but what it answered is withheld, because the check that"
        " it has to pass first failed; do not call again only to see it.",
        "failed": "The call failed, and what it answered is withheld, because the check that it"
        " has to pass first failed.",
        "unknown": "The outcome of this call is unknown: it may have taken effect. What is known"
        " of it is withheld, because the check that it has to pass first failed.",
    }
)
"""In the place of a result that an `after_tool` hook was to look over and could not (SPEC L13)."""


def withheld(result: ToolResult) -> ToolResult:
    """The same result, without anything of what the tool said."""
    content = WITHHELD[result.outcome]
    return replace(result, content=content, truncated=False, continuation="")


def queried(content: str, tool: str, answer: str) -> str:
    """The same, with what a query of the world said (SPEC D2: check, then act)."""
    return f"{content}\n{tool} was asked just now, and says: {answer}"


MISSING = (
    "outcome unknown: no result of this call was recorded. It may or may not have taken effect."
    " Check what is there before you repeat it."
)
"""Stands in a request where a result is missing (SPEC D6)."""


CUT: Mapping[EndReason, str] = MappingProxyType(
    {
        "aborted": "The previous turn was interrupted {by}",
        "interrupted": "The previous turn was interrupted because the process that ran it ended",
        "error": "The previous turn ended early because of an error",
        "timeout": "The previous turn was stopped because its time was used up",
        "max_steps": "The previous turn was stopped because it had used up its steps",
        "token_budget": "The previous turn was stopped because it had used up its tokens",
        "cost_budget": "The previous turn was stopped because it had used up its budget",
        "max_tokens": "The previous turn ended because a reply was cut at its length limit",
        "blocked": "The previous turn ended because it was blocked",
    }
)
"""What the next turn's model is told of an end that was none (SPEC X3); `completed` needs none."""

WHERE: Mapping[str | None, str] = MappingProxyType(
    {
        None: "",
        "asking": ", while a reply was awaited; nothing of that reply was kept",
        "acting": ", while its calls were being run; each call's result says what became of it",
    }
)


VANISHED_TOO = " Before it had wound down, the process that ran it ended as well."
"""Added where a turn that had been stopped was left open by its process."""


def cut_notice(turn: Turn) -> str:
    """Where the turn was cut, for the model of the next one; empty where nothing was cut."""
    reason = turn.end_reason
    vanished_too = ""
    if reason == "interrupted" and turn.stop is not None:  # what stopped it comes first (X4)
        reason, vanished_too = turn.stop, VANISHED_TOO
    if reason is None or reason not in CUT:
        return ""
    cause = turn.cause or "user"
    why = CUT[reason].format(by="by the user" if cause == "user" else f"({cause})")
    at = f" at step {turn.step}" if turn.step else " before its first step"
    return f"{why}{at}{WHERE[turn.cut_in]}.{vanished_too}"


def goal_round(text: str, number: int, rounds_max: int) -> str:
    """What a round of a goal says to the model (SPEC G2)."""
    return (
        f"Go on with your goal (round {number} of at most {rounds_max}): {text}\n"
        "Mark it complete once it really is; if it cannot be reached, say what is in the way."
    )


GO_ON = "Go on with what was being done."
"""Added when a turn begins without any input of the user's (`resume`)."""
