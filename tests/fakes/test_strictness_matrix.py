"""`make strictness` prints every rule with each API, and names what is not as it must be."""

from __future__ import annotations

import pytest

from faultloop.fakes.strictness import RULES

from . import strictness_matrix
from .test_strictness_served import CASES


def run(capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        strictness_matrix.main()
    return ended.value.code, capsys.readouterr().out


def test_every_rule_is_told_and_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = run(capsys)

    assert code == 0, said
    assert all(rule[:12] in said for rule in RULES)
    assert "✗" not in said
    assert f"{len(CASES)} pairs of requests" in said


def test_a_rule_that_is_not_kept_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = CASES[0]
    monkeypatch.setattr(strictness_matrix, "CASES", (first._replace(broken=first.right),))
    code, said = run(capsys)

    assert code == 1
    assert f"✗ {first.rule}, {first.dialect}: what breaks it is answered 200" in said
    assert "✗ call_turns, gemini: no request puts it to the test" in said
