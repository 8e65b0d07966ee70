"""From a scenario to the plan of a stage: repeats are written out, arguments become JSON text.

The faults and triggers of a scenario are the stage's own values already and pass through as they
are. Nothing here chooses anything: the same scenario, seed and play give an equal plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from faultloop.fakes.recorded import Recording
from faultloop.fakes.script import Script, ScriptedCall, Step
from faultloop.fakes.stage import Plan
from faultloop.scenarios.once import once
from faultloop.scenarios.scenario import CallLine, RecordingLines, Scenario, StepLine


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
        strictness=scenario.strictness,
        recording=recording(scenario.recording),
    )


@once
def script(scenario: Scenario) -> Script:
    """All that the model will say: the first turn, then the further ones."""
    turns = (scenario.script, *(turn.script for turn in scenario.next_turns))
    return Script(turns=tuple(written_out(lines) for lines in turns))


def recording(lines: RecordingLines) -> Recording:
    """What was recorded beside the script."""
    return Recording(pace=lines.pace, beside=written_out(lines.beside), asides=lines.asides)


def written_out(lines: tuple[StepLine, ...]) -> tuple[Step, ...]:
    """The steps of these lines, repeats and all."""
    return tuple(_step(line) for line in lines for _ in range(line.repeat))


def _step(line: StepLine) -> Step:
    calls = tuple(call for one in line.calls for call in _calls(one))
    return Step(
        say=line.say,
        think=line.think,
        calls=calls,
        finish=line.finish,
        recorded=line.recorded,
        failures=line.failures,
    )


def _calls(line: CallLine) -> Iterator[ScriptedCall]:
    for number in range(1, line.repeat + 1):
        if line.raw is not None:
            yield ScriptedCall(tool=line.tool, arguments=line.raw, id=line.id)
        else:
            yield ScriptedCall.of(line.tool, _numbered(line, number), id_=line.id)


def _numbered(line: CallLine, number: int) -> dict[str, Any]:
    """The arguments of one of several calls; a call that is made once is written as it is."""
    if line.repeat == 1:
        return line.args
    return {
        name: value.replace("{n}", str(number)) if isinstance(value, str) else value
        for name, value in line.args.items()
    }
