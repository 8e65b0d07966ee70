"""The process subject: any loop in any language that keeps subject contract v1.

A start is a process session. Cancelling is the declared way (SIGINT to the leader or its group, or
a control line), killing is SIGKILL for every process of the session, and the account is what the
result lines say, completed by the exit code.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from faultloop.scenarios.subject import (
    BadSubject,
    Brief,
    Capabilities,
    Outcome,
    Run,
    Session,
    Venue,
)
from faultloop.scenarios.subjects import process_session
from faultloop.scenarios.subjects.account import MARK, account_of, complaints
from faultloop.scenarios.subjects.declaration import Declaration, command_line, filled
from faultloop.scenarios.subjects.environment import environment_of
from faultloop.scenarios.subjects.launch import Cold, Launched, Launcher, Start, Streams
from faultloop.scenarios.subjects.zygote import Zygote

TAKEN_S_MAX = 2.0
"""How long the play waits for the subject to read a control line."""
LOOK_S = 0.001
RESULT_LOOK_S = 0.05
"""How often the play looks for a result line of a subject that might wait for more input."""
HEARD_S = 0.1
"""A signal is heard a moment after it was sent; what happens next in the play waits for that."""
LEFT_S_MAX = 0.5
"""How long after their leader's end its processes may take to end by themselves."""


class ProcessSubject:
    """A subject that was declared in a subject.toml."""

    def __init__(self, declaration: Declaration, here: Path) -> None:
        self._declaration = declaration
        self._here = here
        self._launcher: Launcher | None = None

    @property
    def name(self) -> str:
        """As declared."""
        return self._declaration.name

    @property
    def version(self) -> str:
        """As declared."""
        return self._declaration.version

    @property
    def about(self) -> str:
        """As declared."""
        return self._declaration.about

    @property
    def capabilities(self) -> Capabilities:
        """As declared."""
        return self._declaration.capabilities()

    @property
    def declaration(self) -> Declaration:
        """All of subject.toml."""
        return self._declaration

    def second(self) -> ProcessSubject | None:
        """The same subject through its second driver; None where it has only one."""
        command = self._declaration.second_command
        if not command:
            return None
        return ProcessSubject(self._declaration.model_copy(update={"command": command}), self._here)

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play; its state directory survives the starts."""
        return self._opened(venue)

    async def close(self) -> None:
        """End the zygote, if there is one."""
        launcher, self._launcher = self._launcher, None
        if launcher is not None:
            await launcher.close()

    @asynccontextmanager
    async def _opened(self, venue: Venue) -> AsyncIterator[Session]:
        if self._launcher is None:
            self._launcher = self._new_launcher()
        session = ProcessSession(self._declaration, self._here, self._launcher, venue)
        try:
            yield session
        finally:
            await session.close()

    def _new_launcher(self) -> Launcher:
        command = command_line(self._declaration, self._here)
        if self._declaration.mode == "cold":
            return Cold(command)
        return Zygote(command, additions(self._declaration, self._here))


def additions(declaration: Declaration, here: Path) -> dict[str, str]:
    """The declaration's own environment, placeholders filled in."""
    return {name: filled(text, here) for name, text in declaration.environment.items()}


