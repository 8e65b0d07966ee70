"""The zygote: a driver imported once in a parent that forks for every start.

Importing an SDK costs a second or two, forking what has it a few milliseconds; pid, signals, exit
codes and memory of a start stay its own. The parent is the driver's own `run` (contract v1):

    bench -> parent   one JSON object a line: the environment of a start, in which PWD and
                      FAULTLOOP_STDIN, _STDOUT and _STDERR name its folder and its streams
    parent -> bench   `@faultloop {"zygote": 1}` once it has imported all, then for every start
                      `{"session", "start", "forked": PID}`, said by the parent at once,
                      `{"session", "start", "pid": PID}`, said by the child after its setsid, and
                      `{"pid": PID, "exit"}`, said by the parent when it has reaped it

Starts may overlap, and the first two lines come in any order. A child that dies before its own line
is a start that said nothing; it concerns no other. The end of the parent's input ends the parent
and what it has forked.

A pid is signalled later, so none is believed: it must be a process that the parent has forked, and,
where it says so itself, one that leads its session. Anything else ends the parent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from faultloop.scenarios.subject import BadSubject
from faultloop.scenarios.subjects import process_session
from faultloop.scenarios.subjects.account import MARK
from faultloop.scenarios.subjects.launch import Launched, Start, spawn

READY_S_MAX = 120.0
"""The slowest framework we measured imports in 21 s on a quiet machine."""
PID_END = 2**31
"""No system has process ids from here on."""
FORK_S_MAX = 30.0
"""A living parent forks in milliseconds; one that does not within this is deaf."""


class _Said(msgspec.Struct, frozen=True):
    """A line of the parent; which of its fields are set says what it means."""

    zygote: int | None = None
    session: str | None = None
    start: str | None = None
    forked: int | None = None
    pid: int | None = None
    exit: int | None = None


class _Lie(Exception):
    """A line of the parent that is not true; the text says what of it."""


class Zygote:
    """Launches starts by asking the parent for forks."""

    def __init__(self, command: tuple[str, ...], environment: dict[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._birth: asyncio.Task[_Parent] | None = None

    async def launch(self, start: Start) -> Launched:
        """Fork a start; the first one waits until the parent has imported the driver.

        Raises BadSubject where the driver cannot be imported or ended unexpectedly.
        """
        if self._birth is None:
            self._birth = asyncio.create_task(_born(self._command, self._environment))
        parent = await asyncio.shield(self._birth)
        return await parent.fork(start)

    async def close(self) -> None:
        """End the parent."""
        birth, self._birth = self._birth, None
        if birth is None:
            return
        birth.cancel()
        with contextlib.suppress(asyncio.CancelledError, BadSubject):
            await (await birth).close()


async def _born(command: tuple[str, ...], additions: dict[str, str]) -> _Parent:
    home = tempfile.TemporaryDirectory(prefix="faultloop-zygote-")
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    try:
        with (Path(home.name) / "stderr").open("ab") as errors:
            process = await spawn(
                command,
                environment={**kept, "HOME": home.name, **additions, "FAULTLOOP_MODE": "zygote"},
                folder=Path(home.name),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors.fileno(),
            )
    except BaseException:
        home.cleanup()
        raise
    parent = _Parent(command, process, home)
    try:
        async with asyncio.timeout(READY_S_MAX):
            await asyncio.shield(parent.ready)
    except BaseException as error:
        await parent.close()
        if isinstance(error, TimeoutError):
            raise BadSubject(
                f"{command}: the driver was not ready after {READY_S_MAX:g} s"
            ) from None
        raise
    return parent


class _Parent:
    """The living parent, from our side."""

    def __init__(
        self,
        command: tuple[str, ...],
        process: asyncio.subprocess.Process,
        home: tempfile.TemporaryDirectory[str],
    ) -> None:
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self._command = command
        self._process = process
        self._home = home
        self._forks: dict[tuple[str, str], asyncio.Future[Launched]] = {}
        self._newborn: dict[int, tuple[str, str]] = {}
        """Process ids of forks, some of which have not said anything yet."""
        self._exits: dict[int, asyncio.Future[int]] = {}
        self._lie = ""
        """A sentence about a line that cannot be true."""
        self._listening = loop.create_task(self._listen())

    async def fork(self, start: Start) -> Launched:
        environment = {
            **start.environment,
            "FAULTLOOP_STDIN": str(start.streams.stdin),
            "FAULTLOOP_STDOUT": str(start.streams.stdout),
            "FAULTLOOP_STDERR": str(start.streams.stderr),
            "PWD": str(start.folder),
        }
        key = (environment["FAULTLOOP_SESSION"], environment["FAULTLOOP_START"])
        self._raise_if_over()
        launched: asyncio.Future[Launched] = asyncio.get_running_loop().create_future()
        self._forks[key] = launched
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(environment).encode() + b"\n")
        with contextlib.suppress(ConnectionError):  # `_listen` tells what happened
            await self._process.stdin.drain()
        try:
            async with asyncio.timeout(FORK_S_MAX):
                return await launched
        except TimeoutError:
            raise BadSubject(
                f"{self._command}: the zygote did not fork within {FORK_S_MAX:g} s"
            ) from None

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        for pid in list(self._exits):
            await process_session.end(pid)
        await process_session.end(self._process.pid)
        await self._process.wait()
        await asyncio.gather(self._listening, return_exceptions=True)
        self._home.cleanup()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        mark = MARK.encode()
        try:
            async for line in self._process.stdout:
                if line.startswith(mark):
                    self._heard(msgspec.json.decode(line[len(mark) :], type=_Said))
        except _Lie as lie:
            self._lie = f"what it said is not so: {lie}"
            await process_session.end(self._process.pid)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            # Nothing that follows can be trusted.
            self._lie = "a marked line of it is none of the protocol, or a line has no end"
            await process_session.end(self._process.pid)
        await self._process.wait()
        self._over()

    def _heard(self, said: _Said) -> None:
        if said.zygote is not None and not self.ready.done():
            self.ready.set_result(None)
        elif said.pid is not None and said.exit is not None:
            self._reaped(said.pid, said.exit)
        elif said.session is not None and said.start is not None:
            key = (said.session, said.start)
            if said.forked is not None:
                self._refuse_strangers(said.forked)
                self._newborn[said.forked] = key
            elif said.pid is not None:
                if said.pid not in self._newborn:  # its own line may come first
                    self._refuse_strangers(said.pid)
                if process_session.leads(said.pid) is False:
                    raise _Lie(f"process {said.pid} leads no session, so it has not called setsid")
                self._launched(key, said.pid)

    def _refuse_strangers(self, pid: int) -> None:
        """One that is gone already is told by the parent's line about its end, or never used."""
        is_number = 1 < pid < PID_END
        born = is_number and process_session.is_descendant(pid, self._process.pid)
        if born is False:
            raise _Lie(f"process {pid} is none that it has forked")

    def _launched(self, key: tuple[str, str], pid: int) -> asyncio.Future[int]:
        exit_code: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._exits[pid] = exit_code
        waiting = self._forks.pop(key, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(Launched(pid=pid, exit_code=exit_code))
        return exit_code

    def _reaped(self, pid: int, exit_code: int) -> None:
        key = self._newborn.pop(pid, None)
        ended = self._exits.pop(pid, None)
        if ended is None and key is not None:  # it died before it could say who it is
            ended = self._launched(key, pid)
            del self._exits[pid]
        if ended is not None:
            ended.set_result(exit_code)

    def _over(self) -> None:
        """The parent's output has ended: nobody who waits for it may wait on."""
        waiting: tuple[asyncio.Future[Any], ...]
        waiting = (self.ready, *self._forks.values(), *self._exits.values())
        for future in waiting:
            if not future.done():
                future.set_exception(self._how_it_ended())
                future.exception()  # read once, so that a future nobody awaits is no warning

    def _raise_if_over(self) -> None:
        if self._listening.done():
            raise self._how_it_ended()

    def _how_it_ended(self) -> BadSubject:
        if self._lie:
            return BadSubject(
                f"{' '.join(self._command)}: the driver's zygote was ended: {self._lie}"
            )
        said = (Path(self._home.name) / "stderr").read_text(errors="replace").strip()
        last = said.splitlines()[-1] if said else "it wrote nothing to stderr"
        return BadSubject(
            f"{' '.join(self._command)}: the driver's zygote ended with exit code"
            f" {self._process.returncode} ({last})"
        )
