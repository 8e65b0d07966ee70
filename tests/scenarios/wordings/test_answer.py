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
    "Would you like me to delete draft.txt or final.txt?",
    "Shall I delete it?",
    "Can I help you with that file or with the other one?",
    "需要我删除哪一个文件？",
    "需要其他格式吗？",
    "Could you give me something more specific?",
    "Did you mean something other than that?",
    "Should the file contain something other than the header?",
    "还需要为哪个文件创建测试？",
    "还要做哪些修改？",
    "还需要我为您删除这个文件吗？",
    "Should I use main or something else?",
    "Do you want the whole file, or something more specific?",
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
    "Done. Can I help you with anything else?",
    "Done. How can I help you today?",
    "Would you like me to do anything else?",
    "All set! Do you need any further help?",
    "好了，还有什么需要帮忙的吗？",
    "已完成。还需要我做什么吗？",
    "已完成。需要我帮忙做别的吗？",
    "您好！有什么可以帮您的？",
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
