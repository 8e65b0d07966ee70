"""The same agent, asked for its full result, which says whether the run was cut at its limit."""

import faultloop_driver as bench
from driver import agent

ENDS = {"success": "completed", "max_steps_error": "max_steps"}


def main():
    """One run, and its state."""
    result = agent().run(bench.setting("INPUT"), return_full_result=True)
    return {"end_reason": ENDS.get(result.state, "error"), "final_text": str(result.output)}


bench.run(main)
