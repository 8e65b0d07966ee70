"""What the model was told of a call, in the first request that could tell it.

Pure reading; how words are understood is the table in `phrases`. A loop that hands on the world's
own answer has told the truth, whatever its words are.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import NamedTuple

from faultloop.scenarios.phrases import Tone, Understood, understand
from faultloop.scenarios.views import DeliveredCall, Exchange, Views

ANSWER_CHARS_MIN = 4
"""Shorter contents of an answer occur by chance."""


_PLAIN = (Tone.DENIES, Tone.ADMITS, Tone.CONTRADICTS)
"""What a notice beside a result can say for it, and what needs none."""


class Told(NamedTuple):
    """How a call was spoken of."""

    exchange: Exchange
    """The first request that could tell of it."""
    text: str
    """What it says under the call's id; empty if nothing."""
    shown: bool
    """Whether it shows the call at all."""
    untraced: bool
    """Whether it shows calls under ids that were never delivered, of which this may be one."""
    applied: bool
    """Whether the call had taken effect by then."""
    understood: Understood


def told_of(views: Views, call: DeliveredCall, after: int) -> Told | None:
    """What the first request after this position says of a call; None if no request followed."""
    exchange = views.request_after(after)
    if exchange is None:
        return None
    tries = views.invocations_of(call)
    text = exchange.told_of(call.id)
    answers = [one.answered.body for one in tries if one.answered and one.answered.outcome == "ok"]
    return Told(
        exchange=exchange,
        text=text or "",
        shown=exchange.shows(call.id),
        untraced=exchange.may_show(call.id) and not exchange.shows(call.id),
        applied=any(effect.position < exchange.position for one in tries for effect in one.effects),
        understood=_understood(exchange, call.id, text or "", answers),
    )


@lru_cache(maxsize=256)  # each answer of a batch is compared with every result of the batch
def content(body: str) -> str:
    """What a model would recognise of a tool's answer, however a loop wraps it."""
    try:
        answer = json.loads(body)
    except ValueError:
        return body
    if not isinstance(answer, dict):
        return body
    text = answer.get("data", answer.get("message"))
    return text if isinstance(text, str) else body


def code_of(body: str) -> str:
    """The machine-readable code of a failure; empty if it has none."""
    try:
        answer = json.loads(body)
    except ValueError:
        return ""
    code = answer.get("code") if isinstance(answer, dict) else None
    return code if isinstance(code, str) else ""


def _understood(exchange: Exchange, call_id: str, text: str, answers: list[str]) -> Understood:
    for answer in map(content, answers):
        if len(answer) >= ANSWER_CHARS_MIN and answer in text:
            return Understood(Tone.CONFIRMS, answer)
    own = understand(text)
    if own.tone in _PLAIN:
        return own
    # A notice beside the result may doubt in its place; it cannot confirm or invite for it.
    beside = understand(_notices_after(exchange, call_id))
    return beside if beside.tone in _PLAIN else own


def _notices_after(exchange: Exchange, call_id: str) -> str:
    """What the loop itself says after a call's result: neither tools nor the model say it."""
    messages = exchange.restored.messages
    places = [i for i, message in enumerate(messages) if message.result_of == call_id]
    after = messages[places[-1] + 1 :] if places else ()
    return "\n".join(message.text for message in after if message.role in ("system", "user"))
