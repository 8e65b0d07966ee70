"""Literal histories for the tests of checks: each verb of a story is one entry, in its order.

A verb returns the position of what it wrote, so that a test can say what must be the proof.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.history import (
    Account,
    Acted,
    CallAbandoned,
    CallAnswered,
    CallArrived,
    CallHeld,
    EffectApplied,
    Ended,
    Failed,
    FaultFired,
    GateOpened,
    History,
    Left,
    MadeCall,
    Refused,
    Replied,
    ReplyClosed,
    Requested,
    Started,
)
from faultloop.fakes.ledger import Effect
from faultloop.scenarios.checks import CHECKS
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column
from faultloop.scenarios.verdict import Finding

INPUT = "Add x to notes.txt."

SCENARIO: dict[str, Any] = {
    "schema": 1,
    "name": "a-story",
    "claim": "A loop does as it is told in this story.",
    "claims": ["D2"],
    "checks": ["end_acceptable"],
    "world": {
        "files": {"notes.txt": "a\n"},
        "commands": {"npm test": {"output": "ok"}},
        "pull_requests": {},
        "payments": {"honours_key": True},
    },
    "input": INPUT,
    "script": [{"say": "Done."}],
    "accept": [{"end_reason": ["completed"]}],
    "max_requests": 4,
}

TOOLS = (
    "append_file",
    "charge_customer",
    "create_pull_request",
    "delete_files",
    "edit_file",
    "list_files",
    "read_file",
    "run_command",
    "write_file",
)


class Story:
    """A history in the making, and what is known beside it."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.history = History(lambda: self.now_s)
        self.ledger: list[Effect] = []
        self.journal: list[dict[str, Any]] | None = None
        self.able: dict[str, Any] = {"resume": "continue"}
        self.changes: dict[str, Any] = {}
        self._start = 0
        self._requests = 0
        self._invocations = 0

    # --- what messages are made of

    def user(self, text: str = INPUT) -> Message:
        return Message(role="user", text=text)

    def made(self, *calls: MadeCall) -> Message:
        said = tuple(SaidCall(id=c.id, name=c.tool, arguments=c.arguments) for c in calls)
        return Message(role="assistant", calls=said)

    def result(self, call_id: str, text: str = "Done: appended 1 line to notes.txt.") -> Message:
        return Message(role="tool", text=text, result_of=call_id)

    def call(self, call_id: str, tool: str, /, raw: str | None = None, **args: Any) -> MadeCall:
        return MadeCall(id=call_id, tool=tool, arguments=json.dumps(args) if raw is None else raw)

    def append(self, call_id: str, line: str = "x") -> MadeCall:
        return self.call(call_id, "append_file", path="notes.txt", line=line)

    # --- verbs

    def start(self, turn: int = 0, text: str = INPUT, *, resume: bool = False) -> int:
        self._start += 1
        return self._add(Started, turn=turn, input=text and f"{text} [ref {turn}]", resume=resume)

    def ask(
        self, *messages: Message, tools: tuple[str, ...] = TOOLS, one_call: bool = False
    ) -> int:
        self._requests += 1
        return self._add(
            Requested,
            request=self._requests,
            dialect="openai_chat",
            streaming=True,
            tools=tools,
            messages=messages,
            one_call=one_call,
        )

    def reply(
        self,
        *calls: MadeCall,
        text: str = "",
        finish: str | None = None,
        step: int = 1,
        turn: int = 0,
        cursor: str = "mark",
        outcome: str | None = "sent",
        complete: tuple[str, ...] | None = None,
        part: int = 1,
    ) -> int:
        """The model replies to the last request; `outcome` None leaves the reply open."""
        begun = self._add(
            Replied,
            request=self._requests,
            turn=turn,
            step=step,
            cursor=cursor,
            text=text,
            calls=calls,
            finish_reason=finish or ("tool_calls" if calls else "stop"),
            served=1,
            part=part,
        )
        if outcome is not None:
            ids = tuple(call.id for call in calls) if complete is None else complete
            self.close(outcome, *ids)
        return begun

    def close(self, outcome: str = "sent", *complete: str) -> int:
        return self._add(
            ReplyClosed, request=self._requests, outcome=outcome, calls_complete=complete
        )

    def fail(self, status: int = 500, retry_after_s: float | None = None) -> int:
        return self._add(Failed, request=self._requests, status=status, retry_after_s=retry_after_s)

    def refuse(self, rule: str = "unpaired_calls", status: int = 400) -> int:
        return self._add(Refused, request=self._requests, status=status, rule=rule, sentence="No.")

    def arrive(
        self, call: MadeCall, *, named: bool = True, given: str | None = None, **fields: Any
    ) -> int:
        """A call reaches the world, with its id (`named`) and its own arguments, or `given`."""
        self._invocations += 1
        return self._add(
            CallArrived,
            invocation=self._invocations,
            tool=fields.pop("tool", call.tool),
            arguments=call.arguments if given is None else given,
            call_id=call.id if named else None,
            **fields,
        )

    def effect(self, tool: str = "append_file", invocation: int | None = None) -> int:
        number, one = len(self.ledger) + 1, invocation or self._invocations
        what = f"effect {number} of {tool}"
        position = self._add(EffectApplied, invocation=one, effect=number, tool=tool, what=what)
        self.ledger.append(
            Effect(
                number=number,
                position=position,
                start=self._start,
                invocation=one,
                tool=tool,
                arguments="{}",
                what=what,
            )
        )
        return position

    def answer(
        self,
        data: str = "Done: appended 1 line to notes.txt.",
        *,
        status: int = 200,
        outcome: str = "ok",
        invocation: int | None = None,
        body: str | None = None,
    ) -> int:
        return self._add(
            CallAnswered,
            invocation=invocation or self._invocations,
            status=status,
            outcome=outcome,
            body=json.dumps({"ok": outcome == "ok", "data": data}) if body is None else body,
        )

    def lose(self) -> int:
        """A gateway's 504 is the answer."""
        page = "<html><head><title>504 Gateway Time-out</title></head></html>"
        return self.answer(status=504, outcome="unknown", body=page)

    def let_go(self, *, stopped: bool = True, invocation: int | None = None) -> int:
        return self._add(CallAbandoned, invocation=invocation or self._invocations, stopped=stopped)

    def disconnect(self) -> int:
        """The connection of the last call is closed, and over MCP that cancels nothing."""
        number = self._invocations
        return self._add(CallAbandoned, invocation=number, stopped=False, unasked=True)

    def hold(self, invocation: int | None = None) -> int:
        """The world keeps an invocation waiting."""
        return self._add(CallHeld, invocation=invocation or self._invocations)

    def leave(self, processes: int = 1) -> int:
        """Processes of the start outlive it."""
        return self._add(Left, processes=processes)

    def ran(self, call: MadeCall, **fields: Any) -> int:
        """A call arrives, takes effect and is answered; returns where it arrived."""
        arrived = self.arrive(call, **fields)
        self.effect(call.tool)
        self.answer()
        return arrived

    def act(self, do: str, text: str = "") -> int:
        return self._add(Acted, trigger=0, do=do, landmark="call_arrived", text=text)

    def fire(self, kind: str, fault: int = 0) -> int:
        return self._add(FaultFired, fault=fault, kind=kind, invocation=self._invocations)

    def open_gate(self) -> int:
        return self._add(GateOpened)

    def end(
        self, reason: str | None = "completed", *, how: str = "exited", code: int = 0, **said: Any
    ) -> int:
        account = Account(end_reason=reason, **said)
        return self._add(Ended, how=how, exit_code=code, account=account)

    def kill(self) -> int:
        """The bench kills the start; returns where it was over."""
        self.act("kill")
        return self.end(None, how="killed", code=-9)

    # --- judging

    def evidence(self) -> Evidence:
        return Evidence(
            scenario=Scenario.model_validate(SCENARIO | self.changes),
            subject="a-subject",
            capabilities=Capabilities(**self.able),
            column=Column(),
            history=tuple(self.history.entries),
            times_s=tuple(self.history.times_s),
            ledger=tuple(self.ledger),
            journal=self.journal,
        )

    def judge(self, check: str) -> Finding:
        return CHECKS[check].judge(self.evidence())

    def _add(self, entry: Any, **fields: Any) -> int:
        written = entry(position=len(self.history), start=self._start, **fields)
        self.history.entries.append(written)
        self.history.times_s.append(self.now_s)
        return int(written.position)


@pytest.fixture
def story() -> Story:
    return Story()
