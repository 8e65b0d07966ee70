"""The same agent; of its last event the error code and the finish reason are read as well."""

import faultloop_driver as bench
from driver import events, main

ENDS = {"STOP": "completed", "MAX_TOKENS": "max_tokens", "SAFETY": "blocked"}


async def end():
    """The last event that is not a part of a stream, read in full."""
    last = None
    async for event in events():
        if not event.partial:
            last = event
    if last is None:
        return {"end_reason": "error", "error": "the run ended without an event"}
    finish = last.finish_reason.name if last.finish_reason else ""
    text = "".join(part.text or "" for part in (last.content.parts if last.content else None) or [])
    fields = {"final_text": text, "error": last.error_message}
    return fields | {"end_reason": ENDS.get(last.error_code or finish, "error")}


bench.run(lambda: main(end))
