"""Cancelling, late work and ends that do not come."""

import asyncio

from faultloop.fakes.history import Account, EffectApplied, Ended, GateOpened
from faultloop.scenarios.play import GRACE_S, LAST_S
from faultloop.scenarios.subject import (
    Brief,
)

from .toy import (
    CANCEL_IN_CALL,
    DEAF,
    SLOW,
    Toy,
    ToyRun,
    append,
    forever,
    of,
    played,
)


async def lets_go(run: ToyRun, brief: Brief) -> Account:
    """Cancels its call when it is cancelled."""
    call = asyncio.ensure_future(append(run, brief))
    stop = asyncio.ensure_future(run.cancelled.wait())
    await asyncio.wait({call, stop}, return_when=asyncio.FIRST_COMPLETED)
    call.cancel()
    return Account(end_reason="aborted" if run.cancelled.is_set() else "completed")


def test_cancelled_work_that_stops_leaves_nothing_behind() -> None:
    done = played(Toy(lets_go, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert (of(done, Ended)[0].account.end_reason, done.evidence.ledger) == ("aborted", ())


def test_work_that_goes_on_after_the_end_is_seen_as_late() -> None:
    done = played(Toy(lets_go, "none"), events=[CANCEL_IN_CALL], faults=[DEAF])
    late = [type(entry) for entry in of(done, Ended, GateOpened, EffectApplied)]
    assert late == [Ended, GateOpened, EffectApplied]


def test_a_loop_that_waits_for_what_cannot_be_stopped_is_let_through() -> None:
    done = played(Toy(append, "none"), events=[CANCEL_IN_CALL], faults=[DEAF])
    assert [type(entry) for entry in of(done, Ended, GateOpened, EffectApplied)] == [
        GateOpened,  # for what cannot be stopped
        EffectApplied,
        Ended,
        GateOpened,  # for everything
    ]
    assert of(done, Ended)[0].how == "exited"


def test_work_that_stops_within_the_grace_has_no_effect_by_the_bench_s_own_hand() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        call = asyncio.ensure_future(append(run, brief))
        await run.cancelled.wait()
        await asyncio.sleep(GRACE_S - 0.5)
        call.cancel()
        return Account(end_reason="aborted")

    done = played(Toy(life, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert of(done, Ended)[0].account.end_reason == "aborted"
    assert done.evidence.ledger == ()


def test_a_loop_that_waits_for_its_call_after_the_cancel_gets_it_when_the_grace_is_over() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await append(run, brief)
        return Account(end_reason="aborted")

    done = played(Toy(life, "none"), events=[CANCEL_IN_CALL], faults=[SLOW])
    assert of(done, Ended)[0].how == "exited"
    opened = next(e for e in done.evidence.history if isinstance(e, GateOpened))
    assert done.evidence.times_s[opened.position] == GRACE_S


def test_a_loop_that_does_not_heed_its_cancel_is_killed_after_the_grace() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await append(run, brief)
        return await forever(run, brief)

    done = played(Toy(life), events=[CANCEL_IN_CALL], deadline_s=1000)
    (outcome,) = done.outcomes
    assert (outcome.how, outcome.grace_exceeded) == ("did_not_end", True)
    assert done.evidence.times_s[-1] < 20


def test_a_play_past_its_deadline_is_ended_and_nothing_follows() -> None:
    done = played(Toy(forever), deadline_s=25)
    (outcome,) = done.outcomes
    assert (outcome.how, outcome.grace_exceeded) == ("did_not_end", False)
    assert done.evidence.times_s[-1] == 25 + LAST_S


def test_a_loop_that_ends_itself_at_its_deadline_is_in_time() -> None:
    async def life(run: ToyRun, brief: Brief) -> Account:
        await asyncio.sleep(brief.deadline_s + 1)  # an interpreter needs a second to start
        return Account(end_reason="timeout")

    (outcome,) = played(Toy(life, "none"), deadline_s=25).outcomes
    assert (outcome.how, outcome.account.end_reason) == ("exited", "timeout")
