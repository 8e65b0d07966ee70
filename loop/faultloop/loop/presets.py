"""Presets: how six loops choose where several ways are good (SPEC, the table of policies).

Each is a plain value over the reference's; what the description of a loop does not say, it takes
from the reference. A preset follows the description of its loop. Where the program that bears the
name measurably does something else, `program` says so: a preset is no claim about the program, and
the program can be played as a subject of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from faultloop.loop.budget import Budget
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.repairs import Rules

PresetName = Literal["reference", "dsh", "pi", "codex", "grok", "mx_claw"]

NO_REPAIRS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One loop's way."""

    policy: Policy
    describes: str
    """In one sentence, for lists."""
    program: str = ""
    """Where the program of that name was seen to do something else; empty where it was not."""


PRESETS: Mapping[PresetName, Preset] = MappingProxyType(
    {
        "reference": Preset(policy=REFERENCE, describes="the careful way"),
        "dsh": Preset(
            policy=replace(
                REFERENCE,
                strict="off",
                truncation="drop",
                arguments=Rules(repairs=NO_REPAIRS, complaints="coded"),
                conclude="any",
                continuation="queue",
                second_prompt="queue",
            ),
            describes="calls of a cut reply are dropped, nothing is repaired, errors bear codes",
            program="0.2.1rc2 ends the turn on arguments that are no JSON (MALFORMED_RESPONSE),"
            " and a call id that comes twice makes its session unusable",
        ),
        "pi": Preset(
            policy=replace(
                REFERENCE,
                strict=None,
                truncation="answer",
                truncation_answers_max=sys.maxsize,
                arguments=Rules(repairs=NO_REPAIRS, complaints="failed"),
                whole_batch="one_sequential_serialises",
                conclude="all",
                continuation="callback",
                second_prompt="refuse",
                prompt_and_tools="run",
            ),
            describes="a cut reply's calls get error results, and one sequential tool makes a batch"
            " sequential",
            program="0.73.1 and before run arguments that were cut, after mending them",
        ),
        "codex": Preset(
            policy=replace(
                REFERENCE,
                strict="off",
                truncation="end",
                starts="each_item",
                arguments=Rules(repairs=NO_REPAIRS, complaints="parsing"),
            ),
            describes="each call starts as soon as it is whole, nothing further starts after a cut,"
            " and errors say line and column",
            program="0.171 runs the last call of a reply which then ends incomplete, too, where it"
            " is complete",
        ),
        "grok": Preset(
            policy=replace(REFERENCE, strict="off", truncation="fail"),
            describes="a cut reply fails the turn, without another try",
            program="0.2.111 runs complete calls of a cut reply on two of its three backends, and"
            " takes the first of glued objects whether it fits or not",
        ),
        "mx_claw": Preset(
            policy=replace(
                REFERENCE,
                arguments=Rules(repairs=NO_REPAIRS, complaints="prefixed"),
                whole_batch="all_read_only",
                second_prompt="refuse",
                prompt_and_tools="frozen",
                budget=Budget(steps_max=8),
                steps_used_up="error",
                repeat_guard=True,
            ),
            describes="eight requests a turn, no call twice, and only reads side by side",
            program="no program of this name could be had",
        ),
    }
)
