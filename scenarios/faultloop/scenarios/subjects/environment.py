"""What a subject's process is told: the cleaned environment of subject contract v1, as one table.

Nothing of the bench's own environment passes but PATH and LANG, so that neither a proxy nor a key
nor a home folder of the person at the keyboard decides a play.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from faultloop.fakes.mcp import pipe
from faultloop.scenarios.subject import Brief, Venue

MODEL = "fake-model"
KEY = "sk-faultloop-not-a-secret"
"""The shape that clients expect; it opens nothing."""

GIVEN = frozenset(
    {"OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"}
    | {"GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "HOME", "PWD"}
)
"""What no declaration may change, beside all that begins with FAULTLOOP_: with another address or
folder a subject would play somewhere else, or with what is left of another play."""


def environment_of(venue: Venue, brief: Brief, state_dir: Path) -> dict[str, str]:
    """The environment of one start, before the declaration's own additions."""
    root = f"{venue.url}/{brief.start}"
    told = {
        "OPENAI_BASE_URL": f"{root}/v1",
        "OPENAI_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": root,
        "ANTHROPIC_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": root,
        "GEMINI_API_KEY": KEY,
        "FAULTLOOP_MODEL": MODEL,
        "FAULTLOOP_INPUT": brief.input,
        "FAULTLOOP_TOOLS_URL": f"{root}/tools",
        "FAULTLOOP_MCP_URL": f"{root}/mcp",
        "FAULTLOOP_MCP_STDIO": json.dumps([sys.executable, "-I", pipe.__file__, f"{root}/mcp"]),
        "FAULTLOOP_SESSION": f"session-{venue.stage.plan.play}",
        "FAULTLOOP_STATE_DIR": str(state_dir),
        "FAULTLOOP_RESUME": str(int(brief.resume)),
        "FAULTLOOP_START": str(brief.start),
        "FAULTLOOP_GOAL_ROUNDS": str(brief.goal_rounds or ""),
        "FAULTLOOP_MAX_STEPS": str(brief.max_steps),
        "FAULTLOOP_DIALECT": venue.column.dialect,
        "FAULTLOOP_STREAM": str(int(venue.column.streaming)),
        "FAULTLOOP_DEADLINE_S": f"{brief.deadline_s:g}",
    }
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, **told, **venue.environment(brief.start)}
