from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios.wordings.bfcl.small_bfcl import laid_out

from faultloop.scenarios.wordings.bfcl.checker import (
    Asked,
    Called,
    CheckerFailed,
    Verdict,
    check,
)
from faultloop.scenarios.wordings.bfcl.comparing import compare
from faultloop.scenarios.wordings.bfcl.importing import Imported, imported
from faultloop.scenarios.wordings.bfcl.literals import arguments_as_texts
from faultloop.scenarios.wordings.bfcl.mutating import OWN, own_calls, tried
from faultloop.scenarios.wordings.bfcl.source import Source


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return laid_out(tmp_path)


@pytest.fixture
def multiple(source: Source) -> Imported:
    return imported(source, "multiple")


def verdicts(source: Source, asked: Sequence[Asked]) -> Sequence[Verdict]:
    assert source.package is not None
    return check(source.package, asked).verdicts


def test_its_checker_is_asked_in_a_process_of_its_own(source: Source, multiple: Imported) -> None:
    row = multiple.rows["multiple_0"]
    wrong = (Called("music_play", {}),)
    asked = [Asked(row, own_calls(row)), Asked(row, wrong), Asked(row, ())]
    assert [one.valid for one in verdicts(source, asked)] == [True, False, False]


def test_a_checker_that_fails_on_an_answer_has_no_verdict(
    source: Source, multiple: Imported
) -> None:
    assert source.package is not None
    (source.package / "eval_checker/ast_eval/ast_checker.py").write_text(
        "def ast_checker(*asked):\n    return 1 / 0\n"
    )
    row = multiple.rows["multiple_0"]
    (verdict,) = verdicts(source, [Asked(row, own_calls(row))])
    assert verdict == Verdict(None, "ZeroDivisionError: division by zero")


def test_a_checker_that_cannot_be_loaded_is_told(source: Source, multiple: Imported) -> None:
    assert source.package is not None
    (source.package / "constants" / "enums.py").write_text("import no_such_module\n")
    with pytest.raises(CheckerFailed, match="no_such_module"):
        check(source.package, [])


def test_rows_whose_own_answer_fails_are_listed(source: Source, multiple: Imported) -> None:
    def refusing_abba(asked: Sequence[Asked]) -> list[Verdict]:
        return [Verdict("Abba" not in str(one.calls), "refused") for one in asked]

    found = compare([multiple], refusing_abba, seed=1)
    assert [one.row.id for one in found.fails_itself] == ["multiple_1"]


def test_disagreements_are_explained_by_what_makes_both_right(
    source: Source, multiple: Imported
) -> None:
    found = compare([multiple], lambda asked: verdicts(source, asked), seed=1)
    assert any(one.reason is None for one in found.disagreements), "any text is right to this one"
    named = {one.reason.name for one in found.disagreements if one.reason}
    assert "a default is given explicitly" in named
    own = [one for one in found.tried if one.kind == OWN]
    assert len(own) == len(multiple.tasks)
    assert all(one.agrees and one.ours.right for one in own)


def calling_right(*right: dict[str, Any]) -> Any:
    """A checker that takes these arguments only."""

    def judged(asked: Sequence[Asked]) -> list[Verdict]:
        return [Verdict(any(one.calls[0].args == r for r in right), "") if one.calls else
                Verdict(False, "") for one in asked]  # fmt: skip

    return judged


def test_what_no_rewriting_explains_stays_unexplained(multiple: Imported) -> None:
    found = compare([multiple], calling_right({"artist": "Beatles"}), seed=1)
    assert found.disagreements
    assert {one.tried.ours.right for one in found.disagreements} == {True}
    explained = {one.reason.name for one in found.disagreements if one.reason}
    assert explained == {"the row fails its own checker"}


def test_changes_follow_from_the_seed_and_change_something(multiple: Imported) -> None:
    row = multiple.rows["multiple_0"]
    own, *changed = tried(row, seed=1)
    assert own == (OWN, Asked(row, own_calls(row)))
    assert [own, *changed] == list(tried(row, seed=1))
    assert changed != list(tried(row, seed=2))[1:]
    assert all(one.calls != own[1].calls for _, one in changed if _ != "value spelt otherwise")


LITERALS: tuple[tuple[str, str, str, Any, str], ...] = (
    ("java", "long", "", 3, "3L"),
    ("java", "float", "", 1.5, "1.5f"),
    ("java", "double", "", 1.5, "1.5"),
    ("java", "boolean", "", True, "true"),
    ("java", "any", "", "mapArea", "mapArea"),
    ("java", "ArrayList", "String", ["a", "b"], 'new ArrayList<>(Arrays.asList("a", "b"))'),
    ("java", "Array", "integer", [1, 2], "new integer[]{1, 2}"),
    ("java", "HashMap", "", {"a": 1}, 'new HashMap<>() {{ put("a", 1); }}'),
    ("javascript", "Bigint", "", 3, "3n"),
    ("javascript", "float", "", 1.5, "1.5"),
    ("javascript", "array", "String", ["a"], '["a"]'),
    ("javascript", "dict", "", {"a": True}, "{a: true}"),
)


@pytest.mark.parametrize(("language", "kind", "inner", "value", "text"), LITERALS)
def test_values_are_written_as_its_checker_reads_them(
    language: str, kind: str, inner: str, value: Any, text: str
) -> None:
    schema = {"type": kind, **({"items": {"type": inner}} if inner else {})}
    function = {"name": "f", "parameters": {"properties": {"x": schema}}}
    assert arguments_as_texts({"x": value}, function, language) == {"x": text}
    assert arguments_as_texts({"x": value}, function, "python") == {"x": value}
