"""Provider requests: from a request that arrives to a reply that is over.

Writes down what the provider decides, in the order in which it becomes visible, and passes the
landmarks on the way. What is said is `provider`'s business, how it is spelt a dialect's.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from faultloop.fakes.answers import Answer, Ending, Rejected, Said
from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.cues import Cues
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.dialect import BadRequest, Frame
from faultloop.fakes.dialects.failing import worded
from faultloop.fakes.dialects.showing import shows, shows_shape
from faultloop.fakes.faults.armed import Strike
from faultloop.fakes.held import Held
from faultloop.fakes.history import (
    Failed,
    FaultFired,
    History,
    MadeCall,
    Refused,
    Replied,
    ReplyClosed,
    Requested,
)
from faultloop.fakes.naming import Names
from faultloop.fakes.provider import Provider
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.reply import Reply, ReplyCall
from faultloop.fakes.speech import Failure, Place, Refusal, Speech

EPOCH_S = 1_767_225_600
"""Unix time at which every play begins on the wire: 2026-01-01 00:00 UTC. Replies carry it plus
the play's own clock, so that equal plays give equal bytes."""


KEPT_MAX = 32
"""How many replies of a play can be gone on from by their id; of more, the oldest is forgotten. The
API keeps a reply for 30 days, but each is kept here with all that was said before it."""


