"""The same agent step by step: its messages are kept after each, its finish reason is read."""

import asyncio

import driver
import faultloop_driver as bench
from pydantic_ai import Agent, ModelMessagesTypeAdapter
from pydantic_ai.exceptions import UsageLimitExceeded

ENDS = {"stop": "completed", "length": "max_tokens", "content_filter": "blocked"}


async def steps():
    """Walk the run's graph node by node."""
    agent, settings, file = driver.opened()
    async with agent.iter(bench.setting("INPUT"), **settings) as run:
        async for node in run:
            if bench.streaming() and Agent.is_model_request_node(node):
                async with node.stream(run.ctx) as events:
                    await driver.listener(run.ctx, events)
            file.write_bytes(ModelMessagesTypeAdapter.dump_json(run.all_messages()))
    return run.result


def main():
    """One message of the user; the last response says how it finished."""
    try:
        result = asyncio.run(steps())
    except UsageLimitExceeded as error:
        return {"end_reason": "max_steps", "error": str(error)}
    reason = result.response.finish_reason
    ended = ENDS.get(reason, "error")
    return {"end_reason": ended, "finish_reason": reason, "final_text": result.output}


bench.run(main)
