"""`embedded:minilm` calls the nearest tool. Here nearness is a stand-in's: pieces in common."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from tests.scenarios.wordings.models.embedded.asked import TOOLS, answers, called, question, tool

from faultloop.scenarios.wordings.models.embedded import minilm
from faultloop.scenarios.wordings.models.embedded.minilm import MiniLM
from faultloop.scenarios.wordings.models.port import Question
from faultloop.scenarios.wordings.task import Said


class PiecesInCommon:
    """In place of the network: each piece points in a direction of its own."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def run(self, outputs: Sequence[str] | None, feed: Mapping[str, Any]) -> list[Any]:
        pieces = feed["input_ids"][0]
        assert (feed["attention_mask"] == 1).all()
        assert (feed["token_type_ids"] == 0).all()
        self.lengths.append(len(pieces))
        states = np.zeros((1, len(pieces), 1024), dtype=np.float32)
        states[0, np.arange(len(pieces)), pieces % 1024] = 1.0
        return [states]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> PiecesInCommon:
    stand_in = PiecesInCommon()
    monkeypatch.setattr(minilm, "_session", lambda: stand_in)
    return stand_in


@pytest.mark.usefixtures("session")
def test_the_nearest_tool_is_called() -> None:
    asked = [question("read the text"), question("list the names"), question("what to look for")]
    assert called(MiniLM(), *asked) == ["read_file", "list_folder", "search_text"]


@pytest.mark.usefixtures("session")
def test_the_order_of_the_tools_does_not_matter() -> None:
    asked = [question("read the names", *order) for order in permutations(TOOLS)]
    assert len(set(called(MiniLM(), *asked))) == 1


@pytest.mark.usefixtures("session")
def test_of_equals_the_first_name_is_called() -> None:
    one, two = tool("pack", "Pack."), tool("Pack", "Pack.")
    assert called(MiniLM(), question("Pack", one, two)) == ["Pack"]


def test_each_text_is_read_once_and_cut_where_the_model_ends(session: PiecesInCommon) -> None:
    long = tool("long", "word " * 1000)
    asked = [question("read", long, *TOOLS), question("read", *TOOLS, long)]
    called(MiniLM(), *asked)
    assert len(session.lengths) == 5
    assert max(session.lengths) == minilm.PIECES_MAX


@pytest.mark.usefixtures("session")
def test_it_gives_no_arguments_and_without_tools_no_call() -> None:
    nothing = Question(messages=(Said(role="user", text="read"),), contracts=())
    one, none = answers(MiniLM(), question("read"), nothing)
    assert [call.arguments for call in one.calls] == ["{}"]
    assert not one.gives_arguments
    assert none.calls == ()


def test_telemetry_is_off_before_the_runtime_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Runtime:
        @staticmethod
        def disable_telemetry_events() -> None:
            seen.append("disabled")

    def loaded(module: str) -> type[Runtime]:
        seen.append(os.environ["ORT_DISABLE_TELEMETRY"])
        return Runtime

    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    monkeypatch.setattr(minilm, "import_module", loaded)
    minilm._runtime()
    assert seen == ["1", "disabled"]
