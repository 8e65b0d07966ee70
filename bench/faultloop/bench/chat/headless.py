"""A chat without a terminal: one prompt in, plain lines out, and an exit code.

What the model has said whole goes to standard output, so that it can be piped; everything else
(tools, attempts that failed, how it ended) goes to standard error. Nothing is printed before it is
settled: text of an attempt that may yet fail is never taken for the model's (SPEC D5).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from faultloop.bench.chat.host import Host
from faultloop.bench.chat.screen import Card, End, Item, Note, Reply, Said, is_settled
from faultloop.bench.chat.wording import (
    CARDS,
    CONTENT_LINES_MAX,
    ENDS,
    first_lines,
    harmless,
    in_short,
)
from faultloop.loop.events import EndReason

INTERRUPTED = 130
"""The shell's own code for a command that Ctrl-C ended."""

EXIT_OF: Mapping[EndReason, int] = MappingProxyType(
    {
        "completed": 0,
        "error": 1,
        "blocked": 3,
        "max_tokens": 3,
        "max_steps": 3,
        "timeout": 3,
        "token_budget": 3,
        "cost_budget": 3,
        "aborted": INTERRUPTED,
        "interrupted": 3,
    }
)
"""The last turn's end as an exit code: 1 failed, 3 stopped before it was done."""


async def answer(host: Host, prompt: str) -> int:
    """One activity: the prompt, or what is pending where it is empty. Returns the exit code."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, host.interrupt)
    if prompt:
        host.say(prompt, "prompt")
    else:
        host.go_on()
    printer = _Printer(host)
    printing = asyncio.create_task(printer.follow())
    done = asyncio.create_task(host.done())
    leaving = asyncio.create_task(host.over.wait())
    await asyncio.wait({done, leaving, printing}, return_when=asyncio.FIRST_COMPLETED)
    for task in (done, leaving, printing):
        task.cancel()
    await host.close()
    printer.print_settled()
    return _exit_code(host)


def _exit_code(host: Host) -> int:
    if host.last is not None:
        return EXIT_OF[host.last.end_reason]
    # Nothing was pending, or what was said was not taken; the screen says which.
    refused = any(isinstance(one, Note) and one.tone != "plain" for one in host.screen.items)
    return 1 if refused else 0


class _Printer:
    """Prints each item once, as soon as it is settled."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._printed = 0
        self._is_heard = True

    async def follow(self) -> None:
        """Print as it comes; ends when nobody reads any more (SPEC X8)."""
        while self._is_heard:
            self._host.changed.clear()
            self.print_settled()
            await self._host.changed.wait()

    def print_settled(self) -> None:
        """Print what is new and never changes again."""
        items = self._host.screen.items
        while self._printed < len(items) and is_settled(items[self._printed]) and self._is_heard:
            self._print(items[self._printed])
            self._printed += 1

    def _print(self, one: Item) -> None:
        stream, text = plain(one)
        file = sys.stdout if stream == "out" else sys.stderr
        try:
            print(harmless(text) if file.isatty() else text, file=file, flush=True)
        except BrokenPipeError:
            self._is_heard = False
            # Python flushes once more at its end, and would complain there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


Stream = Literal["out", "err"]


def plain(one: Item) -> tuple[Stream, str]:
    """An item in plain lines, and where they go."""
    match one:
        case Said():
            return "err", f"> {one.text}"
        case Reply(state="interrupted"):
            return "err", f"[interrupted: {one.why or 'the turn was stopped'}]"
        case Reply(state="cut"):
            return "out", f"{one.text}\n[cut at its length limit]"
        case Reply():
            return "out", one.text
        case Card():
            return "err", _card(one)
        case Note():
            return "err", one.text
        case End():
            error = f": {one.error}" if one.error else ""
            return "err", f"[turn {one.turn} {ENDS[one.end_reason][0]}{error}]"


def _card(card: Card) -> str:
    code = f" ({card.code})" if card.code and card.state != "ok" else ""
    head = f"[{card.tool} {CARDS[card.state].word}{code}] {in_short(card.arguments)}"
    told = first_lines(card.content, CONTENT_LINES_MAX.get(card.state, 1))
    return "\n".join([head, *(f"  {line}" for line in told.split("\n"))]) if told else head
