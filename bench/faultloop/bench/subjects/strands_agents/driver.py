"""Strands Agents as its quickstart has it: an Agent with a file session, called once."""

import faultloop_driver as bench
import openai.resources.chat  # noqa: F401  # imported before the forks; the framework asks for it late
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.session.file_session_manager import FileSessionManager
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import MaxTokensReachedException

ENDS = {"end_turn": "completed", "stop_sequence": "completed", "limit_turns": "max_steps"}
ENDS |= {"content_filtered": "blocked", "guardrail_intervened": "blocked", "cancelled": "aborted"}


def tool(name, description, parameters, **_):
    """A tool of the manifest as a module with a TOOL_SPEC would give it."""

    def run(use, **_):
        text = bench.call_tool(name, use["input"], call_id=use["toolUseId"])
        return {"toolUseId": use["toolUseId"], "status": "success", "content": [{"text": text}]}

    spec = {"name": name, "description": description, "inputSchema": {"json": parameters}}
    return PythonAgentTool(name, spec, run)


def opened():
    """The agent, with what its session remembers."""
    return Agent(
        model=OpenAIModel(model_id=bench.setting("MODEL"), stream=bench.streaming()),
        tools=[tool(**one) for one in bench.manifest()],
        session_manager=FileSessionManager(bench.setting("SESSION"), bench.setting("STATE_DIR")),
        agent_id="agent",
        callback_handler=None,
    )


def main():
    """One call of the agent."""
    try:
        limits = {"turns": int(bench.setting("MAX_STEPS"))}
        result = opened()(bench.setting("INPUT") or None, limits=limits)
    except MaxTokensReachedException as error:
        return {"end_reason": "max_tokens", "error": str(error)}
    return {"end_reason": ENDS.get(result.stop_reason, "error"), "final_text": str(result)}


if __name__ == "__main__":
    bench.run(main)
