"""An AssistantAgent of AutoGen, with its state saved and loaded as JSON."""

import asyncio
import json
from pathlib import Path

import faultloop_driver as bench
from autogen_agentchat.agents import AssistantAgent
from autogen_core.tools import BaseTool
from autogen_core.utils import schema_to_pydantic_model
from autogen_ext.models.openai import OpenAIChatCompletionClient

INFO = {"vision": False, "function_calling": True, "json_output": False, "family": "unknown"}


class WorldTool(BaseTool):
    """A tool from a JSON Schema, made as AutoGen's own MCP adapter makes one."""

    def __init__(self, name, description, parameters, annotations):
        super().__init__(schema_to_pydantic_model(parameters), str, name, description)

    async def run_json(self, args, cancellation_token, call_id=None):
        """As a function tool: validated, then called in a thread."""
        args = self.args_type().model_validate(args).model_dump(exclude_unset=True)
        return await asyncio.to_thread(bench.call_tool, self.name, args, call_id=call_id or "")

    run = run_json


async def loaded(state):
    """The agent as the session was left."""
    client = OpenAIChatCompletionClient(model=bench.setting("MODEL"), model_info=INFO)
    tools, steps = [WorldTool(**tool) for tool in bench.manifest()], int(bench.setting("MAX_STEPS"))
    settings = {"model_client_stream": bench.streaming(), "max_tool_iterations": steps}
    agent = AssistantAgent("assistant", client, tools=tools, **settings)
    if state.exists():
        await agent.load_state(json.loads(state.read_text()))
    return agent


async def main():
    """One message of the user; the state has what was before."""
    state = Path(bench.setting("STATE_DIR"), "agent.json")
    agent = await loaded(state)
    try:
        last = (await agent.run(task=bench.setting("INPUT"))).messages[-1]
    finally:  # whoever talks on after a cancel has the agent as it is now
        state.write_text(json.dumps(await agent.save_state()))
    end = "max_steps" if last.type == "ToolCallSummaryMessage" else "completed"
    return {"end_reason": end, "final_text": last.to_text()}


if __name__ == "__main__":
    bench.run(lambda: asyncio.run(main()))
