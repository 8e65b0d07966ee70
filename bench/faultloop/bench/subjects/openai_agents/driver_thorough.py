"""The same agent as a task of its own; whatever the SDK tells of each reply's end is read."""

import asyncio

import driver
import faultloop_driver as bench
from agents import RunHooks, Runner
from agents.exceptions import MaxTurnsExceeded

ENDS = {"max_output_tokens": "max_tokens", "content_filter": "blocked"}


class Last(RunHooks):
    """Keeps the latest response as the run's hooks are given it."""

    response = None

    async def on_llm_end(self, context, agent, response):
        """After every reply of the model."""
        self.response = response


async def run():
    """One message of the user. The output's items have a status, streamed responses a reason."""
    agent, settings = driver.opened()
    last, why = Last(), ""
    if bench.streaming():
        result = Runner.run_streamed(agent, bench.setting("INPUT"), hooks=last, **settings)
        async for event in result.stream_events():
            told = getattr(getattr(event, "data", None), "response", None)
            why = getattr(getattr(told, "incomplete_details", None), "reason", None) or why
    else:
        result = await Runner.run(agent, bench.setting("INPUT"), hooks=last, **settings)
    items = last.response.output if last.response else []
    if not why and any(getattr(item, "status", None) == "incomplete" for item in items):
        why = "max_output_tokens"
    end = ENDS.get(why, "error") if why else "completed"
    return {"end_reason": end, "finish_reason": why or None, "final_text": result.final_output}


def main():
    """The end of one run."""
    try:
        return asyncio.run(run())
    except MaxTurnsExceeded as error:
        return {"end_reason": "max_steps", "error": str(error)}


bench.run(main)
