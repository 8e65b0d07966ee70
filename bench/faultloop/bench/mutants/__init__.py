"""Mutants: wrong loops, at least one for every check, that prove that the check can fail.

Each is the reference loop with one promise broken by a small override. `MUTANTS` is the table of
all of them; `python -m faultloop.bench.mutants` plays them and prints who catches whom.
"""

from __future__ import annotations

from faultloop.bench.mutants import (
    calls_it_completed,
    denies_what_happened,
    drops_a_result,
    floods_the_context,
    forgets_its_calls,
    forgets_the_end,
    guesses_arguments,
    has_no_barriers,
    hears_too_late,
    hides_the_cut,
    ignores_cancel,
    journals_late,
    loses_the_prompt,
    mumbles,
    never_stops,
    poisons_the_session,
    repeats_on_resume,
    retries_after_504,
    retries_at_once,
    runs_cut_replies,
    shuffles_results,
    starts_over,
)
from faultloop.bench.mutants.mutant import Mutant
from faultloop.scenarios.subject import BadSubject, Subject

_ALL: tuple[Mutant, ...] = (
    drops_a_result.MUTANT,
    forgets_its_calls.MUTANT,
    shuffles_results.MUTANT,
    runs_cut_replies.MUTANT,
    guesses_arguments.MUTANT,
    mumbles.MUTANT,
    floods_the_context.MUTANT,
    has_no_barriers.MUTANT,
    repeats_on_resume.MUTANT,
    retries_after_504.MUTANT,
    denies_what_happened.MUTANT,
    retries_at_once.MUTANT,
    starts_over.MUTANT,
    never_stops.MUTANT,
    ignores_cancel.MUTANT,
    hides_the_cut.MUTANT,
    hears_too_late.MUTANT,
    loses_the_prompt.MUTANT,
    poisons_the_session.MUTANT,
    calls_it_completed.MUTANT,
    journals_late.MUTANT,
    forgets_the_end.MUTANT,
)

MUTANTS: dict[str, Mutant] = {mutant.name: mutant for mutant in _ALL}
"""All mutants by name, in the order of the checks that catch them."""


def subject(name: str) -> Subject:
    """The subject `mutant:NAME`. Raises BadSubject where there is none."""
    if name not in MUTANTS:
        raise BadSubject(f"there is no mutant {name!r}; there are: {', '.join(MUTANTS)}")
    return MUTANTS[name].subject()
