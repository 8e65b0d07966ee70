"""Preparing a step: what the hooks make of the moment between two steps, and of a request (L13).

    between     the stopping checkpoint, then what is about to enter; `decide` then ends or goes on
    request     what was said so far, and where the request goes

Without hooks both are one line. The queue is read again after the checkpoint: whoever wants a turn
to go on has put something there (SPEC L7). Where a `request` hook may still change model and
provider, the header is journalled after it was asked, so that the journal has the one that the
request really bears (SPEC L16).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from faultloop.loop.between import could_go_on, outlook
from faultloop.loop.events import InputQueued
from faultloop.loop.header import Header
from faultloop.loop.hooking import CannotGoOn, Hooking
from faultloop.loop.hooks import Entering, Reject, Rerouted
from faultloop.loop.message import Message
from faultloop.loop.offer import Offer
from faultloop.loop.output import clean
from faultloop.loop.policy import Policy
from faultloop.loop.providers.port import ModelRequest, Provider
from faultloop.loop.recorder import Recorder
from faultloop.loop.signals import Arrived, Between, Headed
from faultloop.loop.stop import StopSignal
from faultloop.loop.view import repaired


class Preparing:
    """Brings a turn to its next request, or to its end."""

    def __init__(
        self,
        *,
        recorder: Recorder,
        hooking: Hooking,
        offer: Offer,
        policy: Policy,
        session: str,
        providers: Mapping[str, Provider],
    ) -> None:
        """`providers` are those beside the session's own, by name."""
        self.recorder = recorder
        self.hooking = hooking
        self.offer = offer
        self.policy = policy
        self.session = session
        self.providers = providers

    async def between(self, signal: StopSignal, *, resume: bool) -> None:
        """End the turn or begin its next step, after the hooks have had their say. Raises Cut."""
        state = self.recorder.state
        header = self.offer.assemble(state.header)
        told = Between(resume=resume, header=None if self.hooking.hooks.request else header)
        if self.hooking.hooks.stopping and could_go_on(state, self.policy, resume=resume):
            await self.hooking.stopping(state.turn, self.say, signal)
        if self.hooking.hooks.pre_step:
            told = await self._entering(told, signal)
        await self.recorder.tell(told)

    async def _entering(self, told: Between, signal: StopSignal) -> Between:
        state = self.recorder.state
        reason, waiting = outlook(state, self.policy, resume=told.resume)
        if reason is not None:
            return told
        inputs = {item.input.id: item.input.text for item in waiting}
        asked = Entering(turn=state.turn.number, step=state.turn.step + 1, inputs=inputs)
        try:
            said = await self.hooking.enter(asked, signal)
        except CannotGoOn as broke:
            return replace(told, entering=inputs, broken=str(broke))
        if isinstance(said, Reject):
            return replace(told, entering=inputs, rejected=clean(said.reason))
        return replace(told, entering=said.inputs)

    async def say(self, text: str) -> str:
        """Queue a message for the next step, in the name of the system. Returns its id."""
        arrived = Arrived(
            id=None,
            prefix=f"{self.session}/input/",
            lane="next_step",
            source="system",
            text=clean(text),
            wakes=False,
        )
        queued = await self.recorder.tell(arrived)
        return next(event.id for event in queued if isinstance(event, InputQueued))

    async def request(
        self, messages: tuple[Message, ...], signal: StopSignal
    ) -> tuple[ModelRequest, Provider | None]:
        """The next request as the hooks let it go out, and to whom; None: to the session's own.

        Raises CannotGoOn and Cut.
        """
        header = self.offer.header if self.hooking.hooks.request else self.recorder.state.header
        assert header is not None, "a step begins with its header"
        if self.hooking.hooks.context:
            messages = await self.hooking.context(messages, signal)
            messages = repaired(messages, self.policy.result_order)
        request = ModelRequest(
            model=header.model,
            system=header.system,
            messages=messages,
            tools=self.offer.offered.faces(),
            stream=self.policy.stream,
            output_tokens_max=self.policy.output_tokens_max,
            strict=self.policy.strict,
        )
        if not self.hooking.hooks.request:
            return request, None
        return await self._rerouted(request, header, signal)

    async def _rerouted(
        self, request: ModelRequest, header: Header, signal: StopSignal
    ) -> tuple[ModelRequest, Provider | None]:
        going = await self.hooking.request(Rerouted(request=request), signal)
        provider = self.providers.get(going.provider)
        if provider is None and going.provider:
            names = ", ".join(map(repr, self.providers)) or "none"
            raise CannotGoOn(
                f"a request hook names a provider {going.provider!r}; there are besides the"
                f" agent's own: {names}"
            )
        if going.request.tools != request.tools:
            raise CannotGoOn(
                "a request hook has changed the tools, but what a reply calls is looked up in what"
                " the agent offers: set the agent's tools"
            )
        went = going.request
        bears = replace(
            header,
            model=went.model,
            system=went.system,
            provider=going.provider,
            stream=went.stream,
            output_tokens_max=went.output_tokens_max,
            strict=went.strict,
        )
        await self.recorder.tell(Headed(header=bears))
        if going.request.messages is request.messages:
            return going.request, provider
        messages = repaired(going.request.messages, self.policy.result_order)
        return replace(going.request, messages=messages), provider
