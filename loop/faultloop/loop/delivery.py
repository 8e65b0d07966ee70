"""The delivery of run events: one queue, one teller, one event at a time (SPEC E1, E2).

Picture a town crier with a list in his hand. Whoever has news writes it at the end of the list and
may wait until it has been cried; the crier goes through the list by himself, and for each event
through the subscribers in the order in which they registered. Hence three promises: events are
heard in the order in which they were posted, whoever posted them; a subscriber is never cancelled
together with the work whose news it is being told; and what a subscriber raises, a CancelledError
of its own included, stays its own (SPEC L13).
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Callable

from faultloop.loop.run_events import AnyRunEvent, Subscriber

log = logging.getLogger(__name__)

Awaited = asyncio.Future[None]
"""A place in the list that somebody waits for."""


class Delivery:
    """The subscribers of one session, and what they have not been told yet."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._list: deque[AnyRunEvent | Awaited] = deque()
        self._teller: asyncio.Task[None] | None = None

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell this one every event from now on; call what is returned to leave."""
        self._subscribers.append(subscriber)

        def leave() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return leave

    @property
    def has_listeners(self) -> bool:
        """Whether anybody would hear."""
        return bool(self._subscribers)

    def post(self, *events: AnyRunEvent) -> None:
        """Put events at the end of the list, without waiting; nothing where nobody listens."""
        if events and self._subscribers:
            self._list.extend(events)
            if self._teller is None:
                self._teller = asyncio.ensure_future(self._tell())

    async def heard(self) -> None:
        """Wait until all that was posted so far has been heard.

        A subscriber that speaks to the loop does not wait: it would wait for itself.
        """
        if self._teller is None or asyncio.current_task() is self._teller:
            return
        awaited: Awaited = asyncio.get_running_loop().create_future()
        self._list.append(awaited)
        await awaited

    async def _tell(self) -> None:
        try:
            while self._list:
                item = self._list.popleft()
                if isinstance(item, asyncio.Future):
                    _reached(item)
                    continue
                for subscriber in tuple(self._subscribers):
                    await _told(subscriber, item)
        finally:
            self._teller = None
            while self._list:  # the teller itself was stopped: nobody is to wait for it for ever
                item = self._list.popleft()
                if isinstance(item, asyncio.Future):
                    _reached(item)


def _reached(awaited: Awaited) -> None:
    if not awaited.done():
        awaited.set_result(None)


async def _told(subscriber: Subscriber, event: AnyRunEvent) -> None:
    try:
        waiting = subscriber(event)
        if inspect.isawaitable(waiting):
            await waiting
    except asyncio.CancelledError:
        teller = asyncio.current_task()
        if teller is not None and teller.cancelling():
            raise  # it is the teller that is to end
        log.exception("a subscriber was cancelled on %s", type(event).__name__)
    except (Exception, KeyboardInterrupt, SystemExit):
        log.exception("a subscriber failed on %s", type(event).__name__)
