"""`embedded:lexical` finds words, in English and Chinese, whatever the order; and no meaning."""

from __future__ import annotations

from itertools import permutations
from time import process_time

import pytest
from tests.scenarios.wordings.models.embedded.asked import (
    READ,
    TOOLS,
    answers,
    called,
    question,
    tool,
)

from faultloop.scenarios.wordings.models.embedded.bm25 import Index
from faultloop.scenarios.wordings.models.embedded.lexical import Lexical
from faultloop.scenarios.wordings.models.embedded.terms import face_texts, terms
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.task import Said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("readFile", "read file"),
        ("read_file-now", "read file now"),
        ("HTTPServer2Port", "http server 2 port"),
        ("Files and directories, queries!", "file directory query"),
        ("the status of this class", "status class"),
        ("Café naïve ÉCOLE", "café naïve école"),
        ("не надо", "не надо"),
        ("读取文件", "读取 取文 文件"),
        ("读", "读"),
        ("打开README文件", "打开 readme 文件"),
        ("ファイルを読む", "ファ ァイ イル ルを を読 読む"),
        ("파일 읽기", "파일 읽기"),
        ("do not use it", ""),
        ("", ""),
    ],
)
def test_a_text_falls_into_terms(text: str, expected: str) -> None:
    assert list(terms(text)) == expected.split()


def test_a_face_is_its_name_its_description_and_its_parameters_however_deep() -> None:
    schema = {
        "type": "object",
        "description": "Where to look.",
        "properties": {"kind": {"enum": ["word", "line", 3]}, "type": {"type": "string"}},
    }
    contract = tool("find_it", "Find.", when="lost", of={"scope": schema})
    told = ["find_it", "Find.\nUse it when: lost", "scope", "Where to look.", "kind", "word"]
    assert list(face_texts(contract)) == [*told, "line", "type"]


def test_bm25_is_what_the_formula_says() -> None:
    # Two documents of lengths 3 and 1, mean 2; "a" twice in the first alone:
    # idf = ln(1 + 1.5/1.5) = 0.693147; 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 1.5)) = 1.205479
    # "b" in both: idf = ln(1 + 0.5/2.5) = 0.182322
    # first: 2.2 / (1 + 1.2 * 1.375) = 0.830189; second: 2.2 / (1 + 1.2 * 0.625) = 1.257143
    index = Index({"one": ["a", "a", "b"], "two": ["b"]})
    assert index.names == ["one", "two"]
    assert index.scores(["a"]) == pytest.approx([0.693147 * 1.205479, 0.0], abs=1e-6)
    b = [0.182322 * 0.830189, 0.182322 * 1.257143]
    assert index.scores(["b", "b", "zebra"]) == pytest.approx(b, abs=1e-6)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Read src/app.py please", "read_file"),
        ("Where does the word timeout occur?", "search_text"),
        ("Which names are in the folder docs?", "list_folder"),
    ],
)
def test_the_tool_with_the_users_words_is_called(prompt: str, expected: str) -> None:
    assert called(Lexical(), question(prompt)) == [expected]


def test_chinese_is_told_apart_by_pairs_of_characters() -> None:
    tools = (
        tool("read_file", "读取一个文件的全部内容。"),
        tool("search_text", "在文件中搜索文字出现的位置。"),
        tool("run_command", "在终端运行命令。"),
    )
    asked = [question(text, *tools) for text in ("读取配置", "搜索超时", "运行全部测试")]
    assert called(Lexical(), *asked) == ["read_file", "search_text", "run_command"]


def test_a_prompt_in_another_language_than_the_tools_is_not_understood() -> None:
    assert called(Lexical(), question("读取文件")) == [""]


def test_nothing_is_called_where_there_is_nothing_in_common() -> None:
    (answer,) = answers(Lexical(), question("Sing me a song!"))
    assert answer.calls == ()
    assert not answer.failed


def test_one_word_in_common_is_enough_to_call_what_was_not_wanted() -> None:
    assert called(Lexical(), question("What is a file, anyway?")) == ["read_file"]


def test_the_order_of_the_tools_does_not_matter() -> None:
    prompts = ("Read the folder", "files", "words in names")
    model = Lexical()
    asked = [question(prompt, *order) for prompt in prompts for order in permutations(TOOLS)]
    found = called(model, *asked)
    assert all(len(set(found[at : at + 6])) == 1 for at in range(0, len(found), 6))


def test_of_equals_the_first_name_is_called_wherever_it_stands() -> None:
    one, two = tool("b_tool", "Pack."), tool("a_tool", "Pack.")
    assert called(Lexical(), question("Pack", one, two), question("Pack", two, one)) == [
        "a_tool",
        "a_tool",
    ]


def test_do_not_use_it_for_something_makes_it_likelier_for_that() -> None:
    # The reason why a "when not" cannot be judged by this model.
    plain = tool("send_mail", "Send a letter.")
    warned = tool("send_mail", "Send a letter.", when_not="the user wants an invoice refunded.")
    other = tool("pay_out", "Give money back.")
    prompt = "I want my invoice refunded"
    assert called(Lexical(), question(prompt, plain, other)) == [""]
    assert called(Lexical(), question(prompt, warned, other)) == ["send_mail"]


def test_only_the_last_message_is_read() -> None:
    before = (Said(role="user", text="List the folder"), Said(role="assistant", text="Done."))
    assert called(Lexical(), question("Now read a text", before=before)) == ["read_file"]


def test_it_gives_no_arguments_and_says_so() -> None:
    (answer,) = answers(Lexical(), question("Read a file"))
    assert [call.arguments for call in answer.calls] == ["{}"]
    assert not answer.gives_arguments
    assert not Lexical().gives_arguments


def test_without_tools_nothing_is_called() -> None:
    asked = Question(messages=(Said(role="user", text="Read"),), contracts=())
    assert called(Lexical(), asked) == [""]


def test_two_wordings_with_the_same_names_are_not_confused() -> None:
    taken = tool("search_text", "Take."), tool("list_folder", "Find where words occur.")
    model = Lexical()
    asked = (question("Where do words occur?"), question("Where do words occur?", READ, *taken))
    assert called(model, *asked) == ["search_text", "list_folder"]


def test_a_thousand_tasks_under_two_wordings_take_a_small_part_of_ten_seconds() -> None:
    # Of CPU, for the machine may be busy. It was 0.12 s; the limit is 100 microseconds a question
    # ten times over.
    names = [f"tool_{number}" for number in range(30)]
    wordings = [[tool(name, f"{name} {word} text. " * 20) for name in names] for word in "ab"]
    asked = [question(f"text {n} of tool", *wording) for wording in wordings for n in range(1000)]
    model = Lexical()
    began = process_time()
    assert len(answers(model, *asked)) == 2000
    assert process_time() - began < 2.0
