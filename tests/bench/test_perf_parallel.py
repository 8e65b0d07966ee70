"""Plays side by side on one server: each is told only what is its own, and all of it."""

from __future__ import annotations

import asyncio
import gc
from itertools import count

import pytest

from faultloop.bench.perf import parallel
from faultloop.bench.perf.parallel import TROUBLES, in_parallel
from faultloop.fakes.app import App
from faultloop.fakes.stage import Stage

EVERY_KIND = 2 * len(TROUBLES)
"""Streamed and whole."""
NEVER_STAND = 4
"""The first of them are in no trouble in which a patient client would wait for ever."""


def wrong_with(app: App, plays: int = EVERY_KIND) -> list[str]:
    gc.collect()  # an SDK's client that other tests left would close itself on this event loop
    return asyncio.run(in_parallel(plays, at_once=plays, app=app))


def test_plays_in_parallel_are_neither_lost_nor_crossed_nor_left_behind() -> None:
    assert wrong_with(App()) == []


class Crossed(App):
    """Every seventh request is answered from another play."""

    def __init__(self) -> None:
        super().__init__()
        self._requests = count(1)

    def locate(self, url_path: str) -> tuple[str, Stage, int, str]:
        if next(self._requests) % 7 == 0:
            play = url_path.split("/")[2]
            url_path = url_path.replace(play, next(name for name in self.stages if name != play))
        return super().locate(url_path)


def test_a_request_that_is_answered_from_another_play_is_told() -> None:
    assert any(" the words " in told for told in wrong_with(Crossed(), NEVER_STAND))


class Keeping(App):
    """What it has found once it keeps."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Stage] = []

    def locate(self, url_path: str) -> tuple[str, Stage, int, str]:
        found = super().locate(url_path)
        self._kept.append(found[1])
        return found


def test_a_stage_that_is_left_behind_is_told() -> None:
    assert wrong_with(Keeping()) == ["a stage was left behind"] * EVERY_KIND


def test_a_play_that_goes_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ASKED_MAX", 3)  # it gives up before the last word
    assert any(" is lost: " in told for told in wrong_with(App()))
