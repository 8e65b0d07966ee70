"""What the fixture `fake_provider` gives a test: a provider of its own, on a port of its own.

It serves on a thread, so the test may be sync, async or start other programs; everything here can
be called from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from faultloop.bench.serving import short_form
from faultloop.bench.serving.reading import of_scenario, read, read_text, sent
from faultloop.fakes.history import AnyEntry
from faultloop.fakes.hosting import (
    BadScript,
    BaseUrls,
    Hosted,
    HostedScript,
    Hosting,
    HostThread,
    NoScript,
    Received,
    Summary,
)
from faultloop.fakes.hosting.servers import DEFAULT_CONVERSATION
from faultloop.fakes.script import Step
from faultloop.scenarios.reading import BadScenario
from faultloop.scenarios.scenario import Scenario

T = TypeVar("T")

Loadable = str | Path | Scenario | HostedScript | Sequence["Step | dict[str, Any]"]
"""A file or a scenario's name, the text of a script, or steps as values."""


class Talk:
    """One conversation: where it is reached, what it was asked and what was observed."""

    def __init__(self, thread: HostThread, name: str) -> None:
        self._thread = thread
        self.name = name

    @property
    def base_urls(self) -> BaseUrls:
        """For each SDK: `.openai`, `.anthropic`, `.gemini`; `.of(dialect)`."""
        return self._thread.base_urls(self.name)

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables that send the SDKs here, keys included."""
        return self.base_urls.environment

    def load(self, script: Loadable) -> None:
        """Let this conversation begin anew with a script. Raises BadScript."""
        loaded = loadable(script)
        self._thread.do(lambda hosting: hosting.load(loaded, self.name))

    def reset(self) -> None:
        """Let it begin anew with the script that it has."""
        self._thread.do(lambda hosting: hosting.reset(self.name))

    def history(self) -> list[AnyEntry]:
        """All that was observed, in order; nothing where nobody has asked yet."""
        return self._seen(Hosted.history)

    @property
    def requests(self) -> list[Received]:
        """The requests for replies, as they arrived."""
        return self._seen(Hosted.requests)

    @property
    def summary(self) -> Summary:
        """Steps said, faults fired, requests refused. Raises NoScript before the first request."""
        return self._thread.ask(lambda hosting: hosting.seen(self.name).summary())

    def _seen(self, question: Callable[[Hosted], list[T]]) -> list[T]:
        try:
            return self._thread.ask(lambda hosting: question(hosting.seen(self.name)))
        except NoScript:
            return []


class FakeProvider(Talk):
    """The provider; it is its own default conversation, and has as many others as are named."""

    def __init__(self) -> None:
        super().__init__(HostThread(Hosting(read=sent)), DEFAULT_CONVERSATION)

    @property
    def url(self) -> str:
        """Of the page and the API; conversations are below `/c/NAME`."""
        return self._thread.url

    def load(self, script: Loadable) -> None:
        """Let all conversations begin anew with a script, but those with one of their own.

        Raises BadScript.
        """
        loaded = loadable(script)
        self._thread.do(lambda hosting: hosting.load(loaded))

    def conversation(self, name: str) -> Talk:
        """Another conversation, which shares nothing with the others but a script."""
        return Talk(self._thread, name)

    def __enter__(self) -> FakeProvider:
        self._thread.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.__exit__(kind, error, trace)
        if self._thread.failures and error is None:
            raise self._thread.failures[0]


def loadable(script: Loadable) -> HostedScript:
    """Whatever a test calls a script, as one. Raises BadScript with a sentence."""
    try:
        match script:
            case HostedScript():
                return script
            case Scenario():
                return of_scenario(script)
            case str() if "\n" in script or script.lstrip().startswith(("-", "[")):
                return read_text(script)
            case str() | Path():
                return read(script)
            case _:
                return _of_values(script)
    except BadScenario as error:
        raise BadScript(str(error)) from None


def _of_values(steps: Sequence[Step | dict[str, Any]]) -> HostedScript:
    if not isinstance(steps, Sequence) or isinstance(steps, bytes):
        raise BadScript(f"a script is text, a file's name or a list of steps, not {steps!r:.40}")
    values = list(steps)
    if values and all(isinstance(step, Step) for step in values):
        return HostedScript(
            name="steps", steps=tuple(step for step in values if isinstance(step, Step))
        )
    try:
        return read_text(short_form.as_text(values))
    except TypeError as error:
        raise BadScript(f"steps hold what YAML can hold, and {error}") from None
    except BadScenario as error:
        place = f"{error.field}: " if error.field else ""
        raise BadScript(f"{place}{error.sentence}") from None
