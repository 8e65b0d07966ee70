"""Faults: injected trouble, one a file. `KINDS` is the table of all there are.

To add one: a new file with a frozen value and one method, a name in `AnyFault`, a line in the
table of `tests/fakes/test_faults.py`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from faultloop.fakes.faults.answer_delivered_twice import AnswerDeliveredTwice
from faultloop.fakes.faults.base import Fault
from faultloop.fakes.faults.binary_output import BinaryOutput
from faultloop.fakes.faults.block_end_missing import BlockEndMissing
from faultloop.fakes.faults.block_start_missing import BlockStartMissing
from faultloop.fakes.faults.chunked_trailer import ChunkedTrailer
from faultloop.fakes.faults.closed_at_byte import ClosedAtByte
from faultloop.fakes.faults.closed_before_headers import ClosedBeforeHeaders
from faultloop.fakes.faults.code_fence import CodeFence
from faultloop.fakes.faults.content_length_too_long import ContentLengthTooLong
from faultloop.fakes.faults.content_length_too_short import ContentLengthTooShort
from faultloop.fakes.faults.contradicting_finish import ContradictingFinish
from faultloop.fakes.faults.counted_ids import CountedIds
from faultloop.fakes.faults.cut_in_arguments import CutInArguments
from faultloop.fakes.faults.double_encoded import DoubleEncoded
from faultloop.fakes.faults.empty_answer import EmptyAnswer
from faultloop.fakes.faults.empty_arguments import EmptyArguments
from faultloop.fakes.faults.empty_choices import EmptyChoices
from faultloop.fakes.faults.empty_chunks import EmptyChunks
from faultloop.fakes.faults.end_mark_missing import EndMarkMissing
from faultloop.fakes.faults.ends_without_finish import EndsWithoutFinish
from faultloop.fakes.faults.error_event import ErrorEvent
from faultloop.fakes.faults.finish_missing import FinishMissing
from faultloop.fakes.faults.gapped_indexes import GappedIndexes
from faultloop.fakes.faults.gateway_timeout import GatewayTimeout
from faultloop.fakes.faults.gateway_timeout_after_effect import GatewayTimeoutAfterEffect
from faultloop.fakes.faults.gateway_timeout_before_effect import GatewayTimeoutBeforeEffect
from faultloop.fakes.faults.glued_objects import GluedObjects
from faultloop.fakes.faults.gzipped import Gzipped
from faultloop.fakes.faults.half_closed import HalfClosed
from faultloop.fakes.faults.hallucinated_name import HallucinatedName
from faultloop.fakes.faults.homoglyph_name import HomoglyphName
from faultloop.fakes.faults.huge_output import HugeOutput
from faultloop.fakes.faults.interleaved_calls import InterleavedCalls
from faultloop.fakes.faults.keep_alives import KeepAlives
from faultloop.fakes.faults.late_delta import LateDelta
from faultloop.fakes.faults.late_id import LateId
from faultloop.fakes.faults.late_name import LateName
from faultloop.fakes.faults.length_with_complete_arguments import LengthWithCompleteArguments
from faultloop.fakes.faults.lone_surrogates import LoneSurrogates
from faultloop.fakes.faults.lost_reply import LostReply
from faultloop.fakes.faults.malformed_event import MalformedEvent
from faultloop.fakes.faults.missing_field import MissingField
from faultloop.fakes.faults.missing_id import MissingId
from faultloop.fakes.faults.missing_name import MissingName
from faultloop.fakes.faults.no_arguments import NoArguments
from faultloop.fakes.faults.not_cancellable import NotCancellable
from faultloop.fakes.faults.null_deltas import NullDeltas
from faultloop.fakes.faults.one_packet import OnePacket
from faultloop.fakes.faults.overloaded import Overloaded
from faultloop.fakes.faults.plain_text_call import PlainTextCall
from faultloop.fakes.faults.prefixed_name import PrefixedName
from faultloop.fakes.faults.python_literal import PythonLiteral
from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.faults.recased_name import RecasedName
from faultloop.fakes.faults.refusal import ModelRefusal
from faultloop.fakes.faults.rejected_request import RejectedRequest
from faultloop.fakes.faults.repeated_names import RepeatedNames
from faultloop.fakes.faults.request_delivered_twice import RequestDeliveredTwice
from faultloop.fakes.faults.reset_at_byte import ResetAtByte
from faultloop.fakes.faults.reset_mid_stream import ResetMidStream
from faultloop.fakes.faults.same_index import SameIndex
from faultloop.fakes.faults.schema_drift import SchemaDrift
from faultloop.fakes.faults.server_error import ServerError
from faultloop.fakes.faults.shared_id import SharedId
from faultloop.fakes.faults.sliced_bytes import SlicedBytes
from faultloop.fakes.faults.slow_drip import SlowDrip
from faultloop.fakes.faults.stale_read import StaleRead
from faultloop.fakes.faults.stall import Stalled
from faultloop.fakes.faults.tool_exception import ToolException
from faultloop.fakes.faults.tool_finishes_last import ToolFinishesLast
from faultloop.fakes.faults.tool_hang import ToolHang
from faultloop.fakes.faults.tool_slow import ToolSlow
from faultloop.fakes.faults.trailing_prose import TrailingProse
from faultloop.fakes.faults.truncated_arguments import TruncatedArguments
from faultloop.fakes.faults.truncated_output import TruncatedOutput
from faultloop.fakes.faults.truncated_text import TruncatedText
from faultloop.fakes.faults.unknown_events import UnknownEvents
from faultloop.fakes.faults.usage_late import UsageLate
from faultloop.fakes.faults.usage_missing import UsageMissing
from faultloop.fakes.faults.usage_wrong import UsageWrong
from faultloop.fakes.faults.wrong_type import WrongType

AnyFault = (
    TruncatedArguments
    | LengthWithCompleteArguments
    | HallucinatedName
    | GluedObjects
    | DoubleEncoded
    | EmptyArguments
    | WrongType
    | MissingField
    | ContradictingFinish
    | TruncatedText
    | PythonLiteral
    | CodeFence
    | TrailingProse
    | HomoglyphName
    | RecasedName
    | PrefixedName
    | NoArguments
    | PlainTextCall
    | EmptyAnswer
    | ModelRefusal
    | CountedIds
    | SharedId
    | RateLimited
    | ServerError
    | Overloaded
    | GatewayTimeout
    | RejectedRequest
    | ResetMidStream
    | Stalled
    | EndMarkMissing
    | EndsWithoutFinish
    | CutInArguments
    | InterleavedCalls
    | GappedIndexes
    | RepeatedNames
    | EmptyChunks
    | SameIndex
    | MissingId
    | MissingName
    | LateId
    | LateName
    | BlockStartMissing
    | BlockEndMissing
    | LateDelta
    | FinishMissing
    | UsageMissing
    | UsageLate
    | UsageWrong
    | ErrorEvent
    | MalformedEvent
    | KeepAlives
    | UnknownEvents
    | NullDeltas
    | EmptyChoices
    | SlicedBytes
    | OnePacket
    | SlowDrip
    | ResetAtByte
    | ClosedAtByte
    | HalfClosed
    | ContentLengthTooLong
    | ContentLengthTooShort
    | Gzipped
    | ChunkedTrailer
    | ClosedBeforeHeaders
    | GatewayTimeoutBeforeEffect
    | GatewayTimeoutAfterEffect
    | ToolException
    | ToolHang
    | ToolSlow
    | ToolFinishesLast
    | HugeOutput
    | NotCancellable
    | LostReply
    | RequestDeliveredTwice
    | AnswerDeliveredTwice
    | StaleRead
    | TruncatedOutput
    | BinaryOutput
    | LoneSurrogates
    | SchemaDrift
)
"""All kinds, in the order in which they are documented: model, HTTP, stream, bytes,
tool."""

KINDS: dict[str, type[Fault]] = {
    str(field.default): kind
    for kind in get_args(AnyFault)
    for field in fields(kind)
    if field.name == "kind"
}
"""Kind by its name in scenario files."""

__all__ = ["KINDS", "AnyFault"]
