"""gemini -p: a message in, JSON events out; settings.json beside this names the world."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import faultloop_driver as bench

ENDS = {0: "completed", 53: "max_steps", 130: "aborted", -signal.SIGINT: "aborted"}
"""By exit code, as its documentation has them."""


def main() -> dict[str, object]:
    """One message to gemini, and what its exit code and its result event say of the end."""
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: gemini is to answer
    limit = {"model": {"maxSessionTurns": int(bench.setting("MAX_STEPS"))}}
    settings = Path.home() / ".gemini" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps(limit))
    events = Path(bench.setting("STATE_DIR"), f"events-{bench.setting('START')}.jsonl")
    gemini = [*sys.argv[1:], "--yolo", "--skip-trust", "--output-format", "stream-json"]
    gemini += ["--model", bench.setting("MODEL")]
    gemini += ["--resume", "latest"] if bench.setting("RESUME") == "1" else []
    with events.open("w") as output:
        code = subprocess.run([*gemini, "-p", bench.setting("INPUT")], stdout=output).returncode
    said = [json.loads(line) for line in events.open() if line.startswith("{")]
    texts = [e["content"] for e in said if e["type"] == "message" and e["role"] == "assistant"]
    results = [event for event in said if event["type"] == "result"] or [{"status": "none"}]
    is_over = results[-1]["status"] == "success" or code
    end = ENDS.get(code, "error") if is_over else "error"
    error = None if end == "completed" else json.dumps(results[-1])
    return {"end_reason": end, "final_text": "".join(texts), "error": error}


bench.run(main)
