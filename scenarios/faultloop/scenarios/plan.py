"""From a scenario to the plan of a stage: repeats are written out, arguments become JSON text.

The faults and triggers of a scenario are the stage's own values already and pass through as they
are. Nothing here chooses anything: the same scenario, seed and play give an equal plan.
"""

from __future__ import annotations

from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.stage import Plan
from faultloop.scenarios.once import once
from faultloop.scenarios.scenario import CallLine, Scenario, StepLine


def plan(scenario: Scenario, *, seed: int, play: str) -> Plan:
    """What the stage of one play is given. `play` enters marks, call ids and the URL."""
    return Plan(
        seed=seed,
        play=play,
        script=script(scenario),
        inputs=(scenario.input, *(turn.input for turn in scenario.next_turns)),
        world=scenario.world,
        faults=scenario.faults,
        triggers=scenario.events,
    )


@once
def script(scenario: Scenario) -> Script:
    """All that the model will say: the first turn, then the further ones."""
    turns = (scenario.script, *(turn.script for turn in scenario.next_turns))
    return Script(turns=tuple(_written_out(lines) for lines in turns))


def _written_out(lines: tuple[StepLine, ...]) -> tuple[Step, ...]:
    return tuple(_step(line) for line in lines for _ in range(line.repeat))


def _step(line: StepLine) -> Step:
    return Step(say=line.say, calls=tuple(map(_call, line.calls)), finish=line.finish)


def _call(line: CallLine) -> ScriptedCall:
    if line.raw is not None:
        return ScriptedCall(tool=line.tool, arguments=line.raw)
    return ScriptedCall.of(line.tool, line.args)
