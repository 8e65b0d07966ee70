"""Agno as its quickstart has it: an Agent with a SQLite database, run once."""

import faultloop_driver as bench
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools.function import Function

try:
    from agno.db.sqlite import SqliteDb

    def memory(file):
        """The session's store, and that its history goes to the model."""
        return {"db": SqliteDb(db_file=file), "add_history_to_context": True, "stream_events": True}
except ImportError:  # before 2.0
    from agno.storage.agent.sqlite import SqliteAgentStorage

    def memory(file):
        """The same, by its names of then."""
        store = {"storage": SqliteAgentStorage(table_name="sessions", db_file=file)}
        return store | {"add_history_to_messages": True, "stream_intermediate_steps": True}


ENDS = {"COMPLETED": "completed", "CANCELLED": "aborted", "PAUSED": "blocked", "ERROR": "error"}
EVENTS = {f"Run{status.capitalize()}": end for status, end in ENDS.items()}


def tool(name, description, parameters, **_):
    """A tool of the manifest, as Agno's own adapter for MCP makes them."""

    def run(fc, **arguments):
        return bench.call_tool(name, arguments, call_id=fc.call_id)

    spec = {"name": name, "description": description, "parameters": parameters}
    return Function(**spec, entrypoint=run, skip_entrypoint_processing=True)


def opened():
    """The agent, with what its session remembers."""
    return Agent(
        model=OpenAIChat(id=bench.setting("MODEL")),
        tools=[tool(**one) for one in bench.manifest()],
        session_id=bench.setting("SESSION"),
        telemetry=False,
        **memory(bench.setting("STATE_DIR") + "/agno.db"),
    )


def main():
    """One run of the agent."""
    run = opened().run(bench.setting("INPUT"), stream=bench.streaming())
    if not bench.streaming():
        return {"end_reason": ENDS.get(run.status.value, "error"), "final_text": run.content}
    # The first, because RunCancelled is followed by a RunCompleted.
    ends = [event for event in run if event.event in EVENTS]
    if not ends:
        return {"end_reason": "error", "error": "the run ended without an event that says how"}
    return {"end_reason": EVENTS[ends[0].event], "final_text": getattr(ends[0], "content", None)}


if __name__ == "__main__":
    bench.run(main)
