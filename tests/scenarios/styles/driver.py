"""One careful agent loop in many styles, through subject contract v1: a test asset, no sample.

The environment's STYLE names one. Right in another way: `noids` sends the world no call ids,
`ownids` renames the model's calls, `parts` spells messages unlike others, `parallel` runs reads at
once, `flat` writes calls as plain text, `finishtool` lets a running call finish after a cancel.
Wrong: `lc` takes a cut reply for the answer, `title` does so after a side request of its own,
`swallow` says completed after an error, `silentcut` shortens output without a word, `mumble`
explains nothing, `gatherall` runs every batch at once, `ph3` denies an unknown outcome, `leak`
leaves a process behind, `runcut` runs what a cut reply calls, `hasty` asks again when it likes. It
speaks every dialect, each in a spelling of its own; what only one of them can do well or badly is a
style of that spelling.
"""

import asyncio
import importlib
import json
import signal
from pathlib import Path

import faultloop_driver as bench
import httpx
from world import DOUBT, World, style

CERTIFICATES = httpx.create_ssl_context()
NO_LIMITS = httpx.Limits(max_connections=None)
"""A pool of connections would bound the calls."""
TRIES = 4
SPELLINGS = {"openai_chat": "spelling", "openai_responses": "spelling_responses"}
SPELLINGS |= {"anthropic_messages": "spelling_messages", "gemini": "spelling_gemini"}
NOT_RUN = "not executed: interrupted by user"


class Over(Exception):
    """The turn ends otherwise than completed."""

    def __init__(self, end_reason, **fields):
        super().__init__(end_reason)
        self.fields = {"end_reason": end_reason, **fields}


class Loop:
    def __init__(self, client):
        self.client = client
        self.file = Path(bench.setting("STATE_DIR")) / "session.json"
        self.state = {"messages": [], "started": [], "note": "", "ids": 0}
        if self.file.exists():
            self.state = json.loads(self.file.read_text())
        self.messages = self.state["messages"]
        self.world = World(client)
        self.spelling = importlib.import_module(SPELLINGS[bench.setting("DIALECT")])
        self.cancelled = False

    def save(self):
        half = self.file.with_suffix(".tmp")
        half.write_text(json.dumps(self.state))
        half.replace(self.file)

    def add(self, role, content, **fields):
        self.messages.append({"role": role, "content": content, **fields})
        self.save()

    def close(self, note=""):
        """Answer what a cancel or a crash left open, which only the last batch can be."""
        answered = {message.get("tool_call_id") for message in self.messages}
        for call in [call for m in self.messages for call in m.get("tool_calls") or ()]:
            if call["id"] not in answered:
                said = f"interrupted: {DOUBT}" if call["id"] in self.state["started"] else NOT_RUN
                self.add("tool", said, tool_call_id=call["id"])
        self.state["note"] = note
        self.save()

    # --- the model

    async def ask(self, tools):
        body = self.spelling.body(self.messages, tools)
        for attempt in range(1, TRIES + 1):
            wait_s, fatal = 0.1 * 2**attempt, False
            try:
                return await self.once(body)
            except httpx.HTTPStatusError as error:
                asked_s = 0 if style("hasty") else self.spelling.wait_s(error.response)
                wait_s = max(wait_s, asked_s)
                fatal = error.response.status_code not in (429, 500, 502, 503, 504, 529)
            except httpx.TransportError:
                pass
            if fatal or attempt == TRIES or style("swallow"):
                break
            await asyncio.sleep(wait_s)
        raise Over("error", error="the model request failed")

    async def once(self, body):
        url, headers = self.spelling.head()
        async with self.client.stream("POST", url, json=body, headers=headers) as response:
            if response.is_error:
                await response.aread()
            response.raise_for_status()
            if bench.streaming():
                reply = await self.spelling.streamed(response)
            else:
                reply = self.spelling.whole(json.loads(await response.aread()))
        if reply["finish"] is None:
            raise httpx.ReadError("the stream ended without a finish reason")
        return reply

    # --- the tools

    async def run(self, call):
        args = self.world.read(call)
        if isinstance(args, str):
            return args
        self.state["started"].append(call["id"])
        self.save()
        return await self.world.run(call, args)

    async def batch(self, calls):
        reads = all(self.world.hint(call, "readOnlyHint") for call in calls)
        if style("gatherall") or (style("parallel") and reads):
            said = await asyncio.gather(*map(self.run, calls))
            for call, text in zip(calls, said, strict=True):
                self.add("tool", text, tool_call_id=call["id"])
            return
        for call in calls:
            text = NOT_RUN if self.cancelled else await self.run(call)
            self.add("tool", text, tool_call_id=call["id"])

    # --- the turn

    async def turn(self):
        note = self.state["note"]
        self.close()
        for said in filter(None, (note, bench.setting("INPUT"))):
            self.add("user", said)
        if style("title"):
            await self.ask([])
        for _ in range(int(bench.setting("MAX_STEPS"))):
            reply = await self.ask(list(self.world.manifest.values()))
            if self.cancelled:
                raise asyncio.CancelledError
            if reply["finish"] == "content_filter":
                raise Over("blocked", finish_reason="content_filter")
            if reply["finish"] == "length" and not style("lc", "title", "runcut"):
                raise Over("max_tokens", finish_reason="length")
            is_cut = reply["finish"] == "length" and not style("runcut")
            if is_cut or not reply["calls"]:
                self.add("assistant", reply["text"], reply=reply.get("reply"))
                return reply["text"]
            for call in reply["calls"]:
                self.state["ids"] += 1
                call["given"], call["raw"] = call["id"], call["function"]["arguments"]
                call["id"] = f"own_{self.state['ids']}" if style("ownids") else call["id"]
            sent_back = [self.spelling.replayed(call) for call in reply["calls"]]
            text, kept = reply["text"] or None, reply.get("reply")
            self.add("assistant", text, tool_calls=sent_back, reply=kept)
            await self.batch(reply["calls"])
            if self.cancelled:
                raise asyncio.CancelledError
        raise Over("max_steps")

    def cancel(self, task):
        self.cancelled = True
        if not style("finishtool"):
            task.cancel()


async def live():
    fields = {"verify": CERTIFICATES, "trust_env": False, "timeout": None, "limits": NO_LIMITS}
    async with httpx.AsyncClient(**fields) as client:
        loop = Loop(client)
        task = asyncio.ensure_future(loop.turn())
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, loop.cancel, task)
        try:
            text = await asyncio.wait_for(task, 0.5 * float(bench.setting("DEADLINE_S")))
        except Over as over:
            loop.close()
            swallowed = style("swallow") and over.fields["end_reason"] == "error"
            return "" if swallowed else over.fields
        except TimeoutError:
            loop.close()
            return {"end_reason": "timeout"}
        except asyncio.CancelledError:
            loop.close("[The previous turn was interrupted by the user.]")
            return {"end_reason": "aborted"}
        return text


bench.run(lambda: asyncio.run(live()))
