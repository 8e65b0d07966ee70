"""Asks a model many questions, several at a time; each one once, whatever happens.

    kept      what the cache has is not asked
    retries   an attempt that failed is made again after a wait that grows, or that was asked for;
              when all failed, that is the answer, and counts as wrong
    limits    when a limit is hit, no request begins any more and those under way come to their end
    outage    when question after question that is asked has no answer at all, the rest is left for
              another day

Which failures are tried again, kept or signs of an outage is a table (`failures`).

Every answer is kept before the next question begins, so that whoever is interrupted, or killed,
goes on where he was; but timeouts from the tenth in a row on are kept when an answer follows, since
a server that hangs looks the same. Questions are asked in the order that they come in; who wants
the arms of a comparison to meet the same weather lets them take turns.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random

import msgspec

from faultloop.loop.policy import Backoff
from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.models.budget import BadLimits, Limits, Meter, Took
from faultloop.scenarios.wordings.models.cache import Cache
from faultloop.scenarios.wordings.models.failures import RULES, is_sign_of_life
from faultloop.scenarios.wordings.models.port import Model, ModelUnusable, NoAnswer, Question

CONCURRENCY = 4
BACKOFF = Backoff(retries_max=6, base_s=1.0, cap_s=60.0)
"""About a minute in all: rate limits are counted by the minute."""
RETRY_AFTER_S_MAX = 600.0
"""A provider that asks for a longer wait gets no retry."""
OUTAGE = 10
"""So many questions in a row without an answer, and nobody is asked any more."""
GROWTH = 0.25
"""Each answer lets a quarter of a request more be under way, after failures made them fewer."""
BREATH_S = 0.05
"""A model that computes and never waits lets others run this often, so that Ctrl-C is heard."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far it is."""

    done: int
    """Cached ones included."""
    total: int
    cached: int
    failed: int
    """Answers that are failures, kept ones included."""
    took: Took
    seconds_left: float | None
    """None: nothing has been asked yet that would tell."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """All that came of the questions."""

    answers: Mapping[str, Answer]
    """By the question's key; those that were not asked are missing."""
    progress: Progress
    stopped: str = ""
    """Why not all were asked, in words; empty: all were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a model is asked. Clock, sleep and chance are given, so that tests need no time.

    Raises BadLimits where nobody would ask.
    """

    limits: Limits = field(default_factory=Limits)
    concurrency: int = CONCURRENCY
    backoff: Backoff = BACKOFF
    cache: Cache | None = None
    """None: nothing is kept."""
    tell: Callable[[Progress], None] = lambda _: None
    """Called after each answer."""
    now_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Random = field(default_factory=lambda: Random(0))
    """Jitter of the waits."""
    has_answered: bool = False
    """In an earlier part of the same run: what fails now is about its question."""

    def __post_init__(self) -> None:
        """One at a time is the least."""
        if self.concurrency < 1:
            raise BadLimits(f"--concurrency {self.concurrency}: it must be 1 or more")


async def ask(model: Model, questions: Mapping[str, Question], manner: Manner) -> Asked:
    """Ask what is not kept. `questions`: by the key under which answers are kept, in their order.

    Raises ModelUnusable. When it is cancelled, what was answered is kept.
    """
    run = _Run(model, questions, manner)
    if len(run.answers) < len(questions):
        async with model:
            await run.all()
    return Asked(answers=run.answers, progress=run.progress(), stopped=run.stopped)


