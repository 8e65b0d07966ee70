"""An agent of LangChain on LangGraph, with its thread in an SQLite checkpointer."""

from contextlib import contextmanager
from typing import Annotated

import faultloop_driver as bench
from langchain.agents import create_agent
from langchain_core.tools import InjectedToolCallId, tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.errors import GraphRecursionError


def call(name, args, call_id):
    """A tool that asks for the id of its call is given it."""
    return bench.call_tool(name, args, call_id=call_id)


@contextmanager
def opened():
    """The agent, what it is given (None: go on where the thread was left), and its settings."""
    given = {"call_id": Annotated[str, InjectedToolCallId]}
    tools = [tool(bench.function(t, call, **given)) for t in bench.manifest()]
    thread, message = {"thread_id": bench.setting("SESSION")}, bench.setting("INPUT")
    pending = {"messages": [{"role": "user", "content": message}]} if message else None
    limit = 2 * int(bench.setting("MAX_STEPS")) + 1  # two nodes a step: the model, its tools
    with SqliteSaver.from_conn_string(bench.setting("STATE_DIR") + "/threads.db") as checkpointer:
        model = ChatOpenAI(model=bench.setting("MODEL"), streaming=bench.streaming())
        agent = create_agent(model, tools, checkpointer=checkpointer)
        yield agent, pending, {"configurable": thread, "recursion_limit": limit}


def main():
    """One message of the user."""
    try:
        with opened() as (agent, pending, settings):
            return agent.invoke(pending, settings)["messages"][-1].content
    except GraphRecursionError as error:
        return {"end_reason": "max_steps", "error": str(error)}


if __name__ == "__main__":
    bench.run(main)
