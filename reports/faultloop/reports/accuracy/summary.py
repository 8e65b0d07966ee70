"""accuracy.json: the conclusions for machines, and the sign by which a folder is known as ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import msgspec

from faultloop.reports.accuracy.conclusion import Conclusions
from faultloop.reports.accuracy.results import Results


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One wording that was compared."""

    name: str
    fingerprint: str
    """Of all that models read (SPEC C9)."""


class AccuracySummary(msgspec.Struct, frozen=True, kw_only=True):
    """What accuracy.json holds."""

    schema: Literal[1] = 1
    report: Literal["accuracy"] = "accuracy"
    model: str
    about_model: str
    tasks: str
    design: str
    command: str
    wordings: tuple[Compared, ...]
    remarks: tuple[str, ...]
    conclusions: Conclusions


class _Sign(msgspec.Struct):
    """As little of the file as tells that it is one, whatever later versions add."""

    report: Literal["accuracy"]


def summary_json(results: Results) -> bytes:
    """accuracy.json."""
    summary = AccuracySummary(
        model=results.model,
        about_model=results.about_model,
        tasks=results.tasks_name,
        design=results.design,
        command=results.command,
        wordings=tuple(
            Compared(name=one.name, fingerprint=one.fingerprint) for one in results.wordings
        ),
        remarks=results.remarks,
        conclusions=results.conclusions,
    )
    plain = json.dumps(msgspec.to_builtins(summary), ensure_ascii=False, indent=1, allow_nan=False)
    return plain.encode(errors="replace") + b"\n"


def is_summary(path: Path) -> bool:
    """Whether a file is one that a comparison wrote. Raises OSError."""
    try:
        msgspec.json.decode(path.read_bytes(), type=_Sign)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
