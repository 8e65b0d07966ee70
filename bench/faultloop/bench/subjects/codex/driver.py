"""`codex exec` in a CODEX_HOME of its own, with the world as its MCP server."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from string import Template

import faultloop_driver as bench


def main() -> dict[str, object]:
    """One message to codex, and what the last event of its turn says."""
    state = Path(bench.setting("STATE_DIR"))
    home = state / "codex"
    home.mkdir(exist_ok=True)
    config = Template(Path(__file__).with_name("config.toml").read_text())
    (home / "config.toml").write_text(config.substitute(os.environ))
    codex = [*sys.argv[1:], "exec", "--json", "--skip-git-repo-check"]
    codex += ["resume", "--last"] if bench.setting("RESUME") == "1" else []
    codex += [bench.setting("INPUT")]
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: codex is to answer
    told = state / f"events-{bench.setting('START')}.jsonl"
    with told.open("w") as output:
        env = os.environ | {"CODEX_HOME": str(home)}
        streams = {"stdin": subprocess.DEVNULL, "stdout": output}
        subprocess.run(codex, env=env, **streams)
    events = [json.loads(line) for line in told.open() if line.startswith("{")]
    items = [event["item"] for event in events if event["type"] == "item.completed"]
    texts = [item["text"] for item in items if item["type"] == "agent_message"]
    ends = [event for event in events if event["type"] in ("turn.completed", "turn.failed")]
    error = str(ends[-1].get("error", "")) if ends else ""
    log = "".join(file.read_text() for file in home.glob("sessions/**/rollout-*.jsonl"))
    turns = re.findall(r'"type":"(task_started|task_complete|turn_aborted)"', log)
    reason = "aborted" if turns[-1:] == ["turn_aborted"] else "error"
    if ends and ends[-1]["type"] == "turn.completed":
        reason = "completed"
    elif "max_output_tokens" in error:
        reason = "max_tokens"
    return {"end_reason": reason, "final_text": texts[-1] if texts else "", "error": error}


bench.run(main)
