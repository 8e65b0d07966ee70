"""pi in print mode: a message in, JSON events out; its sessions lie in HOME, as they always do."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import faultloop_driver as bench

ENDS = {"stop": "completed", "length": "max_tokens", "aborted": "aborted"}


def main() -> dict[str, object]:
    """One message to pi, and what its last reply says of the end."""
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: pi is to answer it
    events = Path(bench.setting("STATE_DIR"), f"events-{bench.setting('START')}.jsonl")
    pi = [*sys.argv[1:], "--mode", "json", "--no-builtin-tools"]
    pi += ["--extension", str(Path(__file__).with_name("world.ts"))]
    pi += ["--provider", "faultloop", "--model", bench.setting("MODEL")]
    pi += ["--continue"] if bench.setting("RESUME") == "1" else []
    with events.open("w") as output:
        code = subprocess.run([*pi, bench.setting("INPUT")], stdout=output).returncode
    ended = [json.loads(line) for line in events.open() if line.startswith('{"type":"message_end"')]
    said = [e["message"] for e in ended if e["message"]["role"] == "assistant"] or [{"content": []}]
    reason = "aborted" if code == -signal.SIGINT else said[-1].get("stopReason")
    text = "".join(part.get("text", "") for part in said[-1]["content"])
    end = ENDS.get(reason, "error")
    error = said[-1].get("errorMessage") or f"exit code {code}"
    return {"end_reason": end, "final_text": text, "error": None if end == "completed" else error}


bench.run(main)
