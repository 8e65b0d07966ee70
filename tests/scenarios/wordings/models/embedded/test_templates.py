"""The chat template that a model is served with: which one, and what a prompt is under it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from faultloop.scenarios.wordings.models.embedded.templates import Own, chosen, showing_tools
from faultloop.scenarios.wordings.models.port import ModelUnusable

PLAIN = "{% for one in messages %}[{{ one.role }}] {{ one.content }}\n{% endfor %}"
"""As many models have it: nothing of tools."""
NAMES = ("read_file", "list_folder")
TOOLS = [{"type": "function", "function": {"name": name}} for name in NAMES]
USER = {"role": "user", "content": "Read a.py"}
SYSTEM = {"role": "system", "content": "Be brief."}


def called(**arguments: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "read_file", "arguments": arguments}}


def prompt(*messages: dict[str, Any], tools: list[dict[str, Any]] | None = None) -> str:
    return Environment().from_string(showing_tools(PLAIN)).render(messages=messages, tools=tools)


def must_not_look() -> Own:
    raise AssertionError("the model was loaded to look at its template for nothing")


def test_a_template_that_shows_tools_is_left_alone() -> None:
    assert chosen("", lambda: Own(source=PLAIN, shows_tools=True)).source == ""


def test_one_that_hides_them_stays_and_is_made_to_show_them() -> None:
    choice = chosen("", lambda: Own(source=PLAIN, shows_tools=False))
    assert choice.source == showing_tools(PLAIN)
    assert "shows no tools by itself" in choice.says


def test_what_is_asked_for_is_taken_whatever_the_model_has(tmp_path: Path) -> None:
    (tmp_path / "mine.jinja").write_text(PLAIN)
    assert chosen("own", must_not_look).source == ""
    assert chosen(str(tmp_path / "mine.jinja"), must_not_look).source == PLAIN
    shows = Own(source=PLAIN, shows_tools=True)
    assert chosen("tools", lambda: shows).source == showing_tools(PLAIN)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_is_no_template_is_told_with_what_there_is(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "mine.jinja").write_bytes(content)
    with pytest.raises(ModelUnusable, match=r"mine\.jinja: .*give a Jinja file's path"):
        chosen(str(tmp_path / "mine.jinja"), must_not_look)


def test_without_tools_the_prompt_is_the_models_own() -> None:
    said = (SYSTEM, USER, {"role": "assistant", "content": "Done."})
    plain = Environment().from_string(PLAIN).render(messages=said)
    assert prompt(*said) == prompt(*said, tools=[]) == plain


@pytest.mark.parametrize(("said", "role"), [((SYSTEM, USER), "system"), ((USER,), "user")])
def test_each_tool_is_shown_once_and_in_the_first_message(
    said: tuple[dict[str, str], ...], role: str
) -> None:
    first, *between, last = re.split(r"^(?=\[)", prompt(*said, tools=TOOLS), flags=re.MULTILINE)[1:]
    assert first.startswith(f"[{role}] ")
    assert [first.count(f'{{"name": "{name}"}}') for name in NAMES] == [1, 1]
    assert not any(name in later for name in NAMES for later in between)
    assert last == "[user] Read a.py\n"


def test_whoever_speaks_takes_turns_as_strict_templates_want_it() -> None:
    roles = re.findall(r"^\[(.*?)\]", prompt(SYSTEM, USER, tools=TOOLS), flags=re.MULTILINE)
    assert roles == ["system", *("user", "assistant") * 2, "user"]


def test_calls_and_their_results_are_told_as_words() -> None:
    calls = [called(path="a"), called(path="b")]
    made = {"role": "assistant", "content": None, "tool_calls": calls}
    results = [{"role": "tool", "content": text} for text in ("text of a", "text of b")]
    shown = prompt(USER, made, *results, USER, tools=TOOLS)
    assert shown.endswith(
        "[assistant] "
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "b"}}\n</tool_call>\n'
        "[user] <tool_response>\ntext of a\n</tool_response>\n"
        "<tool_response>\ntext of b\n</tool_response>\n"
        "[user] Read a.py\n"
    )
