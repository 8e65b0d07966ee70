"""The same agent, event by event; finish reasons come from AutoGen's log of model calls."""

import asyncio
import json
import logging
from pathlib import Path

import faultloop_driver as bench
from autogen_core import EVENT_LOGGER_NAME
from autogen_core.logging import LLMCallEvent, LLMStreamEndEvent
from driver import loaded

ENDS = {"stop": "completed", "length": "max_tokens", "content_filter": "blocked"}


class Reasons(logging.Handler):
    """Keeps the finish reason of the latest reply."""

    latest = None

    def emit(self, record):
        """A streamed call is logged as AutoGen's own result, a whole one as the provider's."""
        if isinstance(record.msg, LLMCallEvent | LLMStreamEndEvent):
            response = record.msg.kwargs["response"]
            self.latest = (response.get("choices") or [response])[0]["finish_reason"]


async def main():
    """One message of the user, told apart by how its last reply ended."""
    reasons, log = Reasons(), logging.getLogger(EVENT_LOGGER_NAME)
    log.setLevel(logging.INFO)
    log.addHandler(reasons)
    state = Path(bench.setting("STATE_DIR"), "agent.json")
    agent = await loaded(state)
    try:
        async for event in agent.run_stream(task=bench.setting("INPUT")):
            last = event  # the result is the last of the events
    finally:
        state.write_text(json.dumps(await agent.save_state()))
    said, reason = last.messages[-1], reasons.latest
    stopped = said.type == "ToolCallSummaryMessage"
    end = "max_steps" if stopped else ENDS.get(reason, "error")
    return {"end_reason": end, "finish_reason": reason, "final_text": said.to_text()}


bench.run(lambda: asyncio.run(main()))
