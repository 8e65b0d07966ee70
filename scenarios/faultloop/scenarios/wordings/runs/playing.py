"""One whole run: the reference loop and a model's answers in the fake world, under virtual time.

The simulated clock waits for nobody, and a model takes its time. So a run is a pure function of the
answers that are known: where one is missing it stops and says which question it needs, and once
that is answered it is played again from the start, the same to the byte. A tool that hangs or a
retry that waits costs nothing, and what was answered is kept like any other answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from faultloop.fakes import clock
from faultloop.fakes.plan import Plan
from faultloop.fakes.script import Script
from faultloop.fakes.stage import Stage
from faultloop.loop.budget import Budget
from faultloop.loop.contract import Contract, Strict
from faultloop.loop.engine import Agent
from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.policy import REFERENCE
from faultloop.loop.providers.port import (
    CallDelta,
    Delta,
    EndDelta,
    FinishDelta,
    ModelRequest,
    ProviderFailure,
    TextDelta,
    UsageDelta,
)
from faultloop.loop.tools.http import Posted, RemoteTool
from faultloop.loop.tools.port import ToolContext
from faultloop.scenarios.play import Hands
from faultloop.scenarios.subjects.reference_direct import DirectTool
from faultloop.scenarios.wordings.answer import Answer, Failure
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.runs.task import RunTask, wrong_at_the_end
from faultloop.scenarios.wordings.task import Said
from faultloop.scenarios.wordings.wording import Wording

Answers = Callable[[Question], Answer | None]
"""None: it has not been asked yet."""

SILENCE: frozenset[Failure | None] = frozenset({None, "empty"})
"""What a run goes on after: at the end of its work a model may have nothing more to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How far a run came."""

    answers: tuple[Answer, ...]
    """The model's, in their order."""
    needs: Question | None
    """What has to be answered before it goes on; None: it is over."""
    end_reason: str
    wrong: tuple[str, ...]
    """What is not as it should be at the end."""

    @property
    def failure(self) -> Failure | None:
        """Why it got no further, where an answer was missing."""
        for answer in self.answers:
            if answer.failure not in SILENCE:
                return answer.failure
        return None


def play(
    task: RunTask,
    wording: Wording,
    offered: Sequence[str],
    answers: Answers,
    *,
    strict: Strict | None = None,
    sample: int = 0,
    seed: int = 0,
) -> Played:
    """Play a task, as far as answers are known. `offered`: tools, by the base's names, in order."""

    async def run() -> Played:
        loop = asyncio.get_running_loop()
        plan = Plan(
            seed=seed,
            play=task.id,
            script=Script(turns=((),)),
            inputs=(task.prompt,),
            world=task.world,
            faults=task.faults,
            hosted=True,
        )
        stage = Stage(plan, clock=loop.time, deeds=Hands())
        stage.listed(1)
        model = Answering(task, wording, offered, answers, strict=strict, sample=sample)
        agent = Agent(
            provider=model,
            tools=[Worded(stage, tool, wording) for tool in offered],
            journal=MemoryJournal(),
            session="run",
            policy=replace(
                REFERENCE, budget=Budget(steps_max=task.steps_max), stream=False, strict=strict
            ),
            system=task.system,
        )
        end = await agent.prompt(task.prompt)
        await agent.close()
        await stage.close()
        return Played(
            answers=tuple(model.given),
            needs=model.needs,
            end_reason=end.end_reason,
            wrong=tuple(wrong_at_the_end(task, stage.world.files, stage.ledger.effects)),
        )

    return clock.run(run, seed=seed)


class Answering:
    """A provider that says a model's answers, and stops where one is not known yet."""

    def __init__(
        self,
        task: RunTask,
        wording: Wording,
        offered: Sequence[str],
        answers: Answers,
        *,
        strict: Strict | None,
        sample: int,
    ) -> None:
        self._answers = answers
        self._first = Question(
            messages=(Said(role="user", text=task.prompt),),
            contracts=wording.offered(offered),
            system=task.system,
            strict=strict,
            sample=sample,
        )
        self.given: list[Answer] = []
        self.needs: Question | None = None

    async def stream(self, request: ModelRequest) -> AsyncIterator[Delta]:
        """One answer. Raises ProviderFailure where there is none."""
        question = replace(self._first, after=request.messages[1:])
        answer = self._answers(question)
        if answer is None:
            self.needs = question
            raise ProviderFailure("rejected", "this question was not asked yet")
        self.given.append(answer)
        if answer.failure not in SILENCE:
            raise ProviderFailure("rejected", answer.failure_says or str(answer.failure))
        if answer.text:
            yield TextDelta(answer.text)
        for number, call in enumerate(answer.calls):
            yield CallDelta(number, id=call.id, name=call.name, arguments=call.arguments)
        yield UsageDelta(answer.usage.input_tokens, answer.usage.output_tokens)
        reason = "tool_calls" if answer.calls else "stop"
        yield FinishDelta(reason, reason)  # type: ignore[arg-type]
        yield EndDelta()


class Worded(RemoteTool):
    """A tool of the world under the names that a wording has for it and its parameters."""

    def __init__(self, stage: Stage, tool: str, wording: Wording) -> None:
        contract: Contract = wording.contracts[tool]
        super().__init__(contract)
        self._tool = tool
        self._wording = wording
        self._inner = DirectTool(stage, 1, replace(contract, name=tool))

    async def posted(self, body: bytes, context: ToolContext) -> Posted:
        """One invocation, in the world's own names."""
        written: dict[str, Any] = json.loads(body)
        args = {
            self._wording.parameter_called(self._tool, name): value
            for name, value in written.items()
        }
        return await self._inner.posted(json.dumps(args).encode(), context)
