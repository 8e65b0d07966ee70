"""Any script, rendered streamed and whole by each dialect, is one message to the dialect's SDK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faultloop.bench.sdks.ears import Ear, open_ears
from faultloop.bench.sdks.ears.ear import NAME
from faultloop.bench.sdks.heard import Asked, Heard, canonical
from faultloop.bench.sdks.scene import Scene, scene
from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.script import ScriptedCall, Step

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=4)
CALLS = st.builds(ScriptedCall.of, st.just(NAME), ARGUMENTS)
STEPS = st.builds(
    Step,
    say=TEXTS,
    think=TEXTS,
    calls=st.lists(CALLS, max_size=3).map(tuple),
    finish=st.sampled_from([None, "length", "content_filter"]),
)
BROKEN = st.builds(
    Step,
    say=TEXTS,
    calls=st.builds(ScriptedCall, tool=st.just(NAME), arguments=TEXTS).map(lambda one: (one,)),
)
"""A call whose arguments are any text: most of it is no JSON."""


@pytest.fixture(scope="module")
def on() -> Iterator[Scene]:
    with scene() as made:
        yield made
        assert made.failures == []


@pytest.fixture(scope="module")
def ears() -> Iterator[dict[str, Ear]]:
    with open_ears() as made:
        yield {ear.dialect: ear for ear in made}


def told(heard: Heard) -> tuple[Any, ...]:
    """A reply without its ids, which are those of its conversation."""
    calls = [(call.name, call.arguments, call.namespace) for call in heard.calls]
    return heard.text, heard.thought, heard.refusal, calls, heard.finish, heard.completion_tokens


some = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def heard(on: Scene, ear: Ear, step: Step) -> tuple[Heard, Heard]:
    """Whole and streamed."""
    whole, streamed = (
        ear.ask(on.load(step), Asked(thinks=True), streamed=streamed) for streamed in (False, True)
    )
    return whole, streamed


@pytest.mark.parametrize("dialect", DIALECTS)
@given(step=STEPS)
@some
def test_one_script_is_one_message_in_both_forms(
    dialect: str, step: Step, on: Scene, ears: dict[str, Ear]
) -> None:
    whole, streamed = heard(on, ears[dialect], step)

    assert told(streamed) == told(whole)
    assert whole.complaints == ()
    assert [call.arguments for call in whole.calls] == [
        canonical(call.arguments) for call in step.calls
    ]


# In Messages a call's input is a JSON value, whole; of a stream that holds none its SDK raises.
@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "anthropic_messages"])
@given(step=BROKEN)
@some
def test_so_it_is_with_arguments_that_are_any_text(
    dialect: str, step: Step, on: Scene, ears: dict[str, Ear]
) -> None:
    whole, streamed = heard(on, ears[dialect], step)

    assert told(streamed) == told(whole)
