"""What each kind of fault makes of a reply, a stream or an invocation, as tables."""

from msgspec import structs
from msgspec.structs import replace

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import Drift, Fault, Gateway
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    Eof,
    Garbled,
    Item,
    Noise,
    NoiseForm,
    Opened,
    ProviderError,
    Reply,
    ReplyCall,
    Reset,
    Stall,
    Text,
    Unclosed,
    Usage,
    pieces,
)

FIRST = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')
LAST = ReplyCall(id="call_2", tool="append_file", arguments='{"path":"b.txt","line":"x"}')
REPLY = Reply(id="r", turn=0, step=1, text="I look.", calls=(FIRST, LAST), finish="tool_calls")
TALK = replace(REPLY, calls=(), finish="stop")
STREAM = tuple(pieces(REPLY))
ARGUMENTS = tuple(item for item in STREAM if isinstance(item, CallArguments))


def fault(kind: str, **fields: object) -> Fault:
    at = "step 1" if kind not in TOOL_KINDS else "tool append_file"
    return KINDS[kind](at=at, **fields)


def last(**changes: object) -> Reply:
    return replace(REPLY, calls=(FIRST, replace(LAST, **changes)))


def began(where: dict[str, object], changes: dict[str, object]) -> tuple[Item, ...]:
    """The stream with other beginnings of calls, of those that are so."""
    return tuple(
        replace(item, **changes)
        if isinstance(item, CallBegan) and where.items() <= structs.asdict(item).items()
        else item
        for item in STREAM
    )


def noisy(form: NoiseForm) -> tuple[Item, ...]:
    return tuple(each for item in STREAM for each in (Noise(form), item))


MODEL = [
    (
        "truncated_arguments",
        {},
        replace(last(arguments='{"path":"b.tx'), finish="length"),
    ),
    ("truncated_arguments", {"keep_chars": 0}, replace(last(arguments=""), finish="length")),
    ("length_with_complete_arguments", {}, replace(REPLY, finish="length")),
    ("hallucinated_name", {"name": "append_files"}, last(tool="append_files")),
    (
        "glued_objects",
        {"second": {"path": "c"}},
        last(arguments='{"path":"b.txt","line":"x"}{"path":"c"}'),
    ),
    (
        "double_encoded",
        {},
        last(arguments='"{\\"path\\":\\"b.txt\\",\\"line\\":\\"x\\"}"'),
    ),
    ("empty_arguments", {}, last(arguments="")),
    (
        "wrong_type",
        {"field": "line", "value": ["x"]},
        last(arguments='{"path":"b.txt","line":["x"]}'),
    ),
    ("missing_field", {"field": "line"}, last(arguments='{"path":"b.txt"}')),
    ("contradicting_finish", {"finish": "stop"}, replace(REPLY, finish="stop")),
    ("truncated_text", {}, replace(REPLY, text="I l", calls=(), finish="length")),
    ("python_literal", {}, last(arguments="{'path': 'b.txt', 'line': 'x'}")),
    (
        "code_fence",
        {},
        last(arguments='```json\n{"path":"b.txt","line":"x"}\n```'),
    ),
    (
        "trailing_prose",
        {"text": " Good?"},
        last(arguments='{"path":"b.txt","line":"x"} Good?'),
    ),
    ("homoglyph_name", {}, last(tool="\u0430ppend_file")),
    ("recased_name", {}, last(tool="appendFile")),
    ("recased_name", {"case": "pascal"}, last(tool="AppendFile")),
    ("recased_name", {"case": "kebab"}, last(tool="append-file")),
    ("recased_name", {"case": "upper"}, last(tool="APPEND_FILE")),
    ("recased_name", {"case": "joined"}, last(tool="appendfile")),
    ("prefixed_name", {}, last(tool="functions.append_file")),
    ("no_arguments", {}, last(arguments="{}")),
    (
        "plain_text_call",
        {},
        replace(
            REPLY,
            calls=(FIRST,),
            text='I look.\n<tool_call>\n{"name":"append_file","arguments":'
            '{"path":"b.txt","line":"x"}}\n</tool_call>',
        ),
    ),
    (
        "plain_text_call",
        {"style": "tag"},
        replace(
            REPLY,
            calls=(FIRST,),
            text='I look.\n<function=append_file>{"path":"b.txt","line":"x"}</function>',
        ),
    ),
    ("empty_answer", {}, replace(REPLY, text="", calls=(), finish="stop")),
    (
        "refusal",
        {"text": "No."},
        replace(REPLY, text="No.", calls=(), finish="stop", is_refusal=True),
    ),
    (
        "counted_ids",
        {},
        replace(REPLY, calls=(replace(FIRST, id="call_0"), replace(LAST, id="call_1"))),
    ),
    ("shared_id", {}, last(id="call_1")),
]

HTTP = [
    ("rate_limited", {"retry_after_s": 2.5}, (429, None, "", 2.5, False)),
    ("server_error", {}, (500, None, "", None, False)),
    ("overloaded", {}, (503, None, "", None, False)),
    ("gateway_timeout", {}, (504, None, "", None, True)),
    ("rejected_request", {"status": 403}, (403, None, "", None, False)),
    (
        "rejected_request",
        {"status": 403, "message": "No.", "code": "no"},
        (403, "no", "No.", None, False),
    ),
]

