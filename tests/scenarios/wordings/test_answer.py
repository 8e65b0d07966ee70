"""What counts as asking back: a question, or a request in so many words, and no call beside it."""

from __future__ import annotations

import pytest

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer

ASKS = (
    "Which of the two files do you mean?",
    "要删除哪一个文件？",
    "Please tell me the new name.",
    "I can do that. Let me know which branch it should go into.",
    "Please confirm the address.",
    "请先告诉我新的文件名。",
    "好的，请提供服务器地址。",
    "Which branch? And is there anything else?",
)
ASKS_NOT = (
    "It was renamed.",
    "See https://example.org/list?page=2 for more.",
    "The expression `user?.name` is fine.",
    "You are welcome. Let me know if there is anything else.",
    "Tell me more about it one day.",
    "不客气。",
    "Done! Anything else?",
    "Is there anything else that I can do for you?",
    "好了，还有什么需要帮忙的吗？",
    "",
)


@pytest.mark.parametrize("text", ASKS)
def test_a_text_that_asks_the_user_asks_back(text: str) -> None:
    assert Answer(text=text).asks_back


@pytest.mark.parametrize("text", ASKS_NOT)
def test_a_text_that_asks_nothing_does_not(text: str) -> None:
    assert not Answer(text=text).asks_back


def test_a_call_or_a_failure_beside_it_is_no_asking_back() -> None:
    call = Call(id="1", name="rename", arguments="{}")
    assert not Answer(text=ASKS[0], calls=(call,)).asks_back
    assert not Answer(text=ASKS[0], failure="cut").asks_back