class _Run:
    """One run over some questions."""

    def __init__(self, model: Model, questions: Mapping[str, Question], manner: Manner) -> None:
        self._model = model
        self._manner = manner
        self._cache = manner.cache if model.worth_keeping else None
        self._meter = Meter(manner.limits)
        self._total = len(questions)
        self.answers: dict[str, Answer] = {}
        self._failed = 0
        self._failed_in_a_row = 0
        self._signs_of_life = 0
        self._has_answered = manner.has_answered
        self._held: dict[str, Answer] = {}
        """What came before the first answer, or when all fell silent: kept once it is sure that it
        was about questions."""
        self._at_once = float(manner.concurrency)
        """How many requests may be under way: fewer after failures, slowly more after answers."""
        self._not_before_s = 0.0
        """A provider asked for patience: nobody asks before this time."""
        self.stopped = ""
        self._over = asyncio.Event()
        """It was stopped; nobody needs to wait for anything any more."""
        self._ended = asyncio.Event()
        """A request came to its end: there may be room for another."""
        if self._cache is not None:
            for key in questions:
                if (kept := self._cache.get(key)) is not None:
                    self._take(key, kept)
        self._has_answered |= any(map(is_sign_of_life, self.answers.values()))
        self._cached = len(self.answers)
        self._waiting = ((key, one) for key, one in questions.items() if key not in self.answers)
        self._begun_s = manner.now_s()

    def progress(self) -> Progress:
        """How far it is."""
        done = len(self.answers)
        asked, left = done - self._cached, self._total - done
        passed_s = self._manner.now_s() - self._begun_s
        return Progress(
            done=done,
            total=self._total,
            cached=self._cached,
            failed=self._failed,
            took=self._meter.took,
            seconds_left=passed_s / asked * left if asked else None,
        )

    async def all(self) -> None:
        """Ask until all have their answers, or something stops the run."""
        at_once = min(self._manner.concurrency, self._total)
        workers = [asyncio.create_task(self._work()) for _ in range(at_once)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self) -> None:
        breath_s = self._manner.now_s()
        for key, question in self._waiting:
            signs_before = self._signs_of_life
            answer = await self._answer(question)
            if answer is None:
                return
            self._take(key, answer)
            self._look_for_outage(answer, signs_before)
            self._keep(key, answer)
            self._manner.tell(self.progress())
            if (now_s := self._manner.now_s()) - breath_s > BREATH_S:
                await asyncio.sleep(0)
                breath_s = now_s

    async def _answer(self, question: Question) -> Answer | None:
        """The answer, in as many attempts as it takes; None: the run was stopped before it."""
        failures: Counter[Failure] = Counter()
        while await self._may_begin():
            try:
                return await self._attempt(question)
            except NoAnswer as failure:
                failures[failure.failure] += 1
                wait_s = self._wait_s(failure, failures)
                if wait_s is None:
                    return _given_up(failure, failures.total())
                await self._pause(wait_s)
        return None

    async def _may_begin(self) -> bool:
        """Wait until there is room for a request; False: there will be none."""
        while not self.stopped:
            early_s = self._not_before_s - self._manner.now_s()
            if early_s > 0:
                await self._pause(early_s)
                continue
            verdict = self._meter.verdict()
            if verdict == "stop":
                self._stop(self._meter.why())
            elif verdict == "go" and self._meter.under_way < int(self._at_once):
                return True
            else:
                self._ended.clear()
                await self._ended.wait()
        return False

    async def _attempt(self, question: Question) -> Answer:
        usage: Usage | None = None
        self._meter.begin()
        try:
            answer = await self._model.answer(question)
            usage = answer.usage
            self._at_once = min(self._at_once + GROWTH, self._manner.concurrency)
            return answer
        except NoAnswer as failure:
            usage = failure.usage
            self._at_once = max(1.0, self._at_once / 2)
            raise
        finally:
            self._meter.end(usage)
            self._ended.set()

    def _wait_s(self, failure: NoAnswer, failures: Counter[Failure]) -> float | None:
        """How long to wait after so many failures of a question, and all at least what was asked
        for; None: give up."""
        backoff, asked_s = self._manner.backoff, failure.retry_after_s or 0.0
        most = RULES[failure.failure].retries_max
        if most is not None and failures[failure.failure] > most:
            return None
        if failures.total() > backoff.retries_max or asked_s > RETRY_AFTER_S_MAX:
            return None
        self._not_before_s = max(self._not_before_s, self._manner.now_s() + asked_s)
        return max(asked_s, backoff.wait_s(failures.total(), self._manner.random))

    async def _pause(self, seconds: float) -> None:
        """Sleep, unless the run is stopped meanwhile."""
        if seconds <= 0:
            return
        sleeping = asyncio.ensure_future(self._manner.sleep(seconds))
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait((sleeping, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            over.cancel()

    def _stop(self, why: str) -> None:
        self.stopped = why
        self._over.set()
        self._ended.set()

    def _take(self, key: str, answer: Answer) -> None:
        self.answers[key] = answer
        self._failed += answer.failed

    def _keep(self, key: str, answer: Answer) -> None:
        if self._cache is None:
            return
        self._held[key] = answer
        if self._has_answered and self._failed_in_a_row < OUTAGE:
            for its_key, one in self._held.items():
                self._cache.put(its_key, one)
            self._held.clear()

    def _look_for_outage(self, answer: Answer, signs_before: int) -> None:
        """Stop where nobody answers any more. Raises ModelUnusable: that is the user's to mend.

        What fails has waited, so it comes behind what was answered meanwhile: a question that was
        first asked before the last sign of life (`signs_before` of them) says nothing.
        """
        outage = RULES[answer.failure].outage if answer.failure else "never"
        if is_sign_of_life(answer) or (outage == "refusal" and self._has_answered):
            self._has_answered = True
            self._failed_in_a_row = 0
            self._signs_of_life += is_sign_of_life(answer)
            return
        if signs_before < self._signs_of_life:
            return
        self._failed_in_a_row += 1
        is_none = outage == "at first" and self._has_answered
        if self._failed_in_a_row < OUTAGE or self.stopped or is_none:
            return
        says = f"{OUTAGE} questions in a row had no answer; the last: {answer.failure_says}"
        if outage == "refusal":
            raise ModelUnusable(f"{self._model.name}: {says}")
        self._stop(says)


def _given_up(failure: NoAnswer, attempts: int) -> Answer:
    """The answer that a failure is after so many attempts."""
    tries = "one attempt" if attempts == 1 else f"{attempts} attempts"
    return Answer(
        failure=failure.failure, failure_says=f"{failure} ({tries})", waited_s=failure.waited_s
    )
