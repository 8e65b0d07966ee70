"""Parts of a step and of a conversation: pure readings that the provider takes."""

from __future__ import annotations

from msgspec.structs import replace

from faultloop.fakes.conversation import Conversation, Message
from faultloop.fakes.faults.base import HttpFailure
from faultloop.fakes.recorded import Recorded
from faultloop.fakes.reply import Reply
from faultloop.fakes.script import Step

COMPLETION_TOKENS_MAX = 4096
"""What a cut reply is said to have used where the request set no limit."""

BROKEN_OFF = 502
"""What a reply that broke off is for whoever cannot be sent the half of it."""

CHARS_PER_TOKEN = 4
"""Token counts are estimates; only that they are the same every time is promised."""


def bare(mark: str) -> str:
    """A mark without its brackets: markdown writers escape those."""
    return mark.strip("[]")


def after_input(conversation: Conversation, mark: str) -> tuple[Message, ...]:
    """The messages after the one that carries the turn's input; without one, all of them."""
    messages = conversation.messages
    for at in range(len(messages) - 1, -1, -1):
        if mark in messages[at].text:
            return messages[at + 1 :]
    return messages


def part_of(step: Step, calls_before: int, *, one_call: bool) -> tuple[Step, bool]:
    """What of a step is due when some of its calls were made, and whether it is over with that.

    What was recorded is said in one piece, as it was then.
    """
    is_in_parts = one_call and step.recorded is None and len(step.calls) > 1
    if not (is_in_parts or calls_before):
        return step, True
    end = calls_before + 1 if one_call else len(step.calls)
    is_last = end >= len(step.calls)
    part = Step(
        say="" if calls_before else step.say,
        think="" if calls_before else step.think,
        calls=step.calls[calls_before:end],
        finish=step.finish if is_last else None,
    )
    return part, is_last


def counted(reply: Reply, text: str, step: Step, conversation: Conversation) -> Reply:
    """A reply with its text as it is sent, and token counts: as recorded, or else an estimate."""
    chars = len(text) + sum(len(call.tool) + len(call.arguments) for call in reply.calls)
    reasoning = len(reply.thought) // CHARS_PER_TOKEN + 1 if reply.thought else 0
    completion = chars // CHARS_PER_TOKEN + 1 + reasoning
    if reply.finish == "length":
        completion = conversation.max_tokens or COMPLETION_TOKENS_MAX
    prompt = len(conversation.raw) // CHARS_PER_TOKEN
    if step.recorded is not None and step.recorded.prompt_tokens:
        prompt, completion = step.recorded.prompt_tokens, step.recorded.completion_tokens
    return replace(
        reply,
        text=text,
        prompt_tokens=prompt,
        completion_tokens=completion,
        reasoning_tokens=min(reasoning, completion),
    )


def failed_as(recorded: Recorded) -> HttpFailure:
    """What a recorded failure means, for a request of another dialect than its own."""
    return HttpFailure(
        status=recorded.status if recorded.is_failure else BROKEN_OFF,
        code=None,
        message=recorded.message,
        retry_after_s=recorded.retry_after_s,
    )
