"""A FunctionAgent of LlamaIndex, with its memory in SQLite."""

import asyncio

import faultloop_driver as bench
import openai.resources  # noqa: F401  # the SDK asks for it late; before the forks it costs once
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import Memory
from llama_index.core.tools import FunctionTool, ToolMetadata
from llama_index.core.workflow import WorkflowRuntimeError
from llama_index.llms.openai import OpenAI


class Described(ToolMetadata):
    """What the model is told of a tool: the JSON Schema that it comes with."""

    def __init__(self, tool):
        super().__init__(tool["description"], tool["name"])
        self.get_parameters_dict = lambda: tool["parameters"]


def function(tool):
    """A plain function as a tool."""
    return FunctionTool(lambda **args: bench.call_tool(tool["name"], args), Described(tool))


def running():
    """The agent on the user's message; its memory has what was before."""
    model = OpenAI(model="gpt-4.1", api_base=bench.url("OPENAI"))  # it knows OpenAI's models only
    tools = [function(tool) for tool in bench.manifest()]
    agent = FunctionAgent(tools=tools, llm=model, streaming=bench.streaming())
    store = f"sqlite+aiosqlite:///{bench.setting('STATE_DIR')}/memory.db"
    memory = Memory.from_defaults(session_id=bench.setting("SESSION"), async_database_uri=store)
    steps = int(bench.setting("MAX_STEPS"))
    return agent.run(bench.setting("INPUT"), memory=memory, max_iterations=steps)


async def main():
    """The result's text."""
    try:
        return str(await running())
    except WorkflowRuntimeError as error:
        if not str(error).startswith("Max iterations"):
            raise
        return {"end_reason": "max_steps", "error": str(error)}


Memory.from_defaults()  # loads its tokenizer and what else it imports late, before the forks
if __name__ == "__main__":
    bench.run(lambda: asyncio.run(main()))
