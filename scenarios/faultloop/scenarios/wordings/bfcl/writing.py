"""A converted category as files that `faultloop compare` reads: `live_multiple.yaml`, the wording,
and `live_multiple.jsonl`, its tasks.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from faultloop.scenarios.wordings.bfcl.importing import Imported

HEAD = """\
# Functions of the Berkeley Function Calling Leaderboard{version}, category {category}, converted.
# Apache-2.0, the authors of https://github.com/ShishirPatil/gorilla
"""
ABOUT = (
    "Names are those of BFCL where an API takes them; a dot became _, and the second function of a"
    " name has __2 behind it."
)


class NotWritten(Exception):
    """The files cannot be written."""


class Written(yaml.SafeDumper):
    """Writes each value where it stands: YAML's own references are for machines."""

    def ignore_aliases(self, data: Any) -> bool:
        """Always."""
        return True


def write(imported: Imported, folder: Path, version: str) -> tuple[Path, Path]:
    """Write both files. Raises NotWritten."""
    wording, tasks = (folder / f"{imported.category}.{ending}" for ending in ("yaml", "jsonl"))
    data = {
        "schema": 1,
        "name": imported.wording.name,
        "about": ABOUT,
        "tools": [
            {"name": one.name, "purpose": one.purpose, "parameters": one.parameters}
            for one in imported.wording.contracts.values()
        ],
    }
    head = HEAD.format(version=f" {version}" if version else "", category=imported.category)
    body = yaml.dump(data, Dumper=Written, sort_keys=False, allow_unicode=True, width=100)
    lines = [_line(task.model_dump(mode="json", exclude_defaults=True)) for task in imported.tasks]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        wording.write_text(head + body, encoding="utf-8")
        tasks.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise NotWritten(f"{folder} cannot be written to: {error.strerror}") from error
    return wording, tasks


def _line(task: dict[str, Any]) -> str:
    return json.dumps(task, ensure_ascii=False) + "\n"