class Exchange:
    """The provider side of a stage."""

    def __init__(
        self,
        *,
        history: History,
        provider: Provider,
        cues: Cues,
        held: Held,
        clock: Callable[[], float],
        names: Names | None = None,
    ) -> None:
        """`names`: those that the subject has for the world's tools. Only the history, which has
        the world's, needs to know; everything else here is as it is on the wire."""
        self._history = history
        self._names = names
        self._provider = provider
        self._cues = cues
        self._held = held
        self._clock = clock
        self._requests = 0
        self._bodies: dict[str, int] = {}
        """First request with this body."""
        self._spoken: dict[int, tuple[int, Place]] = {}
        """For each request that was answered: its start and its place in the script."""
        self._kept: dict[str, Conversation] = {}
        """The last `KEPT_MAX` conversations that the provider keeps, each with its reply, by the
        reply's id."""
        self._breaks: dict[int, list[tuple[int, Strike]]] = {}
        """For each reply under way: stream faults that have not shown yet, with the number of items
        after which each does."""
        self._has_result: set[int] = set()
        """Starts that were sent a result since their last request."""

    async def answer(self, start: int, dialect: str, conversation: Conversation) -> Answer:
        """Take in a provider request and say what it is answered."""
        kept = self._kept.get(conversation.continues or "")
        if kept is not None:
            conversation = _joined(kept, conversation)
        request = self._requested(start, dialect, conversation)
        if conversation.continues is not None and kept is None:
            return self._refused(start, request, _unknown(conversation.continues))
        if self._cues.staged:  # else nobody asks where in the script a request arrives
            await self._arrived(start, self._provider.place(conversation))
        outcome = self._provider.answer(request, conversation, dialect)
        match outcome:
            case Speech():
                if conversation.is_kept:
                    self._keep(dialect, conversation, outcome.reply)
                return self._replied(start, request, dialect, conversation, outcome)
            case Failure():
                return self._failed(start, request, dialect, conversation.model, outcome)
            case Refusal():
                return self._refused(start, request, outcome)

    async def _arrived(self, start: int, place: Place) -> None:
        await self._reach("request_arrived", start, place)
        if start in self._has_result:
            self._has_result.discard(start)
            await self._reach("before_next_request", start, place)

    async def unreadable(self, start: int, dialect: str, bad: BadRequest, body: bytes) -> Rejected:
        """Take in a body that the dialect could not parse; it is answered in the API's words."""
        conversation = Conversation(messages=(), raw=body.decode(errors="replace"))
        request = self._requested(start, dialect, conversation)
        await self._reach("request_arrived", start)
        refusal = Refusal(
            rule="unreadable",
            status=bad.status,
            message=bad.message,
            param=bad.param,
            code=bad.code,
        )
        return self._refused(start, request, refusal)

    async def sent_chunk(self, request: int, number: int) -> None:
        """Chunk `number` (from 1) of a streamed reply was sent."""
        start, place = self._spoken[request]
        if number == 1:
            await self._reach("first_chunk", start, place)
        await self._reach(f"chunk:{number}", start, place)

    def sent_items(self, request: int, number: int) -> None:
        """The first `number` items of a reply were sent, or begun where they are troubles."""
        start, _ = self._spoken[request]
        breaks = self._breaks.get(request, [])
        while breaks and breaks[0][0] <= number:
            self._fired(start, request, breaks.pop(0)[1])

    def struck(self, request: int, fault: int, kind: str, *, modelled: bool) -> None:
        """What comes next of a reply is the consequence of a byte fault."""
        start, _ = self._spoken[request]
        self._history.add(
            FaultFired, start=start, fault=fault, kind=kind, request=request, modelled=modelled
        )

    async def stalled(self, request: int, number: int) -> None:
        """After `number` items, this one included, a reply stands still."""
        self.sent_items(request, number)
        start, place = self._spoken[request]
        await self._reach("stream_stalled", start, place)

    async def closed(self, request: int, ending: Ending) -> None:
        """A reply is over; `ending` is what its `Said.ending` says."""
        start, place = self._spoken[request]
        self.sent_items(request, ending.items)
        self._history.put(
            ReplyClosed(
                position=len(self._history),
                start=start,
                request=request,
                outcome=ending.outcome,
                calls_complete=ending.calls_complete,
            )
        )
        if ending.outcome == "sent":
            await self._reach("reply_sent", start, place)

    async def sent_failure(self, request: int) -> None:
        """An HTTP failure was sent. An injected one is a reply of a kind, a refusal is not."""
        if request in self._spoken:
            start, place = self._spoken[request]
            await self._reach("reply_sent", start, place)

    def sent_result(self, start: int) -> None:
        """A start was sent a result, so that its next request passes `before_next_request`."""
        self._has_result.add(start)

    def _keep(self, dialect: str, conversation: Conversation, reply: Reply) -> None:
        said = Message(
            role="assistant",
            text=reply.text,
            calls=tuple(
                # What it wrote itself, whatever that is, the provider does not reject.
                SaidCall(id=call.id, name=call.tool, arguments=call.arguments, is_text=True)
                for call in reply.calls
            ),
        )
        marks = " ".join((reply.text, *(call.id for call in reply.calls)))
        self._kept[DIALECTS[dialect].id_prefix + reply.id] = replace(
            conversation,
            messages=(*conversation.messages, said),
            raw=f"{conversation.raw}\n{marks}",
        )
        if len(self._kept) > KEPT_MAX:
            del self._kept[next(iter(self._kept))]

    # --- what is written down ---------------------------------------------------------------

    def _requested(self, start: int, dialect: str, conversation: Conversation) -> int:
        self._requests += 1
        first = self._bodies.setdefault(conversation.raw, self._requests)
        is_repeat = first != self._requests
        messages, tools = conversation.messages, conversation.tools
        if self._names is not None:
            messages, tools = self._names.heard_in(conversation)
        self._history.put(
            Requested(
                position=len(self._history),
                start=start,
                request=self._requests,
                dialect=dialect,
                streaming=conversation.streaming,
                tools=tools,
                messages=() if is_repeat else messages,
                same_as=first if is_repeat else None,
                one_call=conversation.one_call,
            )
        )
        return self._requests

    def _refused(self, start: int, request: int, refusal: Refusal) -> Rejected:
        self._history.add(
            Refused,
            start=start,
            request=request,
            status=refusal.status,
            rule=refusal.rule,
            sentence=refusal.message,
        )
        return Rejected(
            request=request,
            status=refusal.status,
            message=refusal.message,
            code=refusal.code,
            param=refusal.param,
        )

    def _failed(
        self, start: int, request: int, dialect: str, model: str, outcome: Failure
    ) -> Rejected:
        strike, own = outcome.strike, DIALECTS[dialect].failures
        failure = outcome.failure
        if strike is not None:  # what was recorded has its own words
            failure = worded(failure, strike.kind, own, model=model, request=f"{request:024}")
        self._spoken[request] = start, outcome.place
        if strike is not None:
            self._fired(start, request, strike)
        self._history.add(
            Failed,
            start=start,
            request=request,
            status=failure.status,
            retry_after_s=failure.retry_after_s,
        )
        return Rejected(request=request, recorded=outcome.recorded, **failure._asdict())

    def _replied(
        self,
        start: int,
        request: int,
        dialect: str,
        conversation: Conversation,
        speech: Speech,
    ) -> Said:
        place, reply, speaker = speech.place, speech.reply, DIALECTS[dialect]
        frame = Frame(
            created_s=EPOCH_S + int(self._clock()),
            model=conversation.model,
            usage=conversation.wants_usage,
            echo=conversation.echo,
        )
        streaming = conversation.streaming
        for strike, before, after in speech.changes:
            if shows(speaker, frame, before, after, streaming=streaming):
                self._fired(start, request, strike)
        seen = [
            (one.shows_after, one.strike)
            for one in speech.reshapings
            if shows_shape(speaker, frame, speech.spoken, one.before, one.after)
        ]
        if seen:
            self._breaks[request] = sorted(seen)
        unsaid = frozenset(call.id for call in reply.calls if not speaker.says(call))
        self._spoken[request] = start, place
        self._history.put(
            Replied(
                position=len(self._history),
                start=start,
                request=request,
                turn=place.turn,
                step=place.number,
                cursor=place.cursor,
                text=reply.text,
                thought=reply.thought,
                calls=tuple(
                    self._made(
                        call,
                        speaker.told(call, streamed=streaming),
                        intended,
                        is_unsaid=call.id in unsaid,
                    )
                    for call, intended in zip(reply.calls, speech.intended, strict=True)
                ),
                finish_reason=reply.finish,
                served=speech.served,
                part=place.calls_before + 1,
            )
        )
        return Said(
            request=request,
            reply=speech.spoken,
            items=speech.items,
            streaming=streaming,
            frame=frame,
            recorded=_as_it_was(speech, dialect, conversation),
            unsaid=unsaid,
            repeats=speaker.repeats,
            is_smooth=not speech.reshapings,
            byte_faults=speech.byte_faults,
        )

    def _made(
        self, call: ReplyCall, told: str, intended: str | None, *, is_unsaid: bool
    ) -> MadeCall:
        tool = call.tool
        if self._names is not None:
            meant = None if intended is None else self._names.heard(tool, intended)
            tool, told = self._names.heard(tool, told)
            intended = meant and meant.arguments
        return MadeCall(
            id=call.id, tool=tool, arguments=told, intended=intended, is_unsaid=is_unsaid
        )

    def _fired(self, start: int, request: int, strike: Strike) -> None:
        self._history.add(
            FaultFired, start=start, fault=strike.fault, kind=strike.kind, request=request
        )

    async def _reach(self, landmark: str, start: int, place: Place | None = None) -> None:
        """Pass a landmark. Does not return if the start was killed here."""
        if not self._cues.watches(landmark) or (place and place.cursor == "side"):
            return  # what is beside the loop is no place in its work
        lives = await self._cues.reach(
            landmark,
            start=start,
            step=place.number or None if place else None,
            tools=tuple(call.tool for call in place.step.calls) if place else (),
        )
        if not lives:
            await self._held.for_ever()


def _joined(kept: Conversation, new: Conversation) -> Conversation:
    """A kept conversation and what a request adds to it, as if all of it had been sent."""
    return replace(
        new, messages=(*kept.messages, *new.messages), wire=(), raw=f"{kept.raw}\n{new.raw}"
    )


def _unknown(earlier: str) -> Refusal:
    """OpenAI's own words (its Responses is the only dialect that keeps conversations)."""
    return Refusal(
        rule="unknown_previous_response",
        status=400,
        message=f"Previous response with id '{earlier}' not found.",
        param="previous_response_id",
        code="previous_response_not_found",
    )


def _as_it_was(speech: Speech, dialect: str, conversation: Conversation) -> Recorded | None:
    """The recorded bytes of a reply, where they are what is asked for and nothing strikes."""
    recorded = speech.place.step.recorded
    if recorded is None or speech.changes or speech.reshapings or speech.byte_faults:
        return None
    return recorded if recorded.fits(dialect, streaming=conversation.streaming) else None
