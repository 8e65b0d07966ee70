"""`faultloop chat`: from the options to a running chat, and its exit code.

    0 fine   1 the turn failed   2 bad input   3 stopped before it was done   130 interrupted

Bad input is told in one sentence (`BadChat`). Where neither side is a terminal, what is piped in is
one prompt (`headless`); else a person sits there (`interactive`).
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
from rich.console import Console

from faultloop.bench.chat import headless, interactive
from faultloop.bench.chat.endpoint import model_of
from faultloop.bench.chat.folder_tools import folder_tools
from faultloop.bench.chat.host import Host
from faultloop.bench.chat.options import (
    BadChat,
    ChatOptions,
    api_key,
    checked_url,
    price,
    system_prompt,
)
from faultloop.bench.chat.rendering import Frame
from faultloop.bench.chat.session import Kept, keep
from faultloop.bench.chat.tools_named import tools_named
from faultloop.loop.budget import Budget
from faultloop.loop.engine import Agent
from faultloop.loop.journal.port import JournalTrouble
from faultloop.loop.lease.file import FileLease
from faultloop.loop.lease.port import LeaseHeld
from faultloop.loop.policy import REFERENCE, Policy
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.registry import Registry

SILENCE_S = 300.0
"""A server at home may read a long conversation for minutes before its first word."""
TOOL_TIMEOUT_S = 600.0
"""A person watches and can stop it, so a test suite may take its time."""


def run_chat(options: ChatOptions) -> int:
    """Chat until the person leaves, or the piped prompt is answered. Raises BadChat."""
    options = replace(options, base_url=checked_url(options.base_url))
    policy = _policy(options)
    folder = Path.cwd()
    tools = tools_named(options.tools, folder=folder) if options.tools else folder_tools(folder)
    key, system = api_key(options, os.environ), system_prompt(options.system)
    console = Console()
    person = sys.stdin.isatty() and sys.stdout.isatty() and not console.is_dumb_terminal
    prompt = "" if person else sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not (person or prompt or options.resume):
        raise BadChat("nothing was said: pipe a prompt in, or start it at a terminal")
    try:
        return asyncio.run(
            _chat(
                options,
                key=key,
                system=system,
                tools=tools,
                policy=policy,
                console=console,
                prompt=None if person else prompt,
            )
        )
    except KeyboardInterrupt:
        return headless.INTERRUPTED


def _policy(options: ChatOptions) -> Policy:
    budget = replace(Budget(), price=price(options.price))
    if options.max_steps is not None:
        budget = replace(budget, steps_max=options.max_steps)
    return replace(REFERENCE, budget=budget, stream=options.stream, tool_timeout_s=TOOL_TIMEOUT_S)


async def _chat(
    options: ChatOptions,
    *,
    key: str,
    system: str,
    tools: Registry,
    policy: Policy,
    console: Console,
    prompt: str | None,
) -> int:
    async with httpx.AsyncClient(timeout=None) as client:
        model = await model_of(client, options, key)
        kept = keep(options)
        host = Host(
            session=kept.session,
            journal=str(kept.path),
            all_granted=options.yes,
            person=prompt is None,
            now_s=time.monotonic,
        )
        agent = Agent(
            provider=OpenAIChat(client, options.base_url, key, idle_timeout_s=SILENCE_S),
            tools=tools,
            journal=kept.journal,
            session=kept.session,
            policy=policy,
            model=model,
            system=system,
            permit=host.permissions.permit,
            lease=FileLease(kept.journal),
        )
        try:
            await host.open(agent, kept.past)
        except (JournalTrouble, LeaseHeld) as error:
            kept.journal.close()
            raise BadChat(str(error)) from error
        if prompt is not None:
            return await headless.answer(host, prompt)
        return await _sit(host, kept, options, policy, console, model)


async def _sit(
    host: Host, kept: Kept, options: ChatOptions, policy: Policy, console: Console, model: str
) -> int:
    """With a person at a terminal."""
    host.note(f"{model} at {options.base_url}; {len(host.agent.tools)} tools; {kept.path}")
    if kept.past:
        host.go_on()
    frame = Frame(budget=policy.budget, journal=str(kept.path))
    await interactive.converse(host, frame, console, time.monotonic)
    if host.agent.state.turn.number:
        path = shlex.quote(str(kept.path))
        kept_in = f"The same command with --journal {path} --resume goes on with this."
        console.print(kept_in, style="dim", markup=False, highlight=False, soft_wrap=True)
    return 0
