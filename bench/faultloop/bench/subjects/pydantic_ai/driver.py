"""An agent of Pydantic AI, whose messages are kept as JSON after every run, however it ended."""

from pathlib import Path

import faultloop_driver as bench
from pydantic_ai import Agent, ModelMessagesTypeAdapter, RunContext, Tool, capture_run_messages
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.models import anthropic, openai  # noqa: F401
from pydantic_ai.usage import UsageLimits

PROVIDERS = {"openai_chat": "openai-chat", "anthropic_messages": "anthropic"}


def call(name, args, context):
    """The context of a run knows the id of the call."""
    return bench.call_tool(name, args, call_id=context.tool_call_id)


def tool(told):
    """A tool of the manifest, which may say that it is not to run beside others."""
    alone = not told["annotations"].get("faultloop/concurrencySafe")
    return Tool(bench.function(told, call, context=RunContext), sequential=alone)


async def listener(context, events):
    """With a handler of events replies are streamed, and the run still goes to its end."""
    _ = [event async for event in events]


def opened():
    """The agent with its tools, what was said before, and the file that it is kept in."""
    tools = [tool(told) for told in bench.manifest()]
    agent = Agent(f"{PROVIDERS[bench.setting('DIALECT')]}:{bench.setting('MODEL')}", tools=tools)
    file = Path(bench.setting("STATE_DIR"), "messages.json")
    settings = {"usage_limits": UsageLimits(request_limit=int(bench.setting("MAX_STEPS")))}
    if file.exists():
        settings["message_history"] = ModelMessagesTypeAdapter.validate_json(file.read_bytes())
    return agent, settings, file


def main():
    """One message of the user."""
    agent, settings, file = opened()
    settings["event_stream_handler"] = listener if bench.streaming() else None
    with capture_run_messages() as messages:
        try:
            return agent.run_sync(bench.setting("INPUT"), **settings).output
        except UsageLimitExceeded as error:
            return {"end_reason": "max_steps", "error": str(error)}
        finally:
            file.write_bytes(ModelMessagesTypeAdapter.dump_json(messages))


if __name__ == "__main__":
    bench.run(main)
