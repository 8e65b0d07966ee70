"""The offer: the one owner, in a running agent, of what the model is offered (SPEC L15).

That is the model, the system prompt and the tools; with policy's settings they make the header that
a request starts from. A `request` hook may still change its copy, and send it elsewhere; by policy
`frozen` the prompt that is kept is the one from before the hooks.

The host changes it at any time, and that changes nothing but the next request. What a reply calls
is looked up in the very registry that its request offered, so a tool that was added is offered and
callable from the same request on, and one that was removed is neither.
"""

from __future__ import annotations

from faultloop.loop.header import Header
from faultloop.loop.policy import Policy
from faultloop.loop.registry import Registry


class Offer:
    """The only owner of the model, the system prompt, the tools, and the header made of them."""

    def __init__(self, *, model: str, system: str, tools: Registry, policy: Policy) -> None:
        self.model = model
        self.system = system
        self.tools = tools
        """What the host wants; in force from the next request on, or the next run, by policy."""
        self.offered = tools
        """What the last request offered: where its calls are looked up."""
        self.header: Header | None = None
        """What stands above the next request; a `request` hook may still change it."""
        self._policy = policy
        self._keeps_prompt = policy.prompt_and_tools == "frozen"
        self._keeps_tools = policy.prompt_and_tools != "assembled"

    def run_begins(self) -> None:
        """An idle loop was woken."""
        self.offered = self.tools

    def assemble(self, last: Header | None) -> Header:
        """Fix what the next request offers; `last` is what the one before it did, if any."""
        if not self._keeps_tools:
            self.offered = self.tools
        system, kept = self.system, None
        if self._keeps_prompt:
            # What the last request bore is no good: a hook that adds to it would add again. Where
            # policy kept none yet (it was another one), this request's is the one to keep.
            if last is not None and last.offered is not None:
                system = last.offered
            kept = system
        self.header = Header(
            model=self.model,
            system=system,
            offered=kept,
            tools=self.offered.names,
            digest=self.offered.digest,
            stream=self._policy.stream,
            output_tokens_max=self._policy.output_tokens_max,
            strict=self._policy.strict,
        )
        return self.header
