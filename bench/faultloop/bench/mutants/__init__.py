"""Mutants: wrong loops, at least one for every check, that prove that the check can fail.

Each is the reference loop with one promise broken by a small override. `MUTANTS` is the table of
all of them; `python -m faultloop.bench.mutants` plays them and prints who catches whom.
"""

from __future__ import annotations

from faultloop.bench.mutants import (
    believes_the_finish_reason,
    calls_it_completed,
    changes_what_it_repeats,
    denies_what_happened,
    dies_of_a_tool,
    dies_of_bad_arguments,
    drops_a_result,
    floods_the_context,
    forgets_its_calls,
    forgets_the_end,
    gives_up_at_once,
    guesses_arguments,
    has_no_barriers,
    hears_too_early,
    hears_too_late,
    hides_the_cut,
    ignores_cancel,
    journals_late,
    leaves_commands_running,
    loses_the_prompt,
    mends_what_was_cut,
    mumbles,
    never_stops,
    passes_the_filter,
    poisons_the_session,
    repeats_on_resume,
    retries_after_504,
    retries_at_once,
    runs_cut_replies,
    runs_everything_twice,
    says_nothing_happened,
    shuffles_results,
    starts_over,
    stores_results_twice,
    swallows_errors,
    tidies_arguments,
    waits_for_ever,
)
from faultloop.bench.mutants.mutant import Mutant
from faultloop.scenarios.subject import BadSubject, Subject

_ALL: tuple[Mutant, ...] = (
    drops_a_result.MUTANT,
    forgets_its_calls.MUTANT,
    shuffles_results.MUTANT,
    runs_cut_replies.MUTANT,
    mends_what_was_cut.MUTANT,
    guesses_arguments.MUTANT,
    tidies_arguments.MUTANT,
    changes_what_it_repeats.MUTANT,
    mumbles.MUTANT,
    floods_the_context.MUTANT,
    has_no_barriers.MUTANT,
    runs_everything_twice.MUTANT,
    repeats_on_resume.MUTANT,
    retries_after_504.MUTANT,
    denies_what_happened.MUTANT,
    says_nothing_happened.MUTANT,
    retries_at_once.MUTANT,
    starts_over.MUTANT,
    never_stops.MUTANT,
    ignores_cancel.MUTANT,
    leaves_commands_running.MUTANT,
    hides_the_cut.MUTANT,
    hears_too_late.MUTANT,
    hears_too_early.MUTANT,
    loses_the_prompt.MUTANT,
    poisons_the_session.MUTANT,
    stores_results_twice.MUTANT,
    calls_it_completed.MUTANT,
    passes_the_filter.MUTANT,
    swallows_errors.MUTANT,
    waits_for_ever.MUTANT,
    gives_up_at_once.MUTANT,
    believes_the_finish_reason.MUTANT,
    dies_of_bad_arguments.MUTANT,
    dies_of_a_tool.MUTANT,
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
