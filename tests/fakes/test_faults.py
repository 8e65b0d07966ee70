"""Faults: what each kind makes of a reply, a stream or an invocation (`fault_tables`)."""

import pytest

from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.armed import Armed, is_drawn
from faultloop.fakes.faults.base import ANY_STEP, ANY_TOOL, parse_site
from faultloop.fakes.reply import EndMark, Finished, Usage, pieces

from .fault_tables import (
    HTTP,
    MODEL,
    OF_ANY_REPLY,
    REPLY,
    STREAM,
    STREAMED,
    TALK,
    TOOL,
    fault,
)
from .test_byte_faults import BYTES


@pytest.mark.parametrize(("kind", "fields", "said"), MODEL)
def test_model_faults_change_what_is_said(kind, fields, said):
    assert fault(kind, **fields).say(REPLY) == said


@pytest.mark.parametrize(("kind", "fields", "failure"), HTTP)
def test_http_faults_answer_in_place_of_the_model(kind, fields, failure):
    answer = fault(kind, **fields).answer()

    assert (
        answer.status,
        answer.code,
        answer.message,
        answer.retry_after_s,
        answer.page is not None,
    ) == failure


@pytest.mark.parametrize(("kind", "fields", "items"), STREAMED)
def test_stream_faults_change_the_sequence(kind, fields, items):
    assert fault(kind, **fields).shape(STREAM) == items


@pytest.mark.parametrize(("kind", "fields", "gateway"), TOOL)
def test_tool_faults_change_how_an_invocation_goes(kind, fields, gateway):
    assert fault(kind, **fields).gateway() == gateway


def test_the_tables_cover_every_kind():
    tables = (*MODEL, *HTTP, *STREAMED, *BYTES, *TOOL)
    kinds = [kind for kind in KINDS if kind != "gzipped"]  # its bytes are zlib's own affair
    assert kinds == [*dict.fromkeys(row[0] for row in tables)]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [(kind, fields) for kind, fields, _ in MODEL if kind not in OF_ANY_REPLY],
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
        ("any step", (ANY_STEP, None, 1)),
        ("any tool", (None, ANY_TOOL, 1)),
        ("any tool 2", (None, ANY_TOOL, 2)),
        ("tool append_file", (None, "append_file", 1)),
        ("tool append_file 2", (None, "append_file", 2)),
    ],
)
def test_a_site_says_a_step_or_a_tool(at, site):
    assert parse_site(at) == site


@pytest.mark.parametrize(
    "at",
    [
        "step 0",
        "step",
        "tool",
        "append_file",
        "step 1 2",
        "any",
        "any step 1",
        "any tool read_file",
    ],
)
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

    def test_any_step_is_every_step_of_the_script_and_nothing_beside_it(self):
        armed = Armed((KINDS["empty_arguments"](at="any step"),))

        assert [bool(armed.model(step)) for step in range(4)] == [False, True, True, True]

    def test_any_tool_is_every_tool_from_the_given_invocation_of_each(self):
        armed = Armed((KINDS["tool_hang"](at="any tool 2", times=9),))

        assert armed.tool("read_file", 1) is None
        assert armed.tool("read_file", 2) is not None
        assert armed.tool("append_file", 3) is not None

    @pytest.mark.parametrize(
        ("kind", "fields", "least"),
        [
            ("slow_drip", {"bytes_per_s": 0}, 1),
            ("content_length_too_short", {"by_bytes": -5}, 1),
            ("reset_at_byte", {"after_bytes": -1}, 0),
            ("sliced_bytes", {"every": 0}, 1),
            ("rate_limited", {"retry_after_s": -1}, 0),
            ("stall", {"seconds": -2.0}, 0),
            ("reset_mid_stream", {"after_deltas": -1}, 0),
            ("truncated_arguments", {"keep_chars": -4}, 0),
            ("server_error", {"times": 0}, 1),
        ],
    )
    def test_a_number_that_means_nothing_is_refused(self, kind, fields, least):
        with pytest.raises(ValueError, match=f"of fault '{kind}' is at least {least}"):
            Armed((KINDS[kind](at="step 1", **fields),))

    @pytest.mark.parametrize("chance", [0, -0.5, 1.5])
    def test_a_chance_that_is_none_is_refused_with_advice(self, chance):
        with pytest.raises(ValueError, match="write a number above 0 and at most 1"):
            Armed((KINDS["stall"](at="step 1", chance=chance),))


class TestChance:
    def test_it_strikes_about_as_often_as_it_says(self):
        assert 200 < sum(struck(seed=3, chance=0.25)) < 300

    def test_equal_seeds_strike_the_same_times_and_others_others(self):
        assert struck(seed=3) == struck(seed=3)
        assert struck(seed=3) != struck(seed=4)

    def test_each_place_and_each_kind_is_drawn_for_itself(self):
        assert struck(place="step 1") != struck(place="step 2")
        assert struck(kind="server_error") != struck(kind="gateway_timeout")

    def test_what_one_fault_does_moves_no_other(self):
        alone, beside = hit("server_error"), hit("server_error", "stall")

        assert 0 < sum(alone) < len(alone)
        assert alone == beside

    def test_a_sure_fault_is_not_drawn(self):
        assert all(struck(chance=1.0))


def struck(
    *, seed: int = 3, kind: str = "server_error", place: str = "step 1", chance: float = 0.25
) -> list[bool]:
    """Which of the first thousand visits of a place are struck."""
    drawn = KINDS[kind](at="any step", chance=chance)
    return [is_drawn(seed, drawn, place, visit) for visit in range(1000)]


def hit(*kinds: str) -> list[bool]:
    """Which of twenty steps the first of these faults strikes, asked in turn with the others."""
    armed = Armed(tuple(KINDS[kind](at="any step", chance=0.5, times=99) for kind in kinds), seed=7)
    found = []
    for step in range(1, 21):
        armed.stream(step)
        found.append(armed.http(step) is not None)
    return found
