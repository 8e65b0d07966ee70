"""The process subject: any loop in any language that keeps subject contract v1.

A start is a process session. Cancelling is the declared way (SIGINT to the leader or its group, or
a control line), killing is SIGKILL for every process of the session, and the account is what the
result lines say, completed by the exit code.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import os
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
from faultloop.scenarios.subjects.declaration import FILE_NAME, Declaration, command_line, places
from faultloop.scenarios.subjects.environment import environment_of
from faultloop.scenarios.subjects.installed import installed
from faultloop.scenarios.subjects.launch import Cold, Launched, Launcher, Start, Streams
from faultloop.scenarios.subjects.places import Places, file_beside
from faultloop.scenarios.subjects.zygote import Zygote

TAKEN_S_MAX = 2.0
"""How long the play waits for the subject to read a control line."""
LOOK_S = 0.001
RESULT_LOOK_S = 0.05
"""How often the play looks for a result line of a subject that might wait for more input."""
HEARD_S = 0.1
"""A signal is heard a moment after it was sent; what happens next in the play waits for that."""
SOURCE_BYTES_MAX = 1_000_000
"""Whatever lies beside a subject.toml and is larger is data."""
LEFT_S_MAX = 0.5
"""How long after their leader's end its processes may take to end by themselves."""


class ProcessSubject:
    """A subject that was declared in a subject.toml."""

    def __init__(
        self, declaration: Declaration, here: Path, *, name: str = "", asked: str = ""
    ) -> None:
        """`here`: the folder of its subject.toml. `name`: in place of the declared one. `asked`:
        what its user types to have it, where that is not the path of its file."""
        self._declaration = declaration
        self._here = here
        self._name = name or declaration.name
        self._asked = asked or str(here / FILE_NAME)
        self._ready: tuple[Launcher, dict[str, str]] | None = None

    @property
    def name(self) -> str:
        """As declared; with its version where that was chosen in place of the declared one."""
        return self._name

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

    @property
    def asked(self) -> str:
        """What its user types to have it, from anywhere."""
        return self._asked

    def at(self, version: str) -> ProcessSubject:
        """The same subject in another version, under a name that tells which.

        Raises BadSubject where its declaration does not say how a version is had.
        """
        if self._declaration.install is None:
            raise BadSubject(
                f"{self._asked} has no [install] table: its version cannot be chosen, it is"
                f" {self._declaration.version}"
            )
        if version == self._declaration.version:
            return self
        other = self._declaration.model_copy(update={"version": version})
        name, asked = f"{other.name}@{version}", f"{self._asked}@{version}"
        return ProcessSubject(other, self._here, name=name, asked=asked)

    def second(self) -> ProcessSubject | None:
        """The same loop under its second driver; None where it has only one."""
        command = self._declaration.second_command
        if command is None:
            return None
        other = self._declaration.model_copy(update={"command": command, "second_command": None})
        return ProcessSubject(other, self._here, name=self._name, asked=self._asked)

    def digest(self) -> str:
        """Of what it is made of: its declaration, the files beside that and beside those of its
        commands, the helpers `faultloop_driver.*`, and the packages that are installed for it. What
        these import from elsewhere, what is for people to read, and what is no source by its size
        are not looked at."""
        told, here = self._declaration, self._here
        made = hashlib.blake2b(told.model_dump_json().encode(errors="replace"), digest_size=16)
        recipe = told.recipe()
        if recipe is not None and (there := installed(recipe)):
            made.update(repr((sorted(there.python.items()), sorted(there.npm.items()))).encode())
        for folder in (here, *borrowed_from(told, here)):
            for file in sorted({*folder.iterdir(), *folder.parent.glob("faultloop_driver.*")}):
                with contextlib.suppress(OSError):
                    is_source = file.is_file() and file.stat().st_size <= SOURCE_BYTES_MAX
                    if is_source and file.suffix != ".md":
                        name = f"\0{file.name}\0".encode(errors="replace")
                        made.update(name + file.read_bytes())
        return made.hexdigest()

    def open(self, venue: Venue) -> AbstractAsyncContextManager[Session]:
        """A session for one play; its state directory survives the starts."""
        return self._opened(venue)

    async def close(self) -> None:
        """End the zygote, if there is one."""
        ready, self._ready = self._ready, None
        if ready is not None:
            await ready[0].close()

    @asynccontextmanager
    async def _opened(self, venue: Venue) -> AsyncIterator[Session]:
        if self._ready is None:
            self._ready = self._made_ready()
        session = ProcessSession(self._declaration, *self._ready, venue)
        try:
            yield session
        finally:
            await session.close()

    def _made_ready(self) -> tuple[Launcher, dict[str, str]]:
        there = places(self._declaration, self._here, asked=self._asked)
        command = command_line(self._declaration, there)
        more = additions(self._declaration, there)
        return Cold(command) if self._declaration.mode == "cold" else Zygote(command, more), more


def borrowed_from(declaration: Declaration, here: Path) -> list[Path]:
    """The other folders of the files that its commands name from `here`, by name: what lies beside
    a borrowed driver is part of it. Not where a link leads to: that may be the system's Python."""
    words = (*declaration.command, *(declaration.second_command or ()))
    named = (file_beside(word.replace("{here}/", ""), here) for word in words)
    folders = {Path(os.path.normpath(file)).parent for file in named if file}
    return sorted(folders - {Path(os.path.normpath(here))})


def additions(declaration: Declaration, there: Places) -> dict[str, str]:
    """The declaration's own environment, placeholders filled in."""
    return {name: there.filled(text) for name, text in declaration.environment.items()}


class ProcessSession:
    """A process subject within one play."""

    def __init__(
        self,
        declaration: Declaration,
        launcher: Launcher,
        environment: dict[str, str],
        venue: Venue,
    ) -> None:
        """`environment`: the declaration's own additions."""
        if venue.state_dir is None:
            raise ValueError("a process subject needs a state directory; the bench gave none")
        self._declaration = declaration
        self._additions = environment
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
        self._queued_s: float | None = None
        self._cleared = False
        self._numbers = itertools.count(1)

    async def wait(self) -> Outcome:
        """Wait for the leader; its children may live on until `clear`."""
        code = await self._exit_code()
        # A leader that had ended by itself before the kill reached it was not killed.
        killed = self._killed and code == -signal.SIGKILL
        output, errors = self.streams.output(), self.streams.errors()
        return Outcome(
            how="killed" if killed else "exited",
            exit_code=code,
            account=account_of(output, code, killed=killed, errors=errors),
            queued_s=self._queued_s,
            complaints=()
            if killed
            else (*self.streams.excess(), *complaints(output, code, errors)),
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
            self._queued_s = process_session.queued_s(self._launched.pid)
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
