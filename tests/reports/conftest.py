"""A few plays as literal histories: what two subjects did to three scenarios, told by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from faultloop.fakes.conversation import Message, SaidCall
from faultloop.fakes.history import (
    Account,
    Acted,
    AnyEntry,
    CallAnswered,
    CallArrived,
    EffectApplied,
    Ended,
    FaultFired,
    GateOpened,
    History,
    MadeCall,
    Replied,
    ReplyClosed,
    Requested,
    Started,
)
from faultloop.reports.rows import CheckRecord, Played, PlayRecord, Proof
from faultloop.scenarios.verdict import Verdict

PULL_REQUEST = '{"title":"Fix the login"}'
HELD, BROKEN, UNKNOWN = Verdict.HELD, Verdict.BROKEN, Verdict.UNKNOWN


class Told:
    """A history that is told entry by entry, with a clock that ticks a tenth per entry."""

    def __init__(self) -> None:
        self.history = History(lambda: len(self.history) / 10)
        self.start = 1
        self.said: list[Message] = []

    def starts(self, text: str, *, turn: int = 0, resume: bool = False) -> None:
        self.history.add(Started, start=self.start, turn=turn, input=text, resume=resume)
        if text:
            self.said.append(Message(role="user", text=text))

    def asks(self, request: int) -> None:
        self.history.add(
            Requested,
            start=self.start,
            request=request,
            dialect="openai_chat",
            streaming=True,
            tools=("create_pull_request", "find_pull_requests"),
            messages=tuple(self.said),
        )

    def is_answered(self, request: int, text: str = "", *calls: MadeCall) -> None:
        self.history.add(
            Replied,
            start=self.start,
            request=request,
            turn=0,
            step=request,
            cursor="mark",
            text=text,
            calls=calls,
            finish_reason="tool_calls" if calls else "stop",
            served=1,
        )
        ids = tuple(call.id for call in calls)
        self.history.add(
            ReplyClosed, start=self.start, request=request, outcome="sent", calls_complete=ids
        )
        said = tuple(
            SaidCall(id=call.id, name=call.tool, arguments=call.arguments) for call in calls
        )
        self.said.append(Message(role="assistant", text=text, calls=said))

    def invokes(self, invocation: int, call_id: str, *, effect: int = 0) -> None:
        self.history.add(
            CallArrived,
            start=self.start,
            invocation=invocation,
            tool="create_pull_request",
            arguments=PULL_REQUEST,
            call_id=call_id,
        )
        if effect:
            self.history.add(
                EffectApplied,
                start=self.start,
                invocation=invocation,
                effect=effect,
                tool="create_pull_request",
                what=f"opened pull request #{effect} 'Fix the login'",
            )

    def is_told(self, invocation: int, status: int, body: str, *, call_id: str = "") -> None:
        outcome = {200: "ok", 500: "failed"}.get(status, "unknown")
        self.history.add(
            CallAnswered,
            start=self.start,
            invocation=invocation,
            status=status,
            outcome=outcome,
            body=body,
        )
        self.said.append(Message(role="tool", text=body, result_of=call_id))

    def ends(self, reason: str, text: str = "") -> None:
        account = Account(end_reason=reason, finish_reason="stop", final_text=text or None)
        code = 0 if reason == "completed" else 1
        self.history.add(Ended, start=self.start, how="exited", exit_code=code, account=account)


def calls(call_id: str) -> MadeCall:
    return MadeCall(id=call_id, tool="create_pull_request", arguments=PULL_REQUEST)


def doubled() -> Told:
    """A 504 after the effect, answered by trying the same call again."""
    told = Told()
    told.starts("Open a pull request for the login fix. [ref 0a1b2c3d]")
    told.asks(1)
    told.is_answered(1, "I open it.", calls("call_A"))
    told.invokes(1, "call_A", effect=1)
    told.history.add(
        FaultFired, start=1, fault=0, kind="gateway_timeout_after_effect", invocation=1
    )
    told.history.add(
        CallAnswered, start=1, invocation=1, status=504, outcome="unknown", body="<html>504</html>"
    )
    told.invokes(2, "call_A", effect=2)
    told.is_told(2, 200, "opened pull request #2", call_id="call_A")
    told.asks(2)
    told.is_answered(2, "It is open: </script><b>#2</b>.")
    told.ends("completed", "It is open: </script><b>#2</b>.")
    return told


def resumed() -> Told:
    """Killed after the effect; the resumed loop tells the model that the outcome is unknown."""
    told = Told()
    told.starts("Open a pull request for the login fix.")
    told.asks(1)
    told.is_answered(1, "", calls("call_A"))
    told.invokes(1, "call_A", effect=1)
    told.history.add(Acted, start=1, trigger=0, do="kill", landmark="after_effect")
    told.history.add(Ended, start=1, how="killed")
    told.start = 2
    told.starts("", resume=True)
    told.said.append(Message(role="tool", text="outcome unknown", result_of="call_A"))
    told.asks(2)
    told.is_answered(2, "I look whether it is there.")
    told.ends("completed", "I look whether it is there.")
    return told


def cancelled() -> Told:
    """The user cancels while a tool works; the work goes on behind the loop's back."""
    told = Told()
    told.starts("Open a pull request for the login fix.")
    told.asks(1)
    told.is_answered(1, "", calls("call_A"))
    told.invokes(1, "call_A")
    told.history.add(Acted, start=1, trigger=0, do="cancel", landmark="call_arrived")
    told.ends("aborted")
    told.history.add(GateOpened, start=0)
    told.history.add(
        EffectApplied,
        start=1,
        invocation=1,
        effect=1,
        tool="create_pull_request",
        what="opened pull request #1 'Fix the login'",
    )
    return told


