"""Landmarks: named places in a play where the bench can kill, cancel or speak.

They replace sleeping. The fakes announce a landmark each time they pass it; a trigger says at
which one something is staged. `occurrence` counts only the passings that match the other fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Landmark = Literal[
    "request_arrived",
    "first_chunk",
    "stream_stalled",
    "reply_sent",
    "call_arrived",
    "before_effect",
    "after_effect",
    "result_sent",
    "before_next_request",
    "before_journal",
    "after_journal",
]
"""`before_next_request` is a request's arrival after at least one result was sent; the two
`journal` landmarks exist only inside the reference loop. `stream_stalled` is where a stalled stream
begins to stand still. `chunk:N` names the Nth chunk."""

Deed = Literal["kill", "cancel", "steer", "message", "follow_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Something that the bench does when a landmark is passed."""

    at: str
    """A `Landmark`, or `chunk:N`."""
    do: Deed
    tool: str | None = None
    """Only passings that concern this tool."""
    step: int | None = None
    """Only passings that concern this step of the script, from 1 as in a scenario file."""
    event: str | None = None
    """Only passings of a `journal` landmark that concern this kind of event in the loop's journal
    (`call_started`, `call_ended`, `message_committed`, ...)."""
    occurrence: int = 1
    text: str = ""
    """What is said, for `steer`, `message` and `follow_up`."""
