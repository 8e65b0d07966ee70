"""The plan: what a scenario says becomes what the stage does, nothing added and nothing lost."""

from __future__ import annotations

from pathlib import Path

from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.landmarks import Trigger
from faultloop.fakes.script import ScriptedCall, Step
from faultloop.fakes.strictness import REAL, Strictness
from faultloop.fakes.world.spec import WorldSpec
from faultloop.scenarios import reading
from faultloop.scenarios.plan import plan
from faultloop.scenarios.scenario import Accept, CallLine, Scenario, StepLine, TurnLines

SCENARIO = Scenario(
    schema=1,
    name="three-questions",
    claim="It is asked three times.",
    claims=("L2",),
    checks=("requests_bounded",),
    requires=("streaming", "cancel"),
    world=WorldSpec(ci=("pending",)),
    input="Is CI green?",
    script=(
        StepLine(calls=(CallLine(tool="get_ci_status"),), repeat=3),
        StepLine(calls=(CallLine(tool="get_ci_status", raw="{"),), finish="length"),
        StepLine(say="Not yet."),
    ),
    next_turns=(TurnLines(input="And now?", script=(StepLine(say="Yes."),)),),
    faults=(Stalled(at="step 1", seconds=1.0),),
    events=(Trigger(at="chunk:2", do="cancel"),),
    accept=(Accept(effects=0),),
    max_requests=10,
)


def test_repeats_are_written_out_and_raw_text_stays_raw() -> None:
    first, _ = plan(SCENARIO, seed=1, play="p").script.turns
    asked = Step(calls=(ScriptedCall(tool="get_ci_status", arguments="{}"),))
    cut = Step(calls=(ScriptedCall(tool="get_ci_status", arguments="{"),), finish="length")
    assert first == (asked, asked, asked, cut, Step(say="Not yet."))


def test_a_repeated_call_is_numbered_where_it_asks_for_it() -> None:
    reads = CallLine(tool="read_file", args={"path": "m/{n}", "offset": 1}, repeat=2)
    once = CallLine(tool="read_file", args={"path": "m/{n}"})
    raw = CallLine(tool="read_file", raw="{n}", repeat=2)
    several = SCENARIO.model_copy(update={"script": (StepLine(calls=(reads, once, raw)),)})
    (step,), *_ = plan(several, seed=1, play="p").script.turns
    assert [call.arguments for call in step.calls] == [
        '{"path":"m/1","offset":1}',
        '{"path":"m/2","offset":1}',
        '{"path":"m/{n}"}',
        "{n}",
        "{n}",
    ]


def test_every_turn_has_its_input_and_its_steps() -> None:
    made = plan(SCENARIO, seed=1, play="p")
    assert made.inputs == ("Is CI green?", "And now?")
    assert len(made.script.turns) == len(made.inputs)
    assert made.script.turns[1] == (Step(say="Yes."),)


def test_world_faults_and_events_pass_through() -> None:
    made = plan(SCENARIO, seed=7, play="p")
    assert (made.world, made.faults, made.triggers) == (
        SCENARIO.world,
        SCENARIO.faults,
        SCENARIO.events,
    )
    assert (made.seed, made.play) == (7, "p")


def test_the_same_scenario_seed_and_play_give_an_equal_plan() -> None:
    assert plan(SCENARIO, seed=1, play="p") == plan(SCENARIO, seed=1, play="p")
    assert plan(SCENARIO, seed=1, play="p") != plan(SCENARIO, seed=2, play="p")
    assert plan(SCENARIO, seed=1, play="p") != plan(SCENARIO, seed=1, play="q")


def test_the_provider_is_as_strict_as_the_scenario_says() -> None:
    lenient = Strictness(level="lenient", off=("object_arguments",), context_tokens=8000)
    scenario = SCENARIO.model_copy(update={"strictness": lenient})

    assert plan(SCENARIO, seed=1, play="p").strictness == REAL
    assert plan(scenario, seed=1, play="p").strictness == lenient
    assert reading.loads(reading.dump(scenario), Path("kept.yaml")).strictness == lenient
