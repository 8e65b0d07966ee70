"""An agent of the OpenAI Agents SDK, with its session in SQLite."""

import asyncio

import faultloop_driver as bench
from agents import Agent, Runner, SQLiteSession, function_tool, set_default_openai_api
from agents.exceptions import MaxTurnsExceeded
from agents.tool_context import ToolContext


def call(name, args, context):
    """A function tool is told the id of its call."""
    return bench.call_tool(name, args, call_id=context.tool_call_id)


async def streamed(agent, message, **settings):
    """The same run, with streamed replies."""
    result = Runner.run_streamed(agent, message, **settings)
    async for _ in result.stream_events():
        pass
    return result


def opened():
    """The agent with its tools, the session, and its limit."""
    responses = bench.setting("DIALECT") == "openai_responses"
    set_default_openai_api("responses" if responses else "chat_completions")
    tools = [function_tool(bench.function(t, call, context=ToolContext)) for t in bench.manifest()]
    agent = Agent(name="Assistant", model=bench.setting("MODEL"), tools=tools)
    session = SQLiteSession(bench.setting("SESSION"), bench.setting("STATE_DIR") + "/session.db")
    return agent, {"session": session, "max_turns": int(bench.setting("MAX_STEPS"))}


def main():
    """One message of the user; the session has what was before."""
    agent, settings = opened()
    try:
        if bench.streaming():
            result = asyncio.run(streamed(agent, bench.setting("INPUT"), **settings))
        else:
            result = Runner.run_sync(agent, bench.setting("INPUT"), **settings)
    except MaxTurnsExceeded as error:
        return {"end_reason": "max_steps", "error": str(error)}
    return result.final_output


if __name__ == "__main__":
    bench.run(main)
