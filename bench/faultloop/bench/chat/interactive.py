"""A chat at a terminal: keys in, the screen out, until the person leaves.

What is settled is printed once and scrolls away as in every program; below it the live part is
drawn anew, at most every FRAME_S. This module waits and wires; what is drawn is `rendering`'s, what
a line does is `host`'s.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console, Group, RenderableType
from rich.live import Live

from faultloop.bench.chat.host import Host
from faultloop.bench.chat.keys import ESCAPE_WAIT_S, Key, Keys
from faultloop.bench.chat.line import Line
from faultloop.bench.chat.rendering import Frame, item, live
from faultloop.bench.chat.screen import is_settled
from faultloop.bench.chat.terminal import Terminal

FRAME_S = 0.04
TICK_S = 1.0
"""How often the clock is drawn anew while nothing else happens."""


class _Shown:
    """What Live draws: always the newest. Live draws below everything that is printed, and must
    not draw an old and higher part there, whose lines would be left blank."""

    def __init__(self) -> None:
        self.part: RenderableType = ""

    def __rich__(self) -> RenderableType:
        return self.part


class Painter:
    """The screen on a console; used as a context."""

    def __init__(self, console: Console, frame: Frame, now_s: Callable[[], float]) -> None:
        self._console = console
        self._frame = frame
        self._now_s = now_s
        self._shown = _Shown()
        self._live = Live(self._shown, console=console, auto_refresh=False, transient=True)
        self._printed = 0

    def __enter__(self) -> Painter:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def paint(self, host: Host, line: Line) -> None:
        """Print what is settled, and draw the rest below it."""
        items = host.screen.items
        settled: list[RenderableType] = []
        while self._printed < len(items) and is_settled(items[self._printed]):
            settled.append(item(items[self._printed]))
            self._printed += 1
        rest = items[self._printed :]
        self._shown.part = live(host.screen, line, self._frame, unsettled=rest, now_s=self._now_s())
        if settled:
            self._console.print(Group(*settled))
        else:
            self._live.refresh()


class Typing:
    """From keys to lines."""

    def __init__(self, host: Host, terminal: Terminal) -> None:
        self.line = Line()
        self._host = host
        self._terminal = terminal
        self._keys = Keys()
        self._doubt: asyncio.TimerHandle | None = None

    def readable(self) -> None:
        """Something was typed."""
        if self._doubt is not None:
            self._doubt.cancel()
        data = self._terminal.read()
        if not data:  # the terminal is gone
            self._host.over.set()
            return
        self._press(self._keys.feed(data))
        if self._keys.is_unsure:
            loop = asyncio.get_running_loop()
            self._doubt = loop.call_later(ESCAPE_WAIT_S, self._nothing_followed)

    def interrupt(self) -> None:
        """Ctrl-C: away with what was typed, or else what `Host.interrupt` says."""
        if self.line.text and not self._host.is_busy:
            self.line = Line(sent=self.line.sent)
            self._host.changed.set()
        else:
            self._host.interrupt()

    def _nothing_followed(self) -> None:
        self._press(self._keys.ended())

    def _press(self, keys: list[Key]) -> None:
        for key in keys:
            match key.name:
                case "enter":
                    text, self.line = self.line.text, self.line.taken()
                    self._host.enter(text)
                case "escape":
                    self._host.stop()
                case "end_of_input" if not self.line.text:
                    self._host.over.set()
                case "end_of_input":
                    self.line = self.line.pressed(Key("delete"))
                case _:
                    self.line = self.line.pressed(key)
        self._host.changed.set()


async def converse(host: Host, frame: Frame, console: Console, now_s: Callable[[], float]) -> None:
    """Until the person leaves. The agent is open, and closed at the end."""
    loop = asyncio.get_running_loop()
    with (
        Terminal(sys.stdin.fileno()) as terminal,
        Painter(console, frame, now_s) as painter,
    ):
        typing = Typing(host, terminal)
        loop.add_reader(terminal.fd, typing.readable)
        handlers: dict[signal.Signals, Callable[[], None]] = {
            signal.SIGINT: typing.interrupt,
            signal.SIGTERM: host.over.set,
            signal.SIGHUP: host.over.set,
            signal.SIGTSTP: lambda: _suspend(terminal, host),
            signal.SIGWINCH: host.changed.set,
        }
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
        painting = asyncio.create_task(_paint(painter, host, typing))
        try:
            leaving = asyncio.create_task(host.over.wait())
            await asyncio.wait({painting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
            if not painting.done():
                await _close(host, loop)
        finally:
            loop.remove_reader(terminal.fd)
            painting.cancel()
            with suppress(asyncio.CancelledError):
                await painting
            for number in handlers:
                loop.remove_signal_handler(number)
        with suppress(OSError):
            painter.paint(host, Line())


async def _paint(painter: Painter, host: Host, typing: Typing) -> None:
    while True:
        host.changed.clear()
        painter.paint(host, typing.line)
        await asyncio.sleep(FRAME_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(TICK_S if host.screen.running else None):
                await host.changed.wait()


async def _close(host: Host, loop: asyncio.AbstractEventLoop) -> None:
    """Stop what runs; another Ctrl-C does not wait for that: the journal can do without."""
    closing = asyncio.create_task(host.close())
    loop.add_signal_handler(signal.SIGINT, closing.cancel)
    await asyncio.wait({closing})
    if not closing.cancelled():
        closing.result()


def _suspend(terminal: Terminal, host: Host) -> None:
    terminal.suspend()
    host.changed.set()
