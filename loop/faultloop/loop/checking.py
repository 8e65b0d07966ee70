"""Checking a call before it may run: does the tool exist, are the arguments right, is it permitted?

The order is fixed (SPEC P10): a call that is wrong never raises an approval prompt. Each failure is
a result for the model, in the words of whoever found it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec

from faultloop.loop import arguments, complaint, wording
from faultloop.loop.arguments import Rejected, Repaired
from faultloop.loop.contract import Contract
from faultloop.loop.output import clean, fit
from faultloop.loop.registry import Registry, UnknownTool
from faultloop.loop.repairs import FULL, Rules
from faultloop.loop.schedule import Planned
from faultloop.loop.signals import CallRefused
from faultloop.loop.state import CallRecord
from faultloop.loop.tools.port import Tool, Unfit


class Permission(NamedTuple):
    """The answer to "may this run?"."""

    granted: bool
    reason: str = ""


Permit = Callable[[Contract, dict[str, Any]], Awaitable[Permission]]
"""Asked once for each valid call, and for each query that the loop itself makes, in a recovery as
well (SPEC D2). May take as long as a person does; a cancel cuts it. One that raises, or answers
anything but a Permission, counts as a denial."""


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """A call that passed, but for its permission."""

    record: CallRecord
    tool: Tool
    args: dict[str, Any]
    """As validated, and for this loop's own eyes: all others are handed `strict_json.copied`."""
    repairs: tuple[str, ...] = ()
    warning: str = ""
    """What was mended, for the model: stands before the result (SPEC C3)."""

    @property
    def contract(self) -> Contract:
        """The tool's declaration."""
        return self.tool.contract

    @property
    def planned(self) -> Planned:
        """The call as the schedule sees it."""
        return Planned(call=self.record.call, contract=self.contract, args=self.args)


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """A call that will not run."""

    signal: CallRefused
    contract: Contract | None

    @property
    def planned(self) -> Planned:
        """The call as the schedule sees it: others may depend on it."""
        return Planned(call=self.signal.record.call, contract=self.contract, args=None)


def read(record: CallRecord, tools: Registry, rules: Rules = FULL) -> Ready | Refused:
    """Find the tool and read the arguments of a call whose reply ended cleanly."""
    found = tools.find(record.name)
    if isinstance(found, UnknownTool):
        refusal = CallRefused(record=record, code=found.code, content=found.message)
        return Refused(signal=refusal, contract=None)
    contract = found.tool.contract
    reading = arguments.read(record.arguments, contract, rules)
    if isinstance(reading, Rejected):
        message = fit(reading.message, contract.output_budget_bytes).text
        refusal = CallRefused(record=record, code=reading.code, content=message)
        return Refused(signal=refusal, contract=contract)
    unfit: Unfit | None = getattr(found.tool, "unfit", None)
    if unfit is not None and (problem := unfit(reading.args)):
        advice = "Correct what is named and send all arguments again."
        message = complaint.rejection(
            contract, record.arguments, problem, advice, wording=rules.complaints
        )
        told = fit(message, contract.output_budget_bytes).text
        refusal = CallRefused(record=record, code="INVALID_ARGS", content=told)
        return Refused(signal=refusal, contract=contract)
    repairs: list[str] = []
    warnings: list[str] = []
    if found.alias is not None:
        repairs.append(f"tool_alias:{found.alias}->{contract.name}")
        warnings.append(f"{found.alias} was read as {contract.name}.")
    if isinstance(reading, Repaired):
        repairs.extend(reading.steps)
        warnings.append(reading.warning)
    return Ready(
        record=record,
        tool=found.tool,
        args=reading.args,
        repairs=tuple(repairs),
        warning=" ".join(warnings),
    )


def repeated(ready: Ready, earlier: str) -> Refused:
    """The refusal of a call that was made before in the same turn (SPEC S7)."""
    return _refused(ready, "REPEATED", tool=ready.contract.name, earlier=earlier)


def blocked(ready: Ready, reason: str) -> Refused:
    """The refusal that a `before_tool` hook leads to (SPEC L13)."""
    return _refused(ready, "HOOK", reason=clean(reason))


def denied(ready: Ready, permission: Permission) -> Refused:
    """The refusal that a denial leads to; a reason helps the model find another way."""
    reason = f": {clean(permission.reason)}" if permission.reason else ""
    return _refused(ready, "DENIED", reason=reason)


def _refused(ready: Ready, code: str, **values: str) -> Refused:
    told = fit(wording.not_executed(code, **values), ready.contract.output_budget_bytes)
    refusal = CallRefused(record=ready.record, code=code, content=told.text)
    return Refused(signal=refusal, contract=ready.contract)
