"""The same agent as a coroutine; the run that its database has kept says how it ended."""

import asyncio

import faultloop_driver as bench
from driver import ENDS, EVENTS, opened


async def run():
    """The status of the run as kept; where none was, the first event that tells of an end."""
    agent, said = opened(), bench.setting("INPUT")
    ends = []
    if bench.streaming():
        async for event in agent.arun(said, stream=True):
            ends += [EVENTS[event.event]] if event.event in EVENTS else []
    else:
        ends.append(ENDS.get((await agent.arun(said)).status.value, "error"))
    kept = await agent.aget_last_run_output()
    end = ENDS.get(kept.status.value, "error") if kept else "error"
    if ends[:1] != [end]:
        return {"end_reason": (*ends, end)[0], "error": f"kept as {end}, told as {ends}"}
    return {"end_reason": end, "final_text": kept.content}


bench.run(lambda: asyncio.run(run()))
