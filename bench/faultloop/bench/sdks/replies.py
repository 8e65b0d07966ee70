"""Rows about replies: each plays a step of a script and holds what was heard against it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from faultloop.bench.sdks.cell import BOTH, STREAMED, Case, Row
from faultloop.bench.sdks.ears.ear import MODEL, NAME
from faultloop.bench.sdks.ears.openai_responses import NAMESPACE
from faultloop.bench.sdks.heard import Asked, Heard, Wire, canonical
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.refusal import ModelRefusal
from faultloop.fakes.script import ScriptedCall, Step

PIECES_MIN = 3
ASKED = Asked()

UMLAUTS = (
    "Grüße, 世界: „naïve“ 🙂 und eine Zeile,\ndie länger als ein Stück ist. 𝄞 e\u0301 \u2028 Ende"
)
LARGE = {"path": "ü.txt", "text": 'Zeile "eins"\n\tzwei \\ 世界 ' * 700}

A = ScriptedCall.of(NAME, {"path": "a.txt"})
B = ScriptedCall.of(NAME, {"path": "ü b.txt", "text": 'say "x" \\ \n'})
TALK = Step(say="All is well.")
BOTH_CALLS = Step(say="I look at both of them.", calls=(A, B))
REFUSAL = ModelRefusal(at="step 1")

Judge = Callable[[Case, Step, Heard], Iterator[str]]
WireJudge = Callable[[Step, Wire], Iterator[str]]


def differs(what: str, heard: object, meant: object) -> Iterator[str]:
    """The sentence, where it does."""
    if heard != meant:
        yield f"{what} is {_short(heard)}, and the script says {_short(meant)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


def message(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    """Text, calls and finish are those of the step."""
    yield from heard.complaints
    yield from differs("the text", heard.text, step.say)
    calls = [(call.name, call.arguments) for call in heard.calls]
    meant = [(call.tool, canonical(call.arguments)) for call in step.calls]
    yield from differs("what it calls", calls, meant)
    yield from differs("the finish", heard.finish, case.ear.finishes[step.finish_reason])


def wire_text(step: Step, wire: Wire) -> Iterator[str]:
    """The pieces make up the text."""
    yield from wire.complaints
    yield from differs("the text in pieces", "".join(wire.pieces), step.say)


def in_pieces(step: Step, wire: Wire) -> Iterator[str]:
    """A long text comes in several."""
    yield from wire_text(step, wire)
    if len(wire.pieces) < PIECES_MIN:
        yield f"it came in {len(wire.pieces)} pieces"


def _reply(
    name: str,
    about: str,
    step: Step,
    *,
    judge: Judge = message,
    on_wire: WireJudge = wire_text,
    asked: Asked = ASKED,
    faults: tuple[Fault, ...] = (),
    streamed_only: str = "",
    instead: Mapping[str, str] | None = None,
    limits: Mapping[str, str] | None = None,
) -> Row:
    def play(case: Case) -> Iterator[str]:
        if case.streamed:
            yield from on_wire(step, case.ear.wire(case.scene.load(step, faults=faults), asked))
        urls = case.scene.load(step, faults=faults)
        yield from judge(case, step, case.ear.ask(urls, asked, streamed=case.streamed))

    return Row(
        name=name,
        about=about,
        play=play,
        forms=STREAMED if streamed_only else BOTH,
        unformed=streamed_only,
        instead=instead or {},
        limits=limits or {},
    )


# --- what else is judged of a reply ---------------------------------------------------------


def _refusal(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    yield from heard.complaints
    place = heard.refusal if case.ear.package == "openai" else heard.text
    yield from differs("the refusal", place, REFUSAL.text)
    finish = "refusal" if case.ear.package == "anthropic" else case.ear.finishes["stop"]
    yield from differs("the finish", heard.finish, finish)


def _refusal_on_wire(step: Step, wire: Wire) -> Iterator[str]:
    yield from wire.complaints
    yield from differs("the refusal in pieces", "".join(wire.pieces), REFUSAL.text)


def _at_limit(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    yield from message(case, step, heard)
    yield from differs("what it used", heard.completion_tokens, LIMITED.max_tokens)


def _usage(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    prompt, completion = heard.prompt_tokens or 0, heard.completion_tokens or 0
    if not prompt or not completion:
        yield f"{heard.prompt_tokens} tokens came in and {heard.completion_tokens} went out"
    if case.ear.package != "anthropic":  # which has no sum
        yield from differs("the sum of the tokens", heard.total_tokens, prompt + completion)


def _ids(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    if not heard.id.startswith(case.ear.id_prefix) or len(heard.id) < 16:
        yield f"the reply's id is {heard.id!r}"
    ids = [call.id for call in heard.calls]
    if not all(ids) or len(set(ids)) < len(step.calls):
        yield f"its calls have the ids {ids}"
    yield from differs("the model", heard.model, MODEL)


def _request_id(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    if not (heard.request_id or "").startswith("req_"):
        yield f"the request's id is {heard.request_id!r}"


def _indexes(step: Step, wire: Wire) -> Iterator[str]:
    yield from wire.complaints
    count = len(wire.indexes)
    if count < len(step.calls):
        yield f"{count} beginnings have an index, of {len(step.calls)} calls"
    yield from differs("the indexes in their order", [*wire.indexes], [*range(count)])


def _custom(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    yield from differs(
        "what it calls",
        [(call.name, call.arguments) for call in heard.calls],
        [(call.tool, call.arguments) for call in step.calls],
    )


def _spaced(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    yield from message(case, step, heard)
    yield from differs("the namespace", [call.namespace for call in heard.calls], [NAMESPACE])


def _commented(step: Step, wire: Wire) -> Iterator[str]:
    yield from wire_text(step, wire)
    if not wire.comments:
        yield "no comment came"


def _malformed(case: Case, step: Step, heard: Heard) -> Iterator[str]:
    if case.ear.dialect == "gemini":
        meant, finish = [], "MALFORMED_FUNCTION_CALL"
    else:
        meant, finish = [[1]], case.ear.finishes["tool_calls"]
    yield from differs("what it calls with", [json.loads(c.arguments) for c in heard.calls], meant)
    yield from differs("the finish", heard.finish, finish)


LIMITED = Asked(max_tokens=17)
_NO_CUSTOM = "the dialect's custom tools are not served: the agents use them in Responses alone"
_ONLY_RESPONSES = "only Responses has namespaces; elsewhere the name is longer"

REPLIES = (
    _reply("text", "A short text is the text, and the reply ends in the right word.", TALK),
    _reply(
        "text in pieces",
        "A text of umlauts, CJK, emoji and line separators comes in pieces and is the same.",
        Step(say=UMLAUTS),
        on_wire=in_pieces,
    ),
    _reply("empty answer", "A reply that says nothing is no error.", Step(say="")),
    _reply("one call", "A call has its name and its arguments.", Step(calls=(B,))),
    _reply("parallel calls", "Several calls stay apart and in order.", Step(calls=(A, B, A))),
    _reply("text and calls", "A text beside calls is not lost.", BOTH_CALLS),
    _reply(
        "empty arguments",
        "A call without any is a call with an empty object.",
        Step(calls=(ScriptedCall.of(NAME, {}),)),
    ),
    _reply(
        "large arguments",
        f"{len(json.dumps(LARGE)) // 1000} kB of arguments with quotes and escapes come whole.",
        Step(say="I write.", calls=(ScriptedCall.of(NAME, LARGE),)),
    ),
    _reply(
        "arguments: no object",
        "They arrive as they are, or the reply says that its call is malformed.",
        Step(calls=(ScriptedCall(tool=NAME, arguments="[1]"),)),
        judge=_malformed,
    ),
    _reply(
        "refusal",
        "A refusal is where the SDK looks for it.",
        TALK,
        judge=_refusal,
        on_wire=_refusal_on_wire,
        faults=(REFUSAL,),
    ),
    _reply(
        "content filter",
        "A reply that is stopped for its content says so.",
        Step(say="I will", finish="content_filter"),
    ),
    _reply(
        "length",
        "A reply that is cut says so, and has used all of what it was allowed.",
        Step(say="And then", finish="length"),
        judge=_at_limit,
        asked=LIMITED,
    ),
    _reply("usage", "Tokens are counted, and their sum is one.", BOTH_CALLS, judge=_usage),
    _reply(
        "ids and model",
        "The reply has its API's prefix, its calls have ids of their own, the model its name.",
        Step(calls=(A, B)),
        judge=_ids,
    ),
    _reply(
        "request id",
        "The SDK knows the request's id, which people are asked for when something fails.",
        TALK,
        judge=_request_id,
        instead={"gemini": "Gemini gives requests no ids"},
    ),
    _reply(
        "indexes",
        "Calls, blocks and items are numbered in their order.",
        BOTH_CALLS,
        on_wire=_indexes,
        streamed_only="a whole reply is a list",
        instead={"gemini": "parts have no numbers"},
    ),
    _reply(
        "custom tool",
        "The input of a custom tool is plain text.",
        Step(calls=(ScriptedCall(tool=NAME, arguments="*** Begin ü\n+{}"),)),
        judge=_custom,
        asked=Asked(form="custom"),
        instead={
            "openai_chat": _NO_CUSTOM,
            "anthropic_messages": "the API has none",
            "gemini": "the API has none",
        },
    ),
    _reply(
        "namespace",
        "A tool of an MCP server is called by its bare name and the server's.",
        Step(calls=(A,)),
        judge=_spaced,
        asked=Asked(form="namespace"),
        instead=dict.fromkeys(("openai_chat", "anthropic_messages", "gemini"), _ONLY_RESPONSES),
    ),
    _reply(
        "keep-alive comments",
        "Comments between events change nothing.",
        BOTH_CALLS,
        on_wire=_commented,
        faults=(KINDS["keep_alives"](at="step 1"),),
        streamed_only="a whole reply has no comments",
        limits={"gemini": "it takes a comment for the first line of a JSON text, and raises"},
    ),
)
"""In the order in which they are read."""
