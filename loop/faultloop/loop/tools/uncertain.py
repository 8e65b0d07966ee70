"""Results of calls that may or may not have taken effect (SPEC D2, D4).

The one sentence that decides whether a model pays twice: it never says that nothing happened, and
it never says that something did. It says what is not known, and how to find out.
"""

from __future__ import annotations

from faultloop.loop.contract import Contract
from faultloop.loop.tools.port import ToolResult


def uncertain(contract: Contract, why: str, *, code: str) -> ToolResult:
    """The result of a try that ended after its effect was possible, for the reason in `why`.

    Where the contract says that a call changes nothing, there is no effect to be uncertain of: it
    failed. Where it says that a repeat changes nothing more, or that the receiver knows a call by
    its key, the outcome is just as unknown, but another try of the same call is harmless. Only
    then is the result retryable.
    """
    if contract.read_only:
        return ToolResult(
            outcome="failed",
            code=code,
            retryable=True,
            content=f"{contract.name} gave no answer: {why}. It only reads, so it may be repeated.",
        )
    return ToolResult(
        outcome="unknown",
        code=code,
        retryable=contract.idempotent or contract.honours_key,
        content=f"The outcome of {contract.name} is unknown: {why}. {advice(contract)}",
    )


def advice(contract: Contract) -> str:
    """What a model does about an unknown outcome."""
    if contract.verify_with is not None:
        return (
            "It may have taken effect. Check with"
            f" {contract.verify_with} first, and repeat it only if it did not."
        )
    if contract.idempotent:
        return "It may have taken effect; repeating it with the same arguments is harmless."
    return (
        "It may have taken effect. Do not repeat it before you have found out whether it did;"
        " if you cannot, say so to the user."
    )
