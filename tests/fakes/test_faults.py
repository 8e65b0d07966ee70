"""Faults: one table of what each kind makes of a reply, a stream or an invocation."""

import pytest
from msgspec.structs import replace

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.armed import Armed
from faultloop.fakes.faults.base import Fault, Gateway, parse_site
from faultloop.fakes.reply import (
    CallArguments,
    CallBegan,
    EndMark,
    Eof,
    Finished,
    Opened,
    Reply,
    ReplyCall,
    Reset,
    Stall,
    Text,
    Usage,
    pieces,
)

FIRST = ReplyCall(id="call_1", tool="read_file", arguments='{"path":"a.txt"}')
LAST = ReplyCall(id="call_2", tool="append_file", arguments='{"path":"b.txt","line":"x"}')
REPLY = Reply(id="r", turn=0, step=1, text="I look.", calls=(FIRST, LAST), finish="tool_calls")
TALK = replace(REPLY, calls=(), finish="stop")
STREAM = tuple(pieces(REPLY))


def fault(kind: str, **fields: object) -> Fault:
    at = "step 1" if kind not in TOOL_KINDS else "tool append_file"
    return KINDS[kind](at=at, **fields)


def last(**changes: object) -> Reply:
    return replace(REPLY, calls=(FIRST, replace(LAST, **changes)))


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
]

HTTP = [
    ("rate_limited", {"retry_after_s": 2.5}, (429, "rate_limit_exceeded", 2.5, False)),
    ("server_error", {}, (500, None, None, False)),
    ("gateway_timeout", {}, (504, None, None, True)),
    ("rejected_request", {"status": 403, "code": "no"}, (403, "no", None, False)),
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
]
TOOL_KINDS = {kind for kind, _, _ in TOOL}


@pytest.mark.parametrize(("kind", "fields", "said"), MODEL)
def test_model_faults_change_what_is_said(kind, fields, said):
    assert fault(kind, **fields).say(REPLY) == said


@pytest.mark.parametrize(("kind", "fields", "failure"), HTTP)
def test_http_faults_answer_in_place_of_the_model(kind, fields, failure):
    answer = fault(kind, **fields).answer()

    assert (
        answer.status,
        answer.code,
        answer.retry_after_s,
        answer.page is not None,
    ) == failure
    assert answer.message


@pytest.mark.parametrize(("kind", "fields", "items"), STREAMED)
def test_stream_faults_change_the_sequence(kind, fields, items):
    assert fault(kind, **fields).shape(STREAM) == items


@pytest.mark.parametrize(("kind", "fields", "gateway"), TOOL)
def test_tool_faults_change_how_an_invocation_goes(kind, fields, gateway):
    assert fault(kind, **fields).gateway() == gateway


def test_the_tables_above_cover_every_kind():
    assert [*KINDS] == [*dict.fromkeys(row[0] for row in (*MODEL, *HTTP, *STREAMED, *TOOL))]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(kind, fields) for kind, fields, _ in MODEL if "text" not in kind and "finish" not in kind],
)
def test_a_fault_of_calls_leaves_a_reply_without_calls_alone(kind, fields):
    assert fault(kind, **fields).say(TALK) == TALK


@pytest.mark.parametrize("kind", ["wrong_type", "missing_field"])
def test_a_fault_of_a_field_needs_the_field(kind):
    fields = {"value": 1} if kind == "wrong_type" else {}

    assert fault(kind, field="colour", **fields).say(REPLY) == REPLY


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("reset_mid_stream", {"after_deltas": 99}), ("stall", {"after_deltas": 99})],
)
def test_a_fault_after_the_end_of_the_stream_leaves_it_alone(kind, fields):
    assert fault(kind, **fields).shape(STREAM) == STREAM


def test_a_stream_without_calls_cannot_be_cut_in_arguments():
    stream = tuple(pieces(TALK))

    assert fault("cut_in_arguments").shape(stream) == stream


def test_pieces_end_with_reason_usage_and_mark():
    assert STREAM[-3:] == (Finished("tool_calls"), Usage(0, 0), EndMark())


@pytest.mark.parametrize(
    ("at", "site"),
    [
        ("step 3", (3, None, 1)),
        ("tool append_file", (None, "append_file", 1)),
        ("tool append_file 2", (None, "append_file", 2)),
    ],
)
def test_a_site_says_a_step_or_a_tool(at, site):
    assert parse_site(at) == site


@pytest.mark.parametrize("at", ["step 0", "step", "tool", "append_file", "step 1 2"])
def test_a_place_that_is_none_is_named_in_the_error(at):
    with pytest.raises(ValueError, match=f"'{at}' is no place for a fault"):
        parse_site(at)


class TestArmed:
    def test_a_fault_is_used_up_after_its_times(self):
        armed = Armed((KINDS["server_error"](at="step 2", times=2),))

        struck = []
        for _ in range(3):
            due = armed.http(2)
            struck.append(due is not None)
            if due:
                armed.take(due[0])

        assert struck == [True, True, False]

    def test_a_model_fault_is_never_used_up(self):
        armed = Armed((KINDS["empty_arguments"](at="step 1"),))
        armed.take(0)

        assert [index for index, _ in armed.model(1)] == [0]

    def test_a_fault_strikes_only_where_it_is_put(self):
        armed = Armed(
            (
                KINDS["empty_arguments"](at="step 1"),
                KINDS["server_error"](at="step 1"),
                KINDS["stall"](at="step 1"),
                KINDS["tool_hang"](at="tool append_file 2"),
            )
        )

        assert (armed.model(2), armed.http(2), armed.stream(2)) == ([], None, [])
        assert armed.tool("append_file", 1) is None
        assert armed.tool("read_file", 2) is None
        assert armed.tool("append_file", 2) is not None

    @pytest.mark.parametrize(
        ("kind", "at", "fit"),
        [("stall", "tool read_file", "step N"), ("tool_hang", "step 1", "tool NAME")],
    )
    def test_a_fault_in_an_unfit_place_is_refused_with_advice(self, kind, at, fit):
        with pytest.raises(ValueError, match=f"'{kind}' cannot strike at '{at}': write '{fit}'"):
            Armed((KINDS[kind](at=at),))
