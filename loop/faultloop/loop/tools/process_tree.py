"""A child process with everything it starts, and an end to all of it (SPEC C6, X5). POSIX only.

The child leads its own session, so signals to us do not reach it and its children can be found by
session, also those that moved to another process group. A child that even left the session is found
by a mark in its environment, which every process passes on unless it takes pains not to. Stopping
is polite first and certain after: SIGTERM, a short grace, SIGKILL, and then waiting until all are
gone. A process that is no more than an entry for its parent to collect (a zombie) counts as gone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from faultloop.loop.output import HeadAndTail

MARK = "FAULTLOOP_PROCESS_TREE"
"""Environment variable whose value says to which tree a process belongs."""

LOOK_AGAIN_S = 0.01
"""Processes that are not our children cannot be awaited, so they are looked for this often."""

KILL_WAIT_S = 5.0
"""How long after SIGKILL a process may still show; then it is reported as still running."""

READ_BYTES = 65_536


class ProcessTree:
    """A running child in a session of its own, its output kept in bounded memory."""

    def __init__(
        self,
        leader: asyncio.subprocess.Process,
        mark: str,
        output: HeadAndTail,
        reading: asyncio.Task[None],
    ) -> None:
        """Made by `start`."""
        self.leader = leader
        self.output = output
        self._mark = mark
        self._reading = reading

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path | None,
        env: Mapping[str, str] | None,
        output_bytes: int,
    ) -> ProcessTree:
        """Start the child. Not to be cancelled: a child could be left without its tree."""
        mark = uuid.uuid4().hex
        # A pipe of our own instead of asyncio's: `Process.wait` would wait for asyncio's to close,
        # and a grandchild that outlives the leader keeps it open.
        read_end, write_end = os.pipe()
        try:
            leader = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                cwd=cwd,
                env={**(os.environ if env is None else env), MARK: mark},
                start_new_session=True,
            )
        except BaseException:
            os.close(read_end)
            raise
        finally:
            os.close(write_end)
        output = HeadAndTail(output_bytes)
        reading = asyncio.create_task(_pump(read_end, output), name=f"output of {leader.pid}")
        return cls(leader, mark, output, reading)

    def members(self) -> list[psutil.Process]:
        """Everything that runs and belongs to the tree, the leader included."""
        return [process for process in psutil.process_iter() if self._owns(process)]

    async def stop(self, *, grace_s: float) -> tuple[int, ...]:
        """End the whole tree and wait until it has ended.

        Gives the pids that would not die even after SIGKILL; normally none.
        """
        self.signal(signal.SIGTERM)
        if await self._gone(grace_s):
            return ()
        # A tree that forks while it is killed is hit again until nothing of it is left.
        deadline_s = _now_s() + KILL_WAIT_S
        while _now_s() < deadline_s:
            self.signal(signal.SIGKILL)
            if await self._gone(10 * LOOK_AGAIN_S):
                return ()
        return tuple(process.pid for process in self.members())

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every member, without waiting for anything."""
        for process in self.members():
            with suppress(psutil.Error, OSError):  # gone in the meantime
                process.send_signal(number)

    async def drained(self, wait_s: float) -> None:
        """Wait until all output is read; bounded, since a stranger may have inherited the pipe."""
        await asyncio.wait({self._reading}, timeout=wait_s)
        self._reading.cancel()
        await asyncio.wait({self._reading})

    def _owns(self, process: psutil.Process) -> bool:
        try:
            ours = (
                os.getsid(process.pid) == self.leader.pid
                or process.environ().get(MARK) == self._mark
            )
            return ours and process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, OSError):
            return False  # gone in the meantime, or somebody else's and so not ours

    async def _gone(self, within_s: float) -> bool:
        deadline_s = _now_s() + within_s
        while self.members():
            if _now_s() >= deadline_s:
                return False
            await asyncio.sleep(LOOK_AGAIN_S)
        await self.leader.wait()
        return True


async def _pump(read_end: int, output: HeadAndTail) -> None:
    """Read until the last holder of the pipe is gone."""
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb", buffering=0)
    )
    try:
        while piece := await reader.read(READ_BYTES):
            output.add(piece)
    finally:
        transport.close()


def _now_s() -> float:
    return asyncio.get_running_loop().time()
