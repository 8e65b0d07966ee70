"""Calling a tool that was made of a function."""

from __future__ import annotations

import asyncio
from typing import Any

from faultloop.loop.tools.function import FunctionTool
from faultloop.loop.tools.port import ToolContext, ToolResult


def context() -> ToolContext:
    return ToolContext(
        call_id="c", key="k", attempt="a", cancelled=asyncio.Event(), progress=lambda text: None
    )


async def ran(made: FunctionTool, **args: Any) -> ToolResult:
    return await made.run(args, context())
