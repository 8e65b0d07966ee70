"""The server that the SDKs talk to: one for all cells, a conversation of its own for each request.

What a cell loads is a script with its faults; what it gets is where the SDK finds it. Nothing of a
cell is seen by another, as conversations share nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from faultloop.fakes.faults.base import Fault
from faultloop.fakes.hosting import BaseUrls, HostedScript, Hosting, HostThread
from faultloop.fakes.script import Step

NOTHING = Step(say="Done.")


class Scene:
    """A server that is on."""

    def __init__(self, host: HostThread) -> None:
        self._host = host
        self._conversations = 0

    def load(self, *steps: Step, faults: tuple[Fault, ...] = ()) -> BaseUrls:
        """A new conversation with this script. Raises BadScript."""
        self._conversations += 1
        name = f"cell-{self._conversations}"
        script = HostedScript(name=name, steps=steps or (NOTHING,), faults=faults)
        self._host.do(lambda hosting: hosting.load(script, name))
        return self._host.base_urls(name)

    @property
    def failures(self) -> list[Exception]:
        """What went wrong in faultloop itself."""
        return self._host.failures


@contextmanager
def scene() -> Iterator[Scene]:
    """Serve until the block is left. Raises CannotListen."""
    with HostThread(Hosting(HostedScript(name="nothing", steps=(NOTHING,)))) as host:
        yield Scene(host)