STREAMED = [
    ("reset_mid_stream", {"after_deltas": 2}, (Opened(), Text("I look."), Reset())),
    (
        "stall",
        {"after_deltas": 1, "seconds": 3.0},
        (STREAM[0], Stall(3.0), *STREAM[1:]),
    ),
    ("end_mark_missing", {}, STREAM[:-1]),
    ("ends_without_finish", {}, (*STREAM[:-3], Eof())),
    (
        "cut_in_arguments",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(0, "call_1", "read_file"),
            CallArguments(0, '{"path":"a.t'),
            CallArguments(0, 'xt"}'),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(1, '{"path":"b.t'),
            Eof(),
        ),
    ),
    (
        "interleaved_calls",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(0, "call_1", "read_file"),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(0, '{"path":"a.t'),
            CallArguments(1, '{"path":"b.t'),
            CallArguments(0, 'xt"}'),
            CallArguments(1, 'xt","line":"'),
            CallArguments(1, 'x"}'),
            *STREAM[-3:],
        ),
    ),
    (
        "gapped_indexes",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(1, "call_1", "read_file"),
            CallArguments(1, '{"path":"a.t'),
            CallArguments(1, 'xt"}'),
            CallBegan(3, "call_2", "append_file"),
            CallArguments(3, '{"path":"b.t'),
            CallArguments(3, 'xt","line":"'),
            CallArguments(3, 'x"}'),
            *STREAM[-3:],
        ),
    ),
    (
        "repeated_names",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(0, "call_1", "read_file"),
            CallArguments(0, '{"path":"a.t'),
            CallBegan(0, "call_1", "read_file"),
            CallArguments(0, 'xt"}'),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(1, '{"path":"b.t'),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(1, 'xt","line":"'),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(1, 'x"}'),
            *STREAM[-3:],
        ),
    ),
    (
        "empty_chunks",
        {},
        (
            Opened(),
            Text(""),
            Text("I look."),
            CallBegan(0, "call_1", "read_file"),
            CallArguments(0, ""),
            CallArguments(0, '{"path":"a.t'),
            CallArguments(0, ""),
            CallArguments(0, 'xt"}'),
            CallBegan(1, "call_2", "append_file"),
            CallArguments(1, ""),
            CallArguments(1, '{"path":"b.t'),
            CallArguments(1, ""),
            CallArguments(1, 'xt","line":"'),
            CallArguments(1, ""),
            CallArguments(1, 'x"}'),
            *STREAM[-3:],
        ),
    ),
    (
        "same_index",
        {},
        tuple(
            replace(item, index=0) if isinstance(item, CallBegan | CallArguments) else item
            for item in STREAM
        ),
    ),
    ("missing_id", {}, began({}, {"id": None})),
    ("missing_name", {}, began({"index": 1}, {"tool": None})),
    (
        "late_id",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(0, None, "read_file"),
            *ARGUMENTS[:2],
            CallBegan(0, "call_1", None),
            CallBegan(1, None, "append_file"),
            *ARGUMENTS[2:],
            CallBegan(1, "call_2", None),
            *STREAM[-3:],
        ),
    ),
    (
        "late_name",
        {},
        (
            Opened(),
            Text("I look."),
            CallBegan(0, "call_1", None),
            *ARGUMENTS[:2],
            CallBegan(0, None, "read_file"),
            CallBegan(1, "call_2", None),
            *ARGUMENTS[2:],
            CallBegan(1, None, "append_file"),
            *STREAM[-3:],
        ),
    ),
    (
        "block_start_missing",
        {},
        tuple(item for item in STREAM if item != CallBegan(1, "call_2", "append_file")),
    ),
    ("block_end_missing", {}, (Unclosed(), *STREAM)),
    ("late_delta", {}, (*STREAM[:-2], ARGUMENTS[-1], *STREAM[-2:])),
    ("finish_missing", {}, (*STREAM[:-3], *STREAM[-2:])),
    ("usage_missing", {}, (*STREAM[:-2], STREAM[-1])),
    ("usage_late", {}, (*STREAM[:-2], STREAM[-1], STREAM[-2])),
    (
        "usage_wrong",
        {"prompt_tokens": -7, "completion_tokens": 8},
        (*STREAM[:-2], Usage(-7, 8), STREAM[-1]),
    ),
    (
        "error_event",
        {"after_deltas": 1, "message": "Overloaded"},
        (Opened(), ProviderError("Overloaded")),
    ),
    (
        "malformed_event",
        {"after_deltas": 1},
        (Opened(), Garbled(STREAM[1]), *STREAM[2:]),
    ),
    ("keep_alives", {}, noisy("comment")),
    ("unknown_events", {}, noisy("unknown_event")),
    ("null_deltas", {}, noisy("null_delta")),
    ("empty_choices", {}, noisy("no_choices")),
]

TOOL = [
    ("gateway_timeout_before_effect", {}, Gateway(refuse=504)),
    ("gateway_timeout_after_effect", {}, Gateway(lose=504)),
    ("tool_exception", {"message": "boom"}, Gateway(raises="boom")),
    ("tool_hang", {}, Gateway(hang=True)),
    ("tool_slow", {}, Gateway(hold=True)),
    ("tool_finishes_last", {}, Gateway(last=True)),
    ("huge_output", {"bytes": 5}, Gateway(pad_bytes=5)),
    ("not_cancellable", {}, Gateway(hold=True, deaf=True)),
    ("lost_reply", {}, Gateway(drops=True)),
    ("request_delivered_twice", {}, Gateway(twice=True)),
    ("answer_delivered_twice", {}, Gateway(copies=2)),
    ("stale_read", {}, Gateway(stale=True)),
    ("truncated_output", {"chars": 9}, Gateway(cut_chars=9)),
    ("binary_output", {"bytes": 3}, Gateway(binary_bytes=3)),
    ("lone_surrogates", {}, Gateway(surrogate=True)),
    ("schema_drift", {"parameter": "path"}, Gateway(drift=Drift("path", None))),
]
OF_ANY_REPLY = {"contradicting_finish", "truncated_text", "empty_answer", "refusal"}
TOOL_KINDS = {kind for kind, _, _ in TOOL}
