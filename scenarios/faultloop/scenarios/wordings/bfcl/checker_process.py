"""BFCL's own checker, in a process of its own: `python -I checker_process.py FOLDER`.

FOLDER holds the package `bfcl_eval`. One JSON object a line is read from stdin, to its end, and one
is written for each. The table of models that the checker imports would import every vendor's SDK;
all that it is asked is whether a model's API takes dots in names, so a stub says that. This file is
run by its path, and imports nothing of faultloop.
"""

from __future__ import annotations

import json
import sys
import time
import types
from typing import Any

MODEL = "any"


class _TakesDots:
    underscore_to_dot = False


def main(folder: str, rounds: int) -> None:
    """Check all that stands on stdin, so many times; the last line says the time of one. Arguments
    are decoded from their text each time, as they come from a model."""
    sys.path.insert(0, folder)
    stub = types.ModuleType("bfcl_eval.constants.model_config")
    stub.__dict__["MODEL_CONFIG_MAPPING"] = {MODEL: _TakesDots}
    sys.modules[stub.__name__] = stub
    from bfcl_eval.constants.enums import Language  # type: ignore[import-not-found]
    from bfcl_eval.eval_checker.ast_eval import ast_checker  # type: ignore[import-not-found]

    asked = [json.loads(line) for line in sys.stdin]
    for one in asked:
        one["language"] = Language[one["language"].upper()]
        one["calls"] = [(name, json.dumps(args)) for name, args in one["calls"]]
    out, sys.stdout = sys.stdout, sys.stderr  # it prints
    began_s = time.process_time()
    found: list[dict[str, Any]] = []
    for _ in range(rounds):
        found = [_checked(ast_checker.ast_checker, one) for one in asked]
    spent_s = (time.process_time() - began_s) / rounds
    for one in found:
        out.write(json.dumps(one) + "\n")
    out.write(json.dumps({"cpu_s": spent_s}) + "\n")


def _checked(check: Any, one: dict[str, Any]) -> dict[str, Any]:
    try:
        calls = [{name: json.loads(text)} for name, text in one["calls"]]
        result = check(
            one["functions"], calls, one["answers"], one["language"], one["category"], MODEL
        )
    except Exception as error:  # a checker that fails has no verdict
        return {"valid": None, "says": f"{type(error).__name__}: {error}"}
    return {"valid": result["valid"], "says": result.get("error_type", "")}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
