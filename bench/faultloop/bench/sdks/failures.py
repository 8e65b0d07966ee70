"""Rows about failures: what the SDK raises, for each status, and where a stream breaks off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from faultloop.bench.sdks.cell import STREAMED, Case, Row
from faultloop.bench.sdks.heard import Asked, Trouble
from faultloop.bench.sdks.replies import TALK, differs
from faultloop.fakes.faults.base import Fault, HttpFailure
from faultloop.fakes.faults.error_event import ErrorEvent
from faultloop.fakes.faults.gateway_timeout import GatewayTimeout

MESSAGE = "This cannot be: „nein“."
CODE = "some_code"
WAIT_S = 2.0

_NO_413 = "Gemini says 400 for what is too large"
_ONLY_ANTHROPIC = "Anthropic's own; others say 503"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Fault):
    """Any status in place of the reply."""

    kind: str = "answers"
    status: int
    retry_after_s: float | None = None

    def answer(self) -> HttpFailure:
        """The failure."""
        return HttpFailure(
            status=self.status, code=CODE, message=MESSAGE, retry_after_s=self.retry_after_s
        )


def raised(case: Case, fault: Fault) -> Trouble | str:
    """What the SDK raises for a failure, or a sentence where it raises nothing of the API."""
    urls = case.scene.load(TALK, faults=(fault,))
    try:
        case.ear.ask(urls, Asked(), streamed=case.streamed)
    except Exception as error:
        told = case.ear.trouble(error)
        return told or f"it raised {type(error).__name__}: {str(error)[:200]}"
    return "it raised nothing"


def _status(status: int, what: str, *, instead: Mapping[str, str] | None = None) -> Row:
    waits_s = WAIT_S if status == 429 else None

    def play(case: Case) -> Iterator[str]:
        told = raised(case, Answers(at="step 1", status=status, retry_after_s=waits_s))
        if isinstance(told, str):
            yield told
            return
        yield from told.complaints
        yield from differs("the exception", told.kind, case.ear.kind_of(status))
        yield from differs("the status", told.status, status)
        yield from differs("the message", told.message, MESSAGE)
        yield from differs("the code", told.code, case.ear.code_of(status) or CODE)
        yield from differs("the wait", told.waits_s, waits_s)
        if case.ear.package != "google-genai" and not (told.request_id or "").startswith("req_"):
            yield f"the request's id is {told.request_id!r}"

    about = f"{what}: class, status, message, code and request id"
    waits = " and how long to wait" if waits_s else ""
    return Row(
        name=f"error {status}",
        about=f"{about}{waits} are those meant.",
        play=play,
        instead=instead or {},
    )


def _page(case: Case) -> Iterator[str]:
    told = raised(case, GatewayTimeout(at="step 1"))
    if isinstance(told, str):
        yield told
        return
    yield from differs("the exception", told.kind, case.ear.kind_of(504))
    yield from differs("the status", told.status, 504)


def _mid_stream(case: Case) -> Iterator[str]:
    fault = ErrorEvent(at="step 1")
    urls = case.scene.load(TALK, faults=(fault,))
    yield from differs("the error", case.ear.breaks_off(urls), fault.message)


FAILURES = (
    _status(400, "A bad request"),
    _status(401, "A wrong key"),
    _status(403, "No permission"),
    _status(404, "Nothing there"),
    _status(413, "A request that is too large", instead={"gemini": _NO_413}),
    _status(429, "A rate limit"),
    _status(500, "A server error"),
    _status(503, "No service"),
    _status(504, "The API's own timeout"),
    _status(
        529,
        "Overload",
        instead=dict.fromkeys(("openai_chat", "openai_responses", "gemini"), _ONLY_ANTHROPIC),
    ),
    Row(
        name="gateway's page",
        about="The HTML page of a gateway in between is a server error like others.",
        play=_page,
    ),
    Row(
        name="error within a stream",
        about="An error after the first pieces says what is wrong.",
        play=_mid_stream,
        forms=STREAMED,
        unformed="a whole reply cannot break off with an error",
    ),
)
"""In the order of their statuses."""
