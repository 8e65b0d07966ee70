"""The same agent as a stream of states; what its last message says of its end is read."""

import driver
import faultloop_driver as bench
from langgraph.errors import GraphRecursionError

ENDS = {"stop": "completed", "length": "max_tokens", "content_filter": "blocked"}


def main():
    """One message of the user; the last message's metadata say how it finished."""
    try:
        with driver.opened() as (agent, pending, settings):
            for state in agent.stream(pending, settings, stream_mode="values"):
                last = state["messages"][-1]
    except GraphRecursionError as error:
        return {"end_reason": "max_steps", "error": str(error)}
    reason = last.response_metadata.get("finish_reason")
    if last.invalid_tool_calls:
        return {"end_reason": "error", "finish_reason": reason, "error": "invalid_tool_calls"}
    end_reason = ENDS.get(reason, "error")
    return {"end_reason": end_reason, "finish_reason": reason, "final_text": last.content}


bench.run(main)