def scenario(name: str, claim: str, *claims: str) -> dict[str, Any]:
    return {
        "schema": 1,
        "name": name,
        "claim": claim,
        "claims": list(claims),
        "checks": ["effects_once"],
        "world": {"pull_requests": {}},
        "input": "Open a pull request for the login fix.",
        "script": [{"calls": [{"tool": "create_pull_request", "args": {"title": "Fix"}}]}],
        "accept": [{"end_reason": ["completed", "error"], "effects": [0, 1], "told": "unknown"}],
        "max_requests": 6,
    }


SCENARIOS = {
    "pull-request-504-after": scenario(
        "pull-request-504-after",
        "A pull request that was opened behind a 504 is not opened a second time.",
        "D4",
        "D2",
    ),
    "kill-after-effect": scenario(
        "kill-after-effect",
        "What happened before a crash is neither repeated nor denied.",
        "D2",
    ),
    "cancel-in-tool": scenario(
        "cancel-in-tool", "After a cancel nothing goes on in the background.", "X5"
    ),
}


def play(
    name: str,
    verdict: Verdict = HELD,
    told: Told | None = None,
    *,
    subject: str = "reference",
    streaming: bool = True,
    repeat: int = 0,
    check: str = "effects_once",
    sentence: str = "create_pull_request took effect at most once",
    positions: tuple[int, ...] = (5,),
) -> Played:
    """One play that was judged by one check."""
    history: tuple[AnyEntry, ...] = tuple(told.history) if told else ()
    scenario_values = SCENARIOS.get(name) or scenario(name, "A promise.", "L1")
    proof = Proof(positions=positions, sentence=sentence)
    finding = CheckRecord(check=check, claim="D2", verdict=verdict, proof=proof)
    applies = verdict is not Verdict.NOT_APPLICABLE
    record = PlayRecord(
        subject=subject,
        version="1.0",
        scenario=name,
        claims=tuple(scenario_values["claims"]),
        tier="sim",
        dialect="openai_chat",
        streaming=streaming,
        policy="",
        seed=7,
        repeat=repeat,
        verdict=verdict,
        reason=sentence,
        end_reason="completed" if applies else "",
        faults_fired=("gateway_timeout_after_effect",) if applies else (),
        replay=f"faultloop replay out/failures/{name}",
        stderr="Traceback ...\n" if verdict is BROKEN else "",
        checks=(finding,) if applies else (),
    )
    return Played(
        record=record,
        requests=2 if applies else 0,
        effects=1 if applies else 0,
        scenario=scenario_values,
        chosen=f"./{subject}.toml",
        history=history,
        stderr=record.stderr,
        wall_s=0.25,
        times_s=tuple(told.history.times_s) if told else (),
    )


def sample() -> list[Played]:
    twice = "create_pull_request took effect twice: the loop ran the same call again"
    late = "create_pull_request took effect after the cancel had returned"
    return [
        play("pull-request-504-after", told=resumed()),
        play("pull-request-504-after", told=resumed(), streaming=False),
        play(
            "pull-request-504-after",
            BROKEN,
            doubled(),
            subject="naive-openai",
            sentence=twice,
            positions=(4, 5, 9),
        ),
        play("kill-after-effect", told=resumed()),
        play(
            "kill-after-effect",
            UNKNOWN,
            resumed(),
            subject="naive-openai",
            sentence="the kill was never reached: the loop made no request",
            positions=(),
        ),
        play("cancel-in-tool", told=cancelled(), positions=()),
        play(
            "cancel-in-tool",
            BROKEN,
            cancelled(),
            subject="naive-openai",
            check="nothing_after_cancel",
            sentence=late,
            positions=(5, 8),
        ),
        play(
            "cancel-in-tool",
            Verdict.NOT_APPLICABLE,
            subject="naive-openai",
            streaming=False,
            sentence="it cannot be cancelled",
        ),
    ]


@pytest.fixture
def plays() -> list[Played]:
    return sample()


@pytest.fixture
def make_play() -> Callable[..., Played]:
    return play
