"""A drill says held, broken or unknown, and is played against nobody whom it cannot judge."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from faultloop.bench.drilling import Exercise, drilled, exercises, kit_of, must_hold, row
from faultloop.bench.drills.kit.drill import Drill, Hung, Unplayable, Untested, judged
from faultloop.bench.drills.kit.model import Ask, Scripted, call, say
from faultloop.bench.drills.kit.parts import Kit
from faultloop.bench.drills.kit.session import APPENDS_MAX, Session, play, toy, within
from faultloop.bench.drills.kit.toys import Gate
from faultloop.bench.mutants import MUTANTS
from faultloop.bench.selection import subject_of
from faultloop.bench.wanted import Selection
from faultloop.loop.events import CallStarted, InputQueued, TurnEnded
from faultloop.loop.landmarks import SILENT
from faultloop.scenarios.verdict import Verdict


def drill(*sentences: str, raises: Exception | None = None) -> Drill:
    """A drill that says this, and then perhaps breaks off."""

    def run(kit: Kit) -> Iterator[str]:
        yield from sentences
        if raises is not None:
            raise raises

    return Drill(
        name="a-drill", claim="all is well", claims=("L9", "I4"), evidence="journal", run=run
    )


@pytest.mark.parametrize(
    ("told", "verdict", "sentence"),
    [
        (drill(), "held", "all is well"),
        (drill("one", "two"), "broken", "one; two"),
        (drill("1", "2", "3", "4", "5"), "broken", "1; 2; 3; and 2 more"),
        (drill(raises=Hung("it hung")), "broken", "it hung"),
        (drill(raises=Unplayable("no SDK")), "not_applicable", "no SDK"),
        (drill(raises=Untested("no turn")), "unknown", "it was not put to the test: no turn"),
        (drill(raises=ValueError("x")), "unknown", "the drill broke off: ValueError('x')"),
        (drill("one", raises=Untested("x")), "broken", "one; it was not put to the test: x"),
        (drill("one", raises=Hung("it hung")), "broken", "one; it hung"),
    ],
)
def test_a_drill_is_held_broken_or_unknown(told: Drill, verdict: str, sentence: str) -> None:
    found = judged(told, Kit())
    assert (found.check, found.claim) == ("journal:a-drill", "L9")
    assert (found.verdict, found.sentence) == (verdict, sentence)


def test_a_drill_that_never_stops_finding_is_stopped() -> None:
    def run(kit: Kit) -> Iterator[str]:
        while True:
            yield "again"

    endless = replace(drill(), run=run)
    assert judged(endless, Kit()).sentence == "again; again; again; and 997 more"


# --- the kit ----------------------------------------------------------------------------------


def test_a_loop_that_never_ends_hangs_in_virtual_time_and_says_so() -> None:
    async def endless() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Hung, match="no end within 3600 s"):
        play(endless)


def test_what_must_happen_in_time_and_does_not_is_named() -> None:
    async def story() -> None:
        await within(5, "the turn's end", asyncio.sleep(6))

    with pytest.raises(Hung, match=r"the turn's end did not happen within 5 s"):
        play(story)


def test_a_loop_that_works_for_ever_without_waiting_finds_its_disk_full() -> None:
    session = Session(Kit(), say("ok"))

    async def story() -> None:
        agent = session.agent()
        await agent.open()
        for number in range(APPENDS_MAX + 1):
            await agent.inject(str(number), source="job")
        with pytest.raises(OSError, match=f"{APPENDS_MAX} appends and does not come to an end"):
            await agent.inject("one more", source="job")

    play(story)


def test_a_session_knows_its_journal_its_events_and_where_a_crash_can_cut_it() -> None:
    kit = Kit()
    session = Session(kit, call(Ask("act", '{"x":"1"}')), say("ok"), tools=[toy(kit, "act")])

    async def story() -> None:
        await session.listened().prompt("go")

    play(story)
    assert session.saves == sorted(set(session.saves))
    assert session.saves[-1] == len(session.store)
    assert session.position(InputQueued) == 0
    assert session.model.told() == ["done"]
    assert session.tools[0].runs == [{"x": "1"}]
    crashed = session.crashed(0)
    assert len(crashed.of(InputQueued)) == 1
    assert not crashed.of(CallStarted)
    assert crashed.position(TurnEnded) == -1


def test_a_session_goes_the_way_that_ships_unless_it_is_told_to_watch() -> None:
    assert Session(Kit()).agent().recorder.landmarks is SILENT


def test_a_gate_holds_until_it_is_opened_and_then_nobody() -> None:
    gate = Gate()
    model = Scripted(say("one", gate), say("two", gate))

    async def story() -> tuple[bool, int]:
        session.model = model
        agent = session.agent()
        turn = asyncio.ensure_future(agent.prompt("go"))
        await gate.reached.wait()
        held = not turn.done()
        gate.open()
        await turn
        await agent.prompt("again")
        return held, model.most

    session = Session(Kit())
    assert play(story) == (True, 1)


def test_the_model_says_what_is_left_when_its_lines_are_over_and_raises_its_troubles() -> None:
    async def story() -> list[str]:
        session = Session(Kit(), [KeyError("choices")])
        agent = session.agent()
        ends = [await agent.prompt("go"), await agent.prompt("again")]
        return [end.end_reason for end in ends]

    assert play(story) == ["error", "completed"]


# --- who is drilled -----------------------------------------------------------------------------


def exercise(chosen: str, told: Drill) -> Exercise:
    return Exercise(chosen=chosen, subject=subject_of(chosen), drill=told, seed=1)


def test_a_drill_is_a_row_of_one_check_whose_name_tells_the_evidence() -> None:
    record = drilled(exercise("reference", drill("one"))).record
    assert (record.scenario, record.dialect, record.tier) == ("a-drill", "drill", "sim")
    assert [(check.check, check.claim) for check in record.checks] == [("journal:a-drill", "L9")]
    assert (record.verdict, record.reason) == (Verdict.BROKEN, "journal:a-drill: one")
    assert record.replay == (
        "faultloop run --subject reference --scenario a-drill --report-dir faultloop-replay"
    )


def test_other_loops_cannot_be_drilled_and_their_row_says_why() -> None:
    record = drilled(exercise("reference-process", drill("one"))).record
    assert record.verdict is Verdict.NOT_APPLICABLE
    assert record.checks == ()
    assert "only the reference, its presets and its simulated mutants are drilled" in record.reason
    with pytest.raises(pytest.skip.Exception, match="not applicable: a drill replaces"):
        must_hold(record)


def test_a_broken_drill_fails_with_what_was_seen_and_the_command() -> None:
    record = row(exercise("reference", drill()), judged(drill("one"), Kit())).record
    with pytest.raises(pytest.fail.Exception, match=r"(?s)a-drill \(L9\) is broken.*one.*o a-dr"):
        must_hold(record)


def test_a_mutant_is_drilled_with_its_own_parts() -> None:
    kit = kit_of("mutant:idles-early")
    assert kit is not None
    assert kit.agent is MUTANTS["idles-early"].agent
    assert kit_of("mutant:leaves-commands-running") is None
    assert kit_of("naive-openai") is None


def test_globs_for_scenarios_choose_drills_as_well_and_a_quick_run_has_none() -> None:
    def names(selection: Selection) -> list[str]:
        return [one.name for one in exercises(selection)]

    assert names(Selection(subjects=("reference",), scenarios=("idle-*",))) == [
        "reference-idle-waits"
    ]
    assert names(Selection(scenarios=("no-such",))) == []
    assert names(Selection(quick=True)) == []
