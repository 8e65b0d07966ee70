from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest
from tests.scenarios.wordings.bfcl.small_bfcl import laid_out

from faultloop.bench.perf import scoring
from faultloop.bench.perf.measurement import take
from faultloop.scenarios.wordings.bfcl.source import BadSource


def test_both_sides_judge_the_same_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = laid_out(tmp_path)
    monkeypatch.setattr(scoring, "find", lambda path: source)
    (measured,) = take(scoring.SCORING[0], rounds=1)
    assert measured.value > 0
    assert measured.baseline > 0


def test_without_bfcl_the_figure_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(path: None) -> None:
        raise BadSource("it is not installed")

    monkeypatch.setattr(scoring, "find", nowhere)
    (measured,) = take(scoring.SCORING[0], rounds=1)
    assert isnan(measured.baseline)
    assert measured.figure.without == "bfcl-eval is not installed"
