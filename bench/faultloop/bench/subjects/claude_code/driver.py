"""`claude -p` in a CLAUDE_CONFIG_DIR of its own, with the world as its MCP server."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import faultloop_driver as bench

REASONS = {"error_max_turns": "max_steps", "error_during_execution": "error"}


def main() -> dict[str, object]:
    """One message to claude, and what its result line says of the end."""
    state = Path(bench.setting("STATE_DIR"))
    world = {"type": "http", "url": bench.setting("MCP_URL"), "alwaysLoad": True}
    claude = [*sys.argv[1:], "-p", bench.setting("INPUT"), "--bare", "--verbose"]
    claude += ["--output-format", "stream-json", "--dangerously-skip-permissions"]
    claude += ["--mcp-config", json.dumps({"mcpServers": {"world": world}}), "--strict-mcp-config"]
    claude += ["--model", bench.setting("MODEL"), "--max-turns", bench.setting("MAX_STEPS")]
    claude += ["--continue"] if bench.setting("RESUME") == "1" else []
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: claude is to answer
    told = state / f"events-{bench.setting('START')}.jsonl"
    with told.open("w") as output:
        home = {"CLAUDE_CONFIG_DIR": str(state / "claude")}
        streams = {"stdin": subprocess.DEVNULL, "stdout": output}
        code = subprocess.run(claude, env=os.environ | home, **streams).returncode
    events = [json.loads(line) for line in told.open() if line.startswith("{")]
    last = next((event for event in events[::-1] if event["type"] == "result"), {"is_error": True})
    reason = "error" if last["is_error"] else "completed"
    reason = REASONS.get(last.get("subtype"), reason)
    if reason == "completed" and last.get("stop_reason") == "max_tokens":
        reason = "max_tokens"
    if (last.get("terminal_reason") or "").startswith("aborted") or code in (130, -signal.SIGINT):
        reason = "aborted"
    text, errors = last.get("result") or "", last.get("errors") or ""
    error = (errors or text) if last["is_error"] else ""
    return {"end_reason": reason, "final_text": text, "error": str(error)}


bench.run(main)
