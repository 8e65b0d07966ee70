"""An Agent of Haystack, with its messages kept as JSON."""

import json
from pathlib import Path

import faultloop_driver as bench
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool

ENDS = {"length": "max_tokens", "content_filter": "blocked", "max_agent_steps": "max_steps"}


def tool(told):
    """A tool of the manifest."""

    def function(**args):
        return bench.call_tool(told["name"], args)

    return Tool(told["name"], told["description"], told["parameters"], function)


def opened():
    """The agent, the messages that the file has with the user's next one, and the file."""
    agent = Agent(
        chat_generator=OpenAIChatGenerator(model=bench.setting("MODEL")),
        tools=[tool(told) for told in bench.manifest()],
        max_agent_steps=int(bench.setting("MAX_STEPS")),
    )
    agent.warm_up()
    file = Path(bench.setting("STATE_DIR"), "messages.json")
    before = json.loads(file.read_text()) if file.exists() else []
    messages = [ChatMessage.from_dict(message) for message in before]
    messages.append(ChatMessage.from_user(bench.setting("INPUT")))
    keep(file, messages)
    return agent, messages, file


def keep(file, messages):
    """Put them into the file."""
    file.write_text(json.dumps([message.to_dict() for message in messages]))


def main():
    """One message of the user."""
    agent, messages, file = opened()
    streamed = (lambda chunk: None) if bench.streaming() else None
    result = agent.run(messages=messages, streaming_callback=streamed)
    keep(file, result["messages"])
    end = ENDS.get(result.get("exit_reason"), "completed")
    return {"end_reason": end, "final_text": result["messages"][-1].text}


if __name__ == "__main__":
    bench.run(main)
