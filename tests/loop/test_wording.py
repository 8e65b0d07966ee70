"""What the loop tells the model of turns that were cut and calls whose end nobody saw."""

from __future__ import annotations

from typing import get_args

import pytest

from faultloop.loop import wording
from faultloop.loop.contract import Contract
from faultloop.loop.events import EndReason
from faultloop.loop.state import Turn

PAY = Contract(name="pay", purpose="pay", parameters={"type": "object"})
LOOK = Contract(name="look", purpose="look", parameters={"type": "object"}, read_only=True)

NOTICES = [
    (
        Turn(number=1, step=2, end_reason="aborted", cause="user", cut_in="acting"),
        "interrupted by the user at step 2, while its calls were being run; each call's result",
    ),
    (
        Turn(number=1, step=1, end_reason="aborted", cause="parent", cut_in="asking"),
        "interrupted (parent) at step 1, while a reply was awaited; nothing of that reply",
    ),
    (Turn(number=1, end_reason="aborted", cause="user"), "by the user before its first step."),
    (Turn(number=1, step=3, end_reason="interrupted"), "because the process that ran it ended at"),
]


@pytest.mark.parametrize(("turn", "said"), NOTICES)
def test_the_next_turn_is_told_who_cut_the_last_one_and_where(turn: Turn, said: str) -> None:
    assert said in wording.cut_notice(turn)


@pytest.mark.parametrize("reason", get_args(EndReason))
def test_every_end_but_completion_is_told(reason: EndReason) -> None:
    notice = wording.cut_notice(Turn(number=1, step=1, end_reason=reason))
    assert bool(notice) is (reason != "completed")


VALUES = {"seconds": 5.0, "error": "KeyError: 'x'", "why": "it was cancelled"}
LIES = ("not executed", "did not", "failed", "nothing happened", "was not")


@pytest.mark.parametrize("code", wording.UNSEEN)
@pytest.mark.parametrize("contract", [PAY, None])
def test_a_call_whose_end_nobody_saw_is_never_said_not_to_have_happened(code, contract) -> None:
    result = wording.unseen(contract, code, **VALUES)
    assert result.outcome == "unknown"
    assert "unknown" in result.content
    sentence = result.content.replace("repeat it only if it did not", "")
    assert not any(lie in sentence for lie in LIES)


@pytest.mark.parametrize("code", wording.UNSEEN)
def test_a_call_that_only_reads_may_be_repeated(code) -> None:
    assert "may be repeated" in wording.unseen(LOOK, code, **VALUES).content


@pytest.mark.parametrize("code", wording.NOT_EXECUTED)
def test_a_call_that_never_started_is_told_so_plainly(code) -> None:
    assert wording.not_executed(code, tool="x", reason="", earlier="c0").startswith(
        "not executed: "
    )
