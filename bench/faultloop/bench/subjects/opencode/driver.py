"""opencode run: a message in, JSON events out; opencode.json beside this names model and world."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import faultloop_driver as bench

ENDS = {"stop": "completed", "length": "max_tokens", "content-filter": "blocked"}


def main() -> dict[str, object]:
    """One message to opencode, and what its last step says of the end."""
    signal.signal(signal.SIGINT, lambda *_: None)  # it goes to the whole group: opencode answers
    events = Path(bench.setting("STATE_DIR"), f"events-{bench.setting('START')}.jsonl")
    opencode = [*sys.argv[1:], "run", "--format", "json", "--auto"]
    opencode += ["--continue"] if bench.setting("RESUME") == "1" else []
    with events.open("w") as output:
        code = subprocess.run([*opencode, bench.setting("INPUT")], stdout=output).returncode
    said = [json.loads(line) for line in events.open() if line.startswith("{")]
    texts = [event["part"]["text"] for event in said if event["type"] == "text"] or [""]
    ends = [event["part"]["reason"] for event in said if event["type"] == "step_finish"] or [""]
    errors = [event["error"] for event in said if event["type"] == "error"]
    end = "aborted" if code == -signal.SIGINT else ENDS.get(ends[-1], "error")
    end = "error" if errors and end != "aborted" else end
    error = json.dumps(errors) if errors else None
    return {"end_reason": end, "final_text": texts[-1], "error": error}


bench.run(main)
