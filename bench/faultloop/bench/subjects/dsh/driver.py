"""The DeepSeek harness by its Python SDK: one run of a session; the world is an MCP server."""

import json
from pathlib import Path

import faultloop_driver as bench
from deepseek_harness import DeepSeekHarness

ENDS = {"completed": "completed", "max-tokens": "max_tokens", "interrupted": "interrupted"}


def main() -> dict[str, object]:
    """One run of the session, and what its result says of the end."""
    patch = Path(bench.setting("STATE_DIR"), f"world-{bench.setting('START')}.patch.yml")
    command, *args = json.loads(bench.setting("MCP_STDIO"))
    world = {"serverName": "world", "transport": "stdio", "command": command, "args": args}
    plugin = {"id": "world", "name": "@deepseek-ai/dsh-mcp-client", "config": world}
    patch.write_text(json.dumps([{"insert": [plugin]}]))  # all JSON is YAML
    with DeepSeekHarness(
        profile="sdk-minimal",
        patches=(str(patch),),
        dsh_home=bench.setting("STATE_DIR") + "/dsh",
        base_url=bench.url("ANTHROPIC") + "/v1",
        api_key=bench.key("ANTHROPIC"),
        model=bench.setting("MODEL"),
        shutdown_timeout_seconds=30.0,  # what is not on disk after its one second is lost for good
    ) as harness:
        again = bench.setting("RESUME") == "1"
        open_session = harness.resume_session if again else harness.start_session
        result = open_session(bench.setting("SESSION")).run(bench.setting("INPUT"))
    end = ENDS.get(result.finish_reason or "", "error")
    ends = [event["data"] for event in result.events if event["type"] == "turn/end"]
    error = None if end == "completed" else json.dumps(ends[-1:])
    return {"end_reason": end, "final_text": result.final_response, "error": error}


bench.run(main)
