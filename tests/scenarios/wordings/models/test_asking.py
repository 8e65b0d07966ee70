"""Many questions: each asked once, again where that may help, and stopped with whole answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from tests.scenarios.wordings.models.played import Clock, Played, Story, asked, calls, questions

from faultloop.loop.policy import Backoff
from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.models.asking import (
    BACKOFF,
    OUTAGE,
    Manner,
    Progress,
    ask,
)
from faultloop.scenarios.wordings.models.budget import BadLimits, Limits, price_of
from faultloop.scenarios.wordings.models.cache import Cache
from faultloop.scenarios.wordings.models.failures import RULES
from faultloop.scenarios.wordings.models.port import ModelUnusable, NoAnswer, Question

PAID = Answer(text="Hm.", usage=Usage(input_tokens=1_000_000))
PRICE = price_of(1.0, 1.0)


def cache(folder: Path, *, fresh: bool = False) -> Cache:
    return Cache(folder, says=pytest.fail, fresh=fresh)


def failing(times: int, failure: NoAnswer, then: Answer | None = None) -> Story:
    """Fails so often, each question, and answers then."""

    def story(question: Question, before: int) -> Answer:
        if before < times:
            raise failure
        return then or calls("find")

    return story


def number_of(question: Question) -> int:
    return int(question.prompt)


# --- once -------------------------------------------------------------------------------------


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    first, second = Played(), Played()
    one = asked(first, 9, cache=cache(tmp_path))
    other = asked(second, 9, cache=cache(tmp_path))
    assert (len(first.asked), second.asked, second.opened) == (9, [], 0)
    assert other.answers == one.answers
    assert (other.progress.cached, other.progress.took.requests) == (9, 0)
    again = Played()
    asked(again, 9, cache=cache(tmp_path, fresh=True))
    assert len(again.asked) == 9


def test_another_model_and_one_that_costs_nothing_have_nothing_kept(tmp_path: Path) -> None:
    asked(Played(worth_keeping=False), 3, cache=cache(tmp_path))
    assert not list(tmp_path.iterdir())


def test_questions_are_asked_in_their_order_and_so_many_at_a_time() -> None:
    model = Played()
    asked(model, 20, concurrency=3)
    assert model.asked == list(questions(20))
    assert model.at_once_max == 3


def test_who_is_cancelled_has_all_answers_kept(tmp_path: Path) -> None:
    def story(question: Question, before: int) -> Answer:
        if number_of(question) == 5:
            raise asyncio.CancelledError
        return calls("find")

    with pytest.raises(asyncio.CancelledError):
        asked(Played(story=story), 9, concurrency=1, cache=cache(tmp_path))
    second = Played()
    asked(second, 9, cache=cache(tmp_path))
    assert second.asked == list(questions(9))[5:]


def test_progress_tells_how_long_it_will_take(tmp_path: Path) -> None:
    asked(Played(), 2, cache=cache(tmp_path))
    clock, told = Clock(), list[Progress]()

    def story(question: Question, before: int) -> Answer:
        clock.now_s += 10
        return PAID

    asked(
        Played(story=story),
        5,
        clock,
        cache=cache(tmp_path),
        concurrency=1,
        tell=told.append,
        limits=Limits(price=PRICE),
    )
    assert [(one.done, one.total, one.cached) for one in told] == [(3, 5, 2), (4, 5, 2), (5, 5, 2)]
    assert [one.seconds_left for one in told] == [20.0, 10.0, 0.0]
    assert [one.took.cost_usd for one in told] == [1.0, 2.0, 3.0]


# --- again ------------------------------------------------------------------------------------


def test_what_failed_is_tried_again_after_a_wait_that_grows() -> None:
    clock = Clock()
    model = Played(story=failing(3, NoAnswer("unavailable", "busy")))
    found = asked(model, 1, clock)
    assert [answer.calls[0].name for answer in found.answers.values()] == ["find"]
    assert len(clock.slept) == 3
    for wait_s, step_s in zip(clock.slept, (1, 2, 4), strict=True):
        assert step_s / 2 <= wait_s <= step_s


def test_a_wait_that_was_asked_for_is_honoured_by_all() -> None:
    clock = Clock()
    began: list[tuple[int, float]] = []

    def story(question: Question, before: int) -> Answer:
        began.append((number_of(question), clock.now_s))
        if number_of(question) == 0 and not before:
            raise NoAnswer("unavailable", "slow down", retry_after_s=30.0)
        return calls("find")

    found = asked(Played(story=story), 5, clock, concurrency=2)
    assert len(found.answers) == 5
    early = [number for number, at_s in began if at_s < 30.0]
    assert early == [0, 1], "those under way when it was asked for"
    assert all(at_s == 30.0 for _, at_s in began[2:])


def test_a_wait_of_nothing_is_no_wait() -> None:
    clock = Clock()
    asked(Played(story=failing(2, NoAnswer("unavailable", "", retry_after_s=0.0))), 1, clock)
    assert [wait_s >= 0.5 for wait_s in clock.slept] == [True, True]


def test_who_is_asked_to_wait_too_long_gives_up() -> None:
    clock = Clock()
    found = asked(
        Played(story=failing(1, NoAnswer("unavailable", "", retry_after_s=3600))), 1, clock
    )
    assert [one.failure for one in found.answers.values()] == ["unavailable"]
    assert clock.slept == []


def test_when_all_attempts_failed_that_is_the_answer_and_is_not_kept(tmp_path: Path) -> None:
    model = Played(story=failing(99, NoAnswer("broken", "half of it")))
    found = asked(
        model, 2, cache=cache(tmp_path), backoff=Backoff(retries_max=2, base_s=1, cap_s=1)
    )
    assert [one.failure_says for one in found.answers.values()] == ["half of it (3 attempts)"] * 2
    assert found.progress.failed == 2
    second = Played()
    asked(second, 2, cache=cache(tmp_path))
    assert len(second.asked) == 2


def late_for(slow: Callable[[int], bool]) -> Story:
    """Never in time for some questions."""

    def story(question: Question, before: int) -> Answer:
        if slow(number_of(question)):
            raise NoAnswer("timeout", "too late", waited_s=120.0)
        return calls("find")

    return story


def test_a_timeout_is_tried_once_more_and_is_the_answer_then(tmp_path: Path) -> None:
    model = Played(story=late_for(lambda number: number == 1))
    found = asked(model, 3, cache=cache(tmp_path), concurrency=1)
    key = list(questions(3))[1]
    assert model.asked.count(key) == 2
    assert found.answers[key] == Answer(
        failure="timeout", failure_says="too late (2 attempts)", waited_s=120.0
    )
    same, longer = Played(), Played()
    asked(same, 3, cache=Cache(tmp_path, says=pytest.fail, patience_s=120.0))
    assert same.asked == []
    asked(longer, 3, cache=Cache(tmp_path, says=pytest.fail, patience_s=121.0))
    assert longer.asked == [key], "who waits longer may get another answer"


def test_a_wording_that_makes_a_model_talk_without_end_is_measured(tmp_path: Path) -> None:
    """Half of the questions have no answer in time, in whatever order: no outage."""
    model = Played(story=late_for(lambda number: 5 <= number < 50))
    found = asked(model, 90, cache=cache(tmp_path), concurrency=1)
    assert (len(found.answers), found.progress.failed, found.stopped) == (90, 45, "")
    second = Played()
    asked(second, 90, cache=cache(tmp_path))
    assert second.asked == []


def test_where_nothing_but_timeouts_comes_it_is_an_outage_and_none_is_kept(tmp_path: Path) -> None:
    model = Played(story=late_for(lambda number: True))
    found = asked(model, 90, cache=cache(tmp_path), concurrency=1)
    assert len(model.asked) == 2 * OUTAGE
    assert "in a row had no answer; the last: too late (2 attempts)" in found.stopped
    assert not list(tmp_path.iterdir())


def test_who_falls_silent_for_good_has_few_timeouts_kept(tmp_path: Path) -> None:
    """A server that hangs from here on looks the same; what came late is asked again."""
    asked(Played(story=late_for(bool)), 90, cache=cache(tmp_path), concurrency=1)
    second = Played()
    asked(second, 90, cache=cache(tmp_path))
    assert second.asked == list(questions(90))[OUTAGE:]


def test_timeouts_among_other_failures_are_counted_by_themselves() -> None:
    says = [NoAnswer("unavailable", "busy"), NoAnswer("timeout", "late")]

    def story(question: Question, before: int) -> Answer:
        if before < 3:
            raise says[before % 2]
        return calls("find")

    model = Played(story=story)
    found = asked(model, 1)
    assert [one.failure for one in found.answers.values()] == [None]
    assert len(model.asked) == 4


def test_every_failure_has_a_rule() -> None:
    assert set(RULES) == set(get_args(Failure))


def test_failures_make_fewer_requests_at_once_and_answers_more() -> None:
    at_once: list[int] = []

    def story(question: Question, before: int) -> Answer:
        at_once.append(model.at_once + 1)
        if len(at_once) <= 4:
            raise NoAnswer("unavailable", "busy")
        return calls("find")

    model = Played(story=story)
    asked(model, 40, concurrency=4)
    assert max(at_once[4:8]) == 1
    assert max(at_once[8:]) == 4


def test_an_outage_leaves_the_rest_for_another_day(tmp_path: Path) -> None:
    model = Played(story=failing(99, NoAnswer("unavailable", "down")))
    found = asked(model, 100, cache=cache(tmp_path), concurrency=1)
    assert len(found.answers) == OUTAGE
    assert len(model.asked) == OUTAGE * (BACKOFF.retries_max + 1)
    assert found.stopped == (
        f"{OUTAGE} questions in a row had no answer; the last: down (7 attempts)"
    )


def test_questions_that_always_fail_among_others_are_no_outage(tmp_path: Path) -> None:
    """They wait between their attempts, so they come last, one after the other."""
    down = NoAnswer("unavailable", "down")

    def story(question: Question, before: int) -> Answer:
        if number_of(question) % 2 == 0:
            raise down
        return calls("find")

    found = asked(Played(story=story), 40, cache=cache(tmp_path), concurrency=20)
    assert (len(found.answers), found.stopped) == (40, "")


def test_refusals_alone_are_about_the_model_and_are_not_kept(tmp_path: Path) -> None:
    no = Answer(failure="refused", failure_says="no tools here")
    with pytest.raises(ModelUnusable, match=r"played: .*no tools here"):
        asked(Played(story=lambda question, before: no), 20, cache=cache(tmp_path))
    assert not list(tmp_path.iterdir())


def test_refusals_beside_answers_are_about_their_questions(tmp_path: Path) -> None:
    no = Answer(failure="refused", failure_says="bad schema")

    def story(question: Question, before: int) -> Answer:
        return calls("find") if number_of(question) == 3 else no

    found = asked(Played(story=story), 30, cache=cache(tmp_path), concurrency=1)
    assert (len(found.answers), found.stopped) == (30, "")
    second = Played()
    asked(second, 30, cache=cache(tmp_path))
    assert second.asked == []


def test_who_goes_on_knows_that_a_cut_answer_was_a_sign_of_life(tmp_path: Path) -> None:
    cut = Answer(failure="cut", failure_says="at its limit")
    no = Answer(failure="refused", failure_says="bad schema")

    def story(question: Question, before: int) -> Answer:
        return cut if number_of(question) < 5 else no

    for limits in (Limits(requests_max=5), Limits()):
        found = asked(Played(story=story), 30, cache=cache(tmp_path), concurrency=1, limits=limits)
    assert (len(found.answers), found.stopped) == (30, "")


def test_what_the_user_must_mend_ends_all_of_it() -> None:
    def story(question: Question, before: int) -> Answer:
        if number_of(question) == 2:
            raise ModelUnusable("the key is wrong")
        return calls("find")

    model = Played(story=story)
    with pytest.raises(ModelUnusable, match="the key is wrong"):
        asked(model, 50)
    assert model.opened == 0
    assert len(model.asked) < 20


# --- limits -----------------------------------------------------------------------------------


def test_a_limit_of_requests_stops_cleanly_and_the_next_run_goes_on(tmp_path: Path) -> None:
    first, second = Played(), Played()
    found = asked(first, 10, cache=cache(tmp_path), limits=Limits(requests_max=4))
    assert (len(found.answers), len(first.asked)) == (4, 4)
    assert found.stopped == "--max-requests 4 is used up"
    rest = asked(second, 10, cache=cache(tmp_path), limits=Limits(requests_max=6))
    assert (len(rest.answers), rest.stopped) == (10, "")
    assert not set(first.asked) & set(second.asked)


def test_failed_attempts_are_requests_and_an_unfinished_question_has_no_answer() -> None:
    model = Played(story=failing(99, NoAnswer("unavailable", "busy")))
    found = asked(model, 10, concurrency=1, limits=Limits(requests_max=3))
    assert (len(model.asked), found.answers) == (3, {})


def test_a_limit_of_cost_is_never_passed_by_answers_that_cost_the_same() -> None:
    model = Played(story=lambda question, before: PAID)
    found = asked(model, 20, concurrency=8, limits=Limits(cost_usd_max=6.5, price=PRICE))
    assert (len(found.answers), found.progress.took.cost_usd) == (6, 6.0)
    assert "--max-cost 6.5" in found.stopped


def test_nobody_who_asks_is_no_run() -> None:
    with pytest.raises(BadLimits, match="--concurrency 0"):
        Manner(concurrency=0)


def test_a_stop_does_not_wait_for_those_who_sleep() -> None:
    clock = Clock()

    async def sleep(seconds: float) -> None:
        await asyncio.Event().wait()  # for ever

    def story(question: Question, before: int) -> Answer:
        if number_of(question) == 0:
            raise NoAnswer("unavailable", "busy")
        return calls("find")

    manner = Manner(limits=Limits(requests_max=5), concurrency=2, now_s=clock.now, sleep=sleep)
    found = asyncio.run(ask(Played(story=story), questions(20), manner))
    assert len(found.answers) == 4
    assert found.stopped
