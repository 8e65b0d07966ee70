"""`embedded:llm` asks twice: which tool, then its arguments. Here by a model that is scripted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.wordings.models.embedded.asked import READ, TOOLS, answers, question, tool

from faultloop.loop.message import Call
from faultloop.scenarios.wordings.answer import Answer, Usage
from faultloop.scenarios.wordings.models.embedded import llm
from faultloop.scenarios.wordings.models.embedded.llama import Completion, Refused, Said
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.task import Said as Message

TOOK = Usage(input_tokens=10, output_tokens=2)


class Scripted:
    """Writes what it is told to, and keeps what it was asked."""

    def __init__(self, *texts: str | Refused, whole: bool = True) -> None:
        self._texts = list(texts)
        self._whole = whole
        self.asked: list[tuple[list[Said], str, Mapping[str, Any] | None]] = []

    def complete(
        self,
        messages: Sequence[Said],
        *,
        grammar: str = "",
        schema: Mapping[str, Any] | None = None,
        tokens_max: int = 64,
    ) -> Completion:
        self.asked.append((list(messages), grammar, schema))
        text = self._texts.pop(0)
        if isinstance(text, Refused):
            raise text
        return Completion(text=text, whole=self._whole, usage=TOOK)


def answered(scripted: Scripted, asked: Question, monkeypatch: pytest.MonkeyPatch) -> Answer:
    monkeypatch.setattr(llm, "model_file", Path)
    monkeypatch.setattr(llm, "Llama", lambda file: scripted)
    (answer,) = answers(llm.LLM("model.gguf"), asked)
    assert not scripted._texts, "it asked less than was scripted"
    return answer


def test_it_chooses_then_fills(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = Scripted("read_file", '{"path": "a.py"}')
    answer = answered(scripted, question("Show a.py"), monkeypatch)
    assert answer == Answer(
        calls=(Call(id="call_1", name="read_file", arguments='{"path": "a.py"}'),),
        usage=Usage(input_tokens=20, output_tokens=4),
    )
    choosing, filling = scripted.asked
    assert choosing[1:] == (
        'root ::= "answer_directly" | "read_file" | "search_text" | "list_folder"',
        None,
    )
    assert filling[1:] == ("", READ.parameters)


def test_it_may_choose_none(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answered(Scripted("answer_directly"), question("Sing"), monkeypatch)
    assert answer == Answer(text="answer_directly", usage=TOOK)


def test_it_reads_all_that_a_tool_says_of_itself_and_all_that_was_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contract = tool("pay", "Pay.", when_not="it is late.", of={"sum": "In euros."})
    before = (Message(role="user", text="Hello"), Message(role="assistant", text="Yes?"))
    asked = question("Pay 3", contract, before=before, system="Be kind.")
    scripted = Scripted("answer_directly")
    answered(scripted, asked, monkeypatch)
    system, *said = scripted.asked[0][0]
    assert system["role"] == "system"
    assert system["content"].startswith("Be kind.\n\n")
    assert "# pay\nPay.\nDo not use it when: it is late.\n" in system["content"]
    assert '"sum":{"type":"string","description":"In euros."}' in system["content"]
    assert said == [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "Pay 3"},
    ]


def test_the_tools_stand_in_the_order_they_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = Scripted("answer_directly")
    turned = (*TOOLS[1:], TOOLS[0])
    answered(scripted, question("x", *turned), monkeypatch)
    messages, grammar, _ = scripted.asked[0]
    places = [messages[0]["content"].index(f"# {one.name}\n") for one in turned]
    assert places == sorted(places)
    assert [grammar.index(one.name) for one in turned] == sorted(
        grammar.index(one.name) for one in turned
    )


def test_arguments_that_were_cut_are_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answered(Scripted("read_file", '{"path": "', whole=False), question("x"), monkeypatch)
    assert (answer.failure, answer.calls) == ("cut", ())
    assert answer.failure_says == "the arguments were cut after 512 tokens"


@pytest.mark.parametrize(("overflow", "failure"), [(True, "overflow"), (False, "refused")])
def test_what_llama_cpp_refuses_is_an_answer_that_failed(
    overflow: bool, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = Scripted(Refused("the request exceeds the context", overflow=overflow))
    answer = answered(scripted, question("x"), monkeypatch)
    assert (answer.failure, answer.failure_says) == (failure, "the request exceeds the context")


def test_a_tool_that_is_called_like_no_tool_is_still_a_tool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = tool("answer_directly", "Answer.")
    answer = answered(Scripted("answer_directly", "{}"), question("x", taken), monkeypatch)
    assert [call.name for call in answer.calls] == ["answer_directly"]
    answer = answered(Scripted("answer_directly_"), question("x", taken), monkeypatch)
    assert answer.calls == ()


def test_a_name_with_quotes_cannot_break_the_grammar() -> None:
    grammar = llm.one_of(['a"b', "c\\d"])
    assert grammar == 'root ::= "a\\"b" | "c\\\\d"'
    assert json.loads(grammar.split(" | ")[1]) == "c\\d"
