"""grok -p: a message in, JSON events out; the world is an MCP server of its configuration."""

import json
import os
import signal
import subprocess
from pathlib import Path

import faultloop_driver as bench
from grok_cli_bin import bundled_grok_path

ENDS = {"EndTurn": "completed", "MaxTokens": "max_tokens", "MaxTurnRequests": "max_steps"}


def main() -> dict[str, object]:
    """One message to grok, and what its last event says of the end."""
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: grok is to answer
    told = {"mcp": bench.setting("MCP_URL"), "model": bench.setting("MODEL")}
    told |= {"url": bench.url("OPENAI"), "key": bench.key("OPENAI")}
    config = Path.home() / ".grok" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(Path(__file__).with_name("config.toml").read_text().format(**told))
    profile = Path.home() / ".profile"  # a login shell, which its shell is, has a PATH of its own
    profile.write_text(f"export PATH='{os.environ['PATH']}'\n")
    events = Path(bench.setting("STATE_DIR"), f"events-{bench.setting('START')}.jsonl")
    grok = [str(bundled_grok_path()), "-m", "fake", "--always-approve"]
    grok += ["--output-format", "streaming-json"]
    grok += ["--no-subagents", "--disable-web-search", "--no-memory"]
    grok += ["--max-turns", bench.setting("MAX_STEPS")]
    grok += ["--continue"] if bench.setting("RESUME") == "1" else []
    with events.open("w") as output:
        code = subprocess.run([*grok, "-p", bench.setting("INPUT")], stdout=output).returncode
    said = [json.loads(line) for line in events.open() if line.startswith("{")]
    text = "".join(event["data"] for event in said if event["type"] == "text")
    reasons = [event["stopReason"] for event in said if event["type"] == "end"] or [""]
    errors = [event for event in said if event["type"] == "error"]
    end = "aborted" if code == -signal.SIGINT else ENDS.get(reasons[-1], "error")
    error = json.dumps(errors) if errors else None
    return {"end_reason": end, "final_text": text, "error": error}


bench.run(main)
