"""The yard: where a subject runs the world's commands itself, as real child processes.

For each command of the world there is a shim in a folder that comes first in the subject's PATH,
one such folder for each start, so that every shim knows whose it is. A shim does nothing by itself:
it tells the bench that it began, waits to be let on, tells that it has come to its end, waits
again, prints its output and exits.

    shim (a child of the subject)                bench
      "began PID START LINE"  ---- reports --->  call arrived; held while the stage says so
      wait                    <--- answers ----  go on
      "done PID"              ---- reports --->  the effect, in this instant
      wait                    <--- answers ----  go on
      output, exit code

`reports` is one FIFO for all, `answers` one for each shim. So the effect happens in the bench's
process, where the ledger is and from where a kill comes, and at the moment that the stage chooses;
and it happens if and only if the shim lived that long: one that dies before has changed nothing. A
shim that outlives its subject is seen here, and so is the late effect that it has. That a process
is over is told by the kernel (pidfd), not guessed by waiting.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from faultloop.fakes.ending import watch_end
from faultloop.fakes.shims import refuse_unfit, write_shims
from faultloop.fakes.stage import Stage

REPORT_BYTES_MAX = 65_536  # what one read takes; a pipe holds no more


@dataclass(slots=True, eq=False)
class Shim:
    """A command that a subject is running, or has been."""

    pid: int
    start: int
    line: str
    answers: int
    """File descriptor on which it waits to be let on."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """It came to its end: the effect is due."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Its process is over."""


class Yard:
    """The commands of one play. `async with Yard(stage, directory) as yard:`"""

    def __init__(self, stage: Stage, directory: Path) -> None:
        """`directory` must not exist yet; it is left behind."""
        self._stage = stage
        self._commands = stage.plan.world.commands or {}
        self._directory = directory
        self._answers = directory / "answers"
        self._report_to = directory / "reports"
        self._reports = -1
        self._rest = b""
        self._shims: dict[int, Shim] = {}
        self._followers: dict[asyncio.Task[None], None] = {}  # a set, in order of arrival
        self._errors: list[BaseException] = []

    def environment(self, start: int) -> dict[str, str]:
        """What a start of the subject needs in its environment; its shims are written now."""
        folder = self._directory / f"bin-{start}"
        if not folder.exists():
            folder.mkdir()
            write_shims(
                self._commands,
                start=start,
                folder=folder,
                reports=self._report_to,
                answers=self._answers,
            )
        return {"PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}

    async def __aenter__(self) -> Yard:
        """Open it. Raises ValueError where the scenario names an impossible command."""
        refuse_unfit(self._commands)
        self._directory.mkdir(parents=True)
        self._answers.mkdir()
        os.mkfifo(self._report_to)
        # Opened for writing too: so a shim never waits for a reader and we never see an end.
        self._reports = os.open(self._report_to, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        asyncio.get_running_loop().add_reader(self._reports, self._listen)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Kill what is left, so that no play leaves a process to the next."""
        self._listen()
        for pid in self.alive():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        left = [shim.gone.wait() for shim in self._shims.values()]
        await asyncio.gather(*left)
        for follower in self._followers:
            follower.cancel()
        await asyncio.gather(*self._followers, return_exceptions=True)
        asyncio.get_running_loop().remove_reader(self._reports)
        os.close(self._reports)

    def alive(self) -> list[int]:
        """Process ids of the commands that are still running."""
        return [shim.pid for shim in self._shims.values() if not shim.gone.is_set()]

    async def settle(self, within_s: float = 5.0) -> list[int]:
        """Wait until every command is over and the stage has taken note of it.

        Call it when the subject is over and the gate is open. Returns the process ids that were
        still running when the time was up; none, where all is well.
        """
        try:
            async with asyncio.timeout(within_s):
                self._listen()
                while running := [shim for shim in self._shims.values() if not shim.gone.is_set()]:
                    await asyncio.gather(*(shim.gone.wait() for shim in running))
                await self._stage.settled()
        except TimeoutError:
            pass
        if self._errors:  # the bench's own: a play must not go on as if nothing were
            raise self._errors[0]
        return self.alive()

    # --- what the shims say -----------------------------------------------------------------

    def _listen(self) -> None:
        """Take in what was reported; called when there is something, and before judging a death."""
        try:
            data = os.read(self._reports, REPORT_BYTES_MAX)
        except BlockingIOError:
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            word, pid, *details = line.decode(errors="replace").split(" ", 3)
            if word == "began":
                start, command = details
                self._began(int(pid), int(start), command)
            elif int(pid) in self._shims:
                self._shims[int(pid)].done.set()

    def _began(self, pid: int, start: int, line: str) -> None:
        answers = self._answers / str(pid)
        shim = Shim(pid, start, line, os.open(answers, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
        self._shims[pid] = shim

        def ended() -> None:
            self._listen()  # its last words come first
            shim.gone.set()
            answers.unlink(missing_ok=True)

        watch_end(pid, ended)
        follower = asyncio.get_running_loop().create_task(self._follow(shim))
        self._followers[follower] = None
        follower.add_done_callback(self._followed)

    def _followed(self, follower: asyncio.Task[None]) -> None:
        del self._followers[follower]
        if not follower.cancelled() and (error := follower.exception()) is not None:
            self._errors.append(error)

    async def _follow(self, shim: Shim) -> None:
        """One command's way through the stage."""
        try:
            number = await self._stage.own_began(shim.start, shim.line)
            released = await self._stage.own_held(number, shim.gone)
            if released:
                os.write(shim.answers, b"\n")
                await _first(shim.done, shim.gone)
            await self._stage.own_ended(number, applied=shim.done.is_set())
            if shim.done.is_set():
                os.write(shim.answers, b"\n")
            await shim.gone.wait()
        finally:
            os.close(shim.answers)


async def _first(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
