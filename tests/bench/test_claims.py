"""No claim is without a test and a mutant, nothing without a claim, and the page is current."""

from __future__ import annotations

import re
from pathlib import Path

from faultloop.bench import claims
from faultloop.bench.claims import CLAIMS, FAMILIES, MISSING, PAGE, POLICIES, collected
from faultloop.bench.drills import DRILLS
from faultloop.bench.mutants import MUTANTS
from faultloop.scenarios.reading import catalogue

ROOT = Path(__file__).parents[2]

NUMBERS = {"C": 11, "L": 16, "P": 11, "S": 7, "X": 9, "D": 10, "I": 5, "G": 3, "E": 2, "O": 4}
"""How many claims each family has; O4 is about models and has no place here."""


def test_all_promises_are_there_each_with_one_sentence() -> None:
    assert {letter: sum(one[0] == letter for one in CLAIMS) for letter in FAMILIES} == NUMBERS
    assert "O4" not in CLAIMS
    for claim, sentence in CLAIMS.items():
        assert re.fullmatch(r"[A-Z][^.]*\.", sentence), f"{claim}: {sentence}"
    assert POLICIES.keys() <= CLAIMS.keys()


def test_no_claim_is_unproven_but_for_those_that_are_listed_as_missing() -> None:
    unproven = {claim.id for claim in collected() if not claim.is_proven}
    assert unproven == set(MISSING), "MISSING must be exact: add what is open, remove what is done"


def test_every_missing_claim_has_a_reason() -> None:
    assert all(reason for reason in MISSING.values())


def test_nothing_is_made_for_a_claim_that_there_is_not() -> None:
    assert claims.unknown_claims() == ()


def test_no_scenario_drill_or_mutant_is_without_a_claim() -> None:
    made = (*catalogue(), *DRILLS.values(), *MUTANTS.values())
    assert [one.name for one in made if not one.claims] == []


def test_the_page_of_the_documentation_is_current() -> None:
    said = (ROOT / "docs" / PAGE).read_text()
    assert said == claims.document(collected()), "run `make claims`"


def test_the_table_has_a_row_for_each_claim() -> None:
    assert claims.table(collected()).row_count == len(CLAIMS)


def test_the_page_is_written_where_there_is_a_place_for_it(tmp_path: Path, capsys) -> None:
    claims.main(tmp_path)
    assert (tmp_path / PAGE).read_text().startswith("# The claims")
    claims.main(tmp_path / "nowhere")
    assert (
        f"of {len(CLAIMS)} claims have a scenario or drill, and a mutant" in capsys.readouterr().out
    )
