"""The conversations of one server: created when first touched, apart from each other, begun anew.

All of this belongs to the event loop that serves; other threads go through `HostThread`. What a
load concerns begins anew: the conversation that it is for, or all that have no script of their own.
Replies that are under way then come to their end, and are seen in no history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from faultloop.fakes.hosting.hosted import Hosted, HostedStage
from faultloop.fakes.hosting.hosted_script import BadScript, HostedScript
from faultloop.fakes.hosting.live import Watcher
from faultloop.fakes.strictness.levels import Strictness

CONVERSATIONS_MAX = 1000
"""The one that was touched longest ago makes room for the next."""

REQUESTS_MAX = 10_000
"""Of one conversation; it is refused from there on, as its history is kept."""

NAME_CHARS_MAX = 300


class NoScript(Exception):
    """There is no such conversation, or nothing that it could say. The text says what to do."""


class Hosting:
    """Conversations by name."""

    def __init__(
        self,
        script: HostedScript | None = None,
        *,
        read: Callable[[str], HostedScript] | None = None,
        clock: Callable[[], float] | None = None,
        seed: int = 0,
        strictness: Strictness | None = None,
        conversations_max: int = CONVERSATIONS_MAX,
        requests_max: int = REQUESTS_MAX,
    ) -> None:
        """`script` is for every conversation that has none of its own.

        `read` makes a script of a text that was sent here; it raises BadScript. `clock` gives
        seconds (the loop's by default). `strictness` takes the place of every script's own. Raises
        BadScript.
        """
        self._read = read
        self._clock = clock
        self._seed = seed
        self._strictness = strictness
        self._conversations_max = conversations_max
        self._requests_max = requests_max
        self._script = script
        self._own: dict[str, HostedScript] = {}
        self._hosted: dict[str, Hosted] = {}
        """The one that was touched last is the last."""
        self._watchers: dict[Watcher, None] = {}
        self._begun = 0
        self.dropped = 0
        """Conversations that had to make room."""
        if script is not None:
            self._stage(script, "")

    # --- scripts ----------------------------------------------------------------------------

    @property
    def script(self) -> HostedScript | None:
        """The script of conversations that have none of their own."""
        return self._script

    def read(self, text: str) -> HostedScript:
        """A script from text. Raises BadScript."""
        if self._read is None:
            raise BadScript("this server was given nothing to read scripts with")
        return self._read(text)

    async def load(self, script: HostedScript, conversation: str | None = None) -> None:
        """Let a conversation, or all that have no script of their own, begin anew with it.

        Raises BadScript, or NoScript for a name that none can have; then nothing has changed.
        """
        self._stage(script, conversation or "")
        if conversation is not None:
            fit(conversation)
            self._own[conversation] = script
            await self._begin_anew(conversation)
        else:
            self._script = script
            for name in [name for name in self._hosted if name not in self._own]:
                await self._end(name)

    # --- conversations ----------------------------------------------------------------------

    def touch(self, name: str) -> Hosted:
        """The conversation of this name, begun if it is not on. Raises NoScript."""
        hosted = self._hosted.pop(name, None)
        if hosted is None:
            return self._begin(name)
        self._hosted[name] = hosted
        return hosted

    def seen(self, name: str) -> Hosted:
        """The conversation of this name; looking begins none. Raises NoScript."""
        if name not in self._hosted:
            raise NoScript(
                f"there is no conversation {name!r}: nobody has asked below /c/{name}/ since it "
                "last ended"
            )
        return self._hosted[name]

    def all(self) -> list[Hosted]:
        """All that are on, by name."""
        return [self._hosted[name] for name in sorted(self._hosted)]

    async def reset(self, name: str | None = None) -> None:
        """Let one conversation, or all, begin anew with the script that it has. Raises NoScript."""
        names = list(self._hosted) if name is None else [self.seen(name).name]
        for each in names:
            if each in self._hosted:  # it may have ended while another did
                await self._begin_anew(each)

    async def forget(self, name: str) -> None:
        """End a conversation, and forget the script that was loaded for it. Raises NoScript."""
        if name not in self._own:
            self.seen(name)
        self._own.pop(name, None)
        await self._end(name)

    async def close(self) -> None:
        """End all."""
        for name in list(self._hosted):
            await self._end(name)

    # --- looking on -------------------------------------------------------------------------

    def watch(self, watcher: Watcher) -> None:
        """Tell a watcher of every change, from those that are on now."""
        self._watchers[watcher] = None
        for name in self._hosted:
            watcher.changed(name)

    def unwatch(self, watcher: Watcher) -> None:
        """Tell it no more."""
        self._watchers.pop(watcher, None)

    @property
    def watchers(self) -> int:
        """How many look on."""
        return len(self._watchers)

    def _changed(self, name: str) -> None:
        for watcher in self._watchers:
            watcher.changed(name)

    # --- beginning and ending ---------------------------------------------------------------

    def _begin(self, name: str) -> Hosted:
        fit(name)
        script = self._own.get(name, self._script)
        if script is None:
            raise NoScript(f"conversation {name!r} has no script: load one for it, or for all")
        if len(self._hosted) >= self._conversations_max:
            self._make_room()
        self._begun += 1
        hosted = self._hosted[name] = Hosted(
            name,
            script,
            self._stage(script, name),
            own=name in self._own,
            begun=self._begun,
            heard=lambda: self._changed(name),
        )
        self._changed(name)
        return hosted

    async def _begin_anew(self, name: str) -> None:
        # The new one is there before anything is waited for: whoever asks meanwhile is its own.
        old = self._hosted.pop(name, None)
        self._begin(name)
        if old is not None:
            await old.over()

    def _make_room(self) -> None:
        name = next(iter(self._hosted))
        self.dropped += 1
        hosted = self._hosted.pop(name)
        ending = asyncio.ensure_future(hosted.over())
        _ending.add(ending)
        ending.add_done_callback(_ending.discard)
        self._changed(name)

    async def _end(self, name: str) -> None:
        hosted = self._hosted.pop(name, None)
        if hosted is not None:
            self._changed(name)
            await hosted.over()

    def _stage(self, script: HostedScript, name: str) -> HostedStage:
        """A stage for a conversation. Raises BadScript for what no stage can play."""
        if not script.steps:
            raise BadScript("a script has at least one step")
        plan = script.plan(name, seed=self._seed, requests_max=self._requests_max)
        if self._strictness is not None:
            plan = replace(plan, strictness=self._strictness)
        clock = self._clock or _loop_time()
        began_s = clock()
        try:
            return HostedStage(plan, clock=lambda: clock() - began_s)
        except ValueError as error:
            raise BadScript(str(error)) from None


def fit(name: str) -> None:
    """Judge the name of a conversation. Raises NoScript for one that no client could ask below."""
    if not 0 < len(name) <= NAME_CHARS_MAX:
        raise NoScript(
            f"the name of a conversation has 1 to {NAME_CHARS_MAX} characters, "
            f"and this one has {len(name)}"
        )
    if name in (".", ".."):
        raise NoScript(f"clients take {name!r} out of a path: give the conversation another name")


def _loop_time() -> Callable[[], float]:
    try:
        return asyncio.get_running_loop().time
    except RuntimeError:
        return lambda: 0.0  # only tried, before there is a loop


_ending: set[asyncio.Future[None]] = set()
"""asyncio itself keeps no hold on its tasks."""
