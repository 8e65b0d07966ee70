"""Strictness: damaged conversations as literals, the rule that each breaks, and legal ones."""

from typing import get_args

import pytest

from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.strictness import RULES, judge
from faultloop.fakes.strictness.levels import RuleName, Strictness

STRICT = Strictness(level="strict")


def user(text: str = "Go.") -> Message:
    return Message(role="user", text=text)


def calls(*ids: str, arguments: str = "{}") -> Message:
    made = tuple(SaidCall(id=id_, name="read_file", arguments=arguments) for id_ in ids)
    return Message(role="assistant", calls=made)


def says(text: str) -> Message:
    return Message(role="assistant", text=text)


def result(id_: str) -> Message:
    return Message(role="tool", text="ok", result_of=id_)


LEGAL = [
    (user(),),
    (user(), says("Done.")),
    (user(), calls("a"), result("a")),
    (user(), calls("a", "b"), result("b"), result("a"), says("Done."), user()),
    (user(), calls("a"), result("a"), calls("a"), result("a")),
    (user(), calls("a", arguments='{"x": [1, {"y": null}]}'), result("a")),
]

ILLEGAL = [
    ((user(), calls("a")), "unpaired_calls", "messages.[2].role"),
    ((user(), calls("a"), user()), "unpaired_calls", "messages.[2].role"),
    ((user(), calls("a", "b"), result("a"), user()), "unpaired_calls", "messages.[3].role"),
    ((user(), calls("a"), user(), result("a")), "unpaired_calls", "messages.[2].role"),
    ((user(), result("a")), "orphan_results", "messages.[1].role"),
    ((user(), calls("a"), result("a"), user(), result("a")), "orphan_results", "messages.[4].role"),
    (
        (user(), calls("a"), result("a"), result("b")),
        "orphan_results",
        "messages.[3].tool_call_id",
    ),
    (
        (user(), calls("a"), result("a"), result("a")),
        "duplicate_results",
        "messages.[3].tool_call_id",
    ),
    (
        (user(), calls("a", "a"), result("a")),
        "duplicate_calls",
        "messages.[1].tool_calls.[1].id",
    ),
    *(
        (
            (user(), calls("a", arguments=text), result("a")),
            "object_arguments",
            "messages.1.tool_calls.0.function.arguments",
        )
        for text in (
            *("", "[]", "null", '"{}"', '{"x": 1', "{}{}", "{'x': 1}", '{"x": NaN}'),
            f'{{"deeper than a server reads": {"[" * 3000}{"]" * 3000}}}',
        )
    ),
]


@pytest.mark.parametrize("messages", LEGAL)
def test_a_legal_conversation_passes(messages):
    assert judge(Conversation(messages=messages), strictness=STRICT) is None


@pytest.mark.parametrize(("messages", "rule", "param"), ILLEGAL)
def test_a_damaged_conversation_is_rejected_by_its_rule(messages, rule, param):
    violation = judge(Conversation(messages=messages), strictness=STRICT)

    assert violation is not None
    assert (violation.rule, violation.param, violation.status) == (rule, param, 400)


def test_rules_are_named_and_ordered_once():
    assert tuple(RULES) == get_args(RuleName)


def test_unpaired_calls_are_rejected_in_the_words_of_the_api():
    violation = judge(Conversation(messages=(user(), calls("call_1", "call_2"), user())))

    assert violation is not None
    assert violation.message == (
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        "call_1, call_2"
    )


def test_an_orphan_is_rejected_in_the_words_of_the_api():
    violation = judge(Conversation(messages=(user(), result("a"))))

    assert violation is not None
    assert violation.message == (
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
        "with 'tool_calls'."
    )


def test_a_duplicate_is_rejected_in_the_words_of_the_api():
    violation = judge(Conversation(messages=(user(), calls("a"), result("a"), result("a"))))

    assert violation is not None
    assert violation.message == (
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and "
        "messages[3]."
    )