class ProcessSession:
    """A process subject within one play."""

    def __init__(
        self, declaration: Declaration, here: Path, launcher: Launcher, venue: Venue
    ) -> None:
        if venue.state_dir is None:
            raise ValueError("a process subject needs a state directory; the bench gave none")
        self._declaration = declaration
        self._additions = additions(declaration, here)
        self._launcher = launcher
        self._venue = venue
        self._state = venue.state_dir
        self._runs: list[ProcessRun] = []

    async def start(self, brief: Brief) -> Run:
        """Start the declared command with the environment of the contract."""
        home, work = self._state / "home", self._state / "work"
        for folder in (home, work):
            folder.mkdir(parents=True, exist_ok=True)
        streams = Streams(
            self._state.with_name(self._state.name + ".streams"),
            brief.start,
            control=self._declaration.control == "stdin",
        )
        environment = {
            **environment_of(self._venue, brief, self._state),
            "HOME": str(home),
            "PWD": str(work),
            **self._additions,
        }
        what = Start(environment=environment, folder=work, streams=streams)
        launched = await self._launcher.launch(what)
        run = ProcessRun(
            launched,
            streams,
            self._declaration.cancel,
            mark=("FAULTLOOP_STATE_DIR", environment["FAULTLOOP_STATE_DIR"]),
        )
        self._runs.append(run)
        return run

    def journal(self) -> Sequence[dict[str, Any]] | None:
        """A stranger's journal is no evidence."""
        return None

    def stderr(self) -> str:
        """The end of what its starts wrote to standard error."""
        return "".join(run.streams.errors() for run in self._runs)[-64 * 1024 :]

    async def close(self) -> None:
        """Leave nothing alive and no descriptor open."""
        for run in self._runs:
            await run.kill()
            await run.clear()
            run.streams.close()


class ProcessRun:
    """One start of a process subject."""

    def __init__(
        self,
        launched: Launched,
        streams: Streams,
        cancel: Literal["sigint", "sigint_group", "control", "none"],
        *,
        mark: tuple[str, str],
    ) -> None:
        """`mark`: the variable of its environment by which all of its processes are known."""
        self.streams = streams
        self._mark = mark
        self._launched = launched
        self._cancel = cancel
        self._killed = False
        self._cleared = False
        self._numbers = itertools.count(1)

    async def wait(self) -> Outcome:
        """Wait for the leader; its children may live on until `clear`."""
        code = await self._exit_code()
        # A leader that had ended by itself before the kill reached it was not killed.
        killed = self._killed and code == -signal.SIGKILL
        output = self.streams.output()
        return Outcome(
            how="killed" if killed else "exited",
            exit_code=code,
            account=account_of(output, code, killed=killed),
            complaints=() if killed else (*self.streams.excess(), *complaints(output, code)),
        )

    async def _exit_code(self) -> int:
        """Wait for the leader; one that takes input is told, once it gave account, that no more
        of it comes."""
        over = self._launched.exit_code
        if self.streams.take_input:
            while not (over.done() or MARK in self.streams.output()):
                await asyncio.wait({over}, timeout=RESULT_LOOK_S)
            self._tell("close", "")
        return await asyncio.shield(over)

    async def kill(self) -> None:
        """SIGKILL the whole session; returns when nothing of it is left."""
        if not self._cleared:
            self._killed = True
            await process_session.end(self._launched.pid)

    async def clear(self) -> int:
        """SIGKILL what outlived the leader and does not end at once."""
        if self._cleared:
            return 0
        self._cleared = True
        return await process_session.end_remains(
            self._launched.pid, self._mark, within_s=LEFT_S_MAX
        )

    async def cancel(self) -> None:
        """The user's cancel, in the declared way, once."""
        with contextlib.suppress(ProcessLookupError):
            match self._cancel:
                case "sigint":
                    await self._interrupt()
                case "sigint_group":
                    await self._interrupt(group=True)
                case "control":
                    await self._say("cancel", "")
                case "none":
                    raise BadSubject("this subject declares that it cannot be cancelled")

    async def say(self, kind: Literal["message", "steer", "follow_up"], text: str) -> None:
        """One control line, and a moment for the subject to take it."""
        await self._say(kind, text)

    async def _interrupt(self, *, group: bool = False) -> None:
        over = self._launched.exit_code
        if not over.done():
            process_session.send(self._launched.pid, signal.SIGINT, group=group)
            await asyncio.wait({over}, timeout=HEARD_S)

    async def _say(self, kind: str, text: str) -> None:
        self._tell(kind, text)
        # What happens next in the play would otherwise race with the line that came before it.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TAKEN_S_MAX):
                while not (self.streams.is_taken() or self._launched.exit_code.done()):
                    await asyncio.sleep(LOOK_S)

    def _tell(self, kind: str, text: str) -> None:
        line = {"type": kind, "id": f"control-{next(self._numbers)}", "text": text}
        self.streams.say(line)
