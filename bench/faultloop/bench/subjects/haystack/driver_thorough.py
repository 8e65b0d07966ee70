"""The same agent as a coroutine; what the last message says of its own end is read as well."""

import asyncio

import faultloop_driver as bench
from driver import keep, opened

ENDS = {"stop": "completed", "length": "max_tokens", "content_filter": "blocked"}


async def chunks(chunk):
    """With a callback replies are streamed."""


async def main():
    """One message of the user; a run that stops at its tools was stopped by the limit."""
    agent, messages, file = opened()
    streamed = chunks if bench.streaming() else None
    result = await agent.run_async(messages=messages, streaming_callback=streamed)
    keep(file, result["messages"])
    last = result["messages"][-1]
    reason = result.get("exit_reason") or ""
    stopped = reason == "max_agent_steps" or last.tool_call_result
    finish = last.meta.get("finish_reason")
    end = "max_steps" if stopped else ENDS.get(finish, "error")
    return {"end_reason": end, "finish_reason": finish, "final_text": last.text}


bench.run(lambda: asyncio.run(main()))
