"""Google's ADK as its documentation has it: an LlmAgent, a Runner, the text of the last event.

What is imported and not used, and the price of no answer, is what ADK and LiteLLM load late: before
the forks it costs once.
"""

import asyncio

import authlib.integrations.requests_client  # noqa: F401
import fastapi  # noqa: F401
import faultloop_driver as bench
import google.adk.auth.auth_preprocessor
import google.adk.flows.llm_flows.auto_flow
import google.adk.memory.in_memory_memory_service
import google.adk.models.google_llm
import google.adk.tools.agent_tool
import google.adk.tools.google_search_tool
import google.adk.tools.vertex_ai_search_tool  # noqa: F401
import litellm
import litellm.proxy.openai_files_endpoints.common_utils
import litellm.proxy.spend_tracking.savings
import sqlalchemy.dialects.sqlite.aiosqlite  # noqa: F401
from google.adk.agents import LlmAgent
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import Runner
from google.adk.sessions import DatabaseSessionService
from google.adk.tools import ToolContext
from google.adk.workflow import Workflow  # noqa: F401
from google.genai import types

litellm.completion_cost(model="openai/gpt-4o", prompt="a", completion="b")


def call(name, args, tool_context):
    """A function tool that asks for its context knows the id of its call."""
    return bench.call_tool(name, args, call_id=tool_context.function_call_id)


async def events():
    """One run of the agent, with what its session remembers."""
    store = DatabaseSessionService(f"sqlite+aiosqlite:///{bench.setting('STATE_DIR')}/adk.db")
    of = {"user_id": "user", "session_id": bench.setting("SESSION")}
    plain = [bench.function(t, call, tool_context=ToolContext) for t in bench.manifest()]
    tools = [bench.awaited(tool) for tool in plain]  # plain ones would hold ADK's event loop
    agent = LlmAgent(name="agent", model=LiteLlm("openai/" + bench.setting("MODEL")), tools=tools)
    stored = {"session_service": store, "auto_create_session": True}
    runner = Runner(agent=agent, app_name="app", **stored)
    mode = StreamingMode.SSE if bench.streaming() else StreamingMode.NONE
    config = RunConfig(streaming_mode=mode, max_llm_calls=int(bench.setting("MAX_STEPS")))
    said = types.Content(role="user", parts=[types.Part(text=bench.setting("INPUT"))])
    async for event in runner.run_async(**of, new_message=said, run_config=config):
        yield event


async def answer():
    """The text of the last final response, as the documentation's loop reads it."""
    text = ""
    async for event in events():
        if event.is_final_response() and event.content and event.content.parts:
            text = event.content.parts[0].text
    return text


def main(read=answer):
    """The end of one run."""
    try:
        return asyncio.run(read())
    except LlmCallsLimitExceededError as error:
        return {"end_reason": "max_steps", "error": str(error)}


if __name__ == "__main__":
    bench.run(main)
