"""The same agent as a stream of events; Ctrl-C is `agent.cancel()`, as its documentation says."""

import asyncio
import signal

import faultloop_driver as bench
from driver import ENDS, opened
from strands.types.exceptions import MaxTokensReachedException


async def run():
    """The result is the last event; the model's own stop reason is in the event before it."""
    agent, limits = opened(), {"turns": int(bench.setting("MAX_STEPS"))}
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, agent.cancel)
    stop, result = None, None
    async for event in agent.stream_async(bench.setting("INPUT") or None, limits=limits):
        stop = event.get("event", {}).get("messageStop", {}).get("stopReason", stop)
        result = event.get("result", result)
    fields = {"finish_reason": stop, "final_text": str(result)}
    if ENDS.get(result.stop_reason) == "completed":  # no better than its latest reply
        return fields | {"end_reason": ENDS.get(stop, "error")}
    return fields | {"end_reason": ENDS.get(result.stop_reason, "error")}


def main():
    """The end of one call."""
    try:
        return asyncio.run(run())
    except MaxTokensReachedException as error:
        return {"end_reason": "max_tokens", "error": str(error)}


bench.run(main)
