"""The same agent, event by event; finish reasons come from the replies as they were received."""

import asyncio

import faultloop_driver as bench
from driver import running
from llama_index.core.agent.workflow import AgentInput
from llama_index.core.workflow import WorkflowRuntimeError

ENDS = {"stop": "completed", "length": "max_tokens", "content_filter": "blocked"}


async def main():
    """The result, told apart by how its last reply ended."""
    handler, reason = running(), None
    async for event in handler.stream_events():
        if isinstance(event, AgentInput):
            reason = None
        for choice in (getattr(event, "raw", None) or {}).get("choices") or ():
            reason = choice["finish_reason"] or reason
    try:
        text = str(await handler)
    except WorkflowRuntimeError as error:
        if not str(error).startswith("Max iterations"):
            raise
        return {"end_reason": "max_steps", "error": str(error)}
    return {"end_reason": ENDS.get(reason, "error"), "finish_reason": reason, "final_text": text}


bench.run(lambda: asyncio.run(main()))
