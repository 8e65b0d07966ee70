"""The reference as a subject: both ports, kills at its own landmarks, and loops that were bent."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from faultloop.fakes.history import Ended, Requested, Started, dump
from faultloop.loop.engine import Agent, TurnEnd
from faultloop.scenarios.house import SimHouse
from faultloop.scenarios.play import Done, Order
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Column
from faultloop.scenarios.subjects.reference import Port, ReferenceSubject
from faultloop.scenarios.subjects.reference_parts import Parts, agent_of


def scenario(**parts: Any) -> Scenario:
    call = {"tool": "append_file", "args": {"path": "notes.txt", "line": "beta"}}
    return Scenario.model_validate(
        {
            "schema": 1,
            "name": "reference",
            "claim": "The reference is played.",
            "claims": ["L1"],
            "checks": ["results_closed"],
            "world": {"files": {"notes.txt": "alpha\n"}},
            "input": "Append beta.",
            "script": [{"calls": [call]}, {"say": "It is appended."}],
            "accept": [{}],
            "max_requests": 9,
            **parts,
        }
    )


def played(subject: ReferenceSubject, *, streaming: bool = True, **parts: Any) -> Done:
    column = Column(streaming=streaming)
    order = Order(scenario=scenario(**parts), subject=subject, column=column, seed=3)
    (done,) = SimHouse().play([order])
    assert done.crash == ""
    return done


def of(done: Done, *kinds: type) -> list[Any]:
    return [entry for entry in done.evidence.history if isinstance(entry, kinds)]


def digest(done: Done) -> str:
    return hashlib.blake2b(dump(done.evidence.history), digest_size=8).hexdigest()


# --- the two ports --------------------------------------------------------------------------

TROUBLE: dict[str, dict[str, Any]] = {
    "none": {},
    "cut reply": {"faults": [{"kind": "truncated_arguments", "at": "step 1"}]},
    "rate limit": {"faults": [{"kind": "rate_limited", "at": "step 1", "retry_after_s": 3}]},
    "lost answer": {"faults": [{"kind": "gateway_timeout_after_effect", "at": "tool append_file"}]},
    "kill in a call": {"events": [{"at": "after_effect", "do": "kill"}]},
    "steer": {"events": [{"at": "call_arrived", "do": "steer", "text": "left"}]},
    "cancel": {
        "faults": [{"kind": "tool_slow", "at": "tool append_file"}],
        "events": [{"at": "call_arrived", "do": "cancel"}],
    },
}


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("trouble", TROUBLE)
def test_with_and_without_http_the_subject_says_and_does_the_same(
    trouble: str, streaming: bool
) -> None:
    ports: tuple[Port, ...] = ("http", "direct")
    http, direct = (
        played(ReferenceSubject(port=port), streaming=streaming, **TROUBLE[trouble])
        for port in ports
    )
    assert [one.messages for one in of(http, Requested)] == [
        one.messages for one in of(direct, Requested)
    ]
    assert [one.account for one in of(http, Ended)] == [one.account for one in of(direct, Ended)]
    assert [effect.what for effect in http.evidence.ledger] == [
        effect.what for effect in direct.evidence.ledger
    ]


def test_the_same_seed_gives_the_same_bytes_whatever_hashes_are_seeded_with() -> None:
    program = (
        "import tests_reference as t; print(t.digest(t.played(t.ReferenceSubject(),"
        " **t.TROUBLE['kill in a call'])))"
    )
    loader = (
        "import importlib.util, sys; s = importlib.util.spec_from_file_location("
        f"'tests_reference', {__file__!r}); m = importlib.util.module_from_spec(s);"
        " sys.modules['tests_reference'] = m; s.loader.exec_module(m); "
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", loader + program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    }
    assert digests == {digest(played(ReferenceSubject(), **TROUBLE["kill in a call"])) + "\n"}


# --- its own landmarks and its journal ------------------------------------------------------


@pytest.mark.parametrize("landmark", ["before_journal", "after_journal"])
@pytest.mark.parametrize("occurrence", range(1, 12))
def test_a_kill_at_any_append_to_its_journal_is_survived(landmark: str, occurrence: int) -> None:
    event = {"at": landmark, "do": "kill", "occurrence": occurrence}
    done = played(ReferenceSubject(), events=[event])
    assert [outcome.how for outcome in done.outcomes][:2] == ["killed", "exited"]
    assert of(done, Ended)[-1].account.end_reason == "completed"
    assert len(done.evidence.ledger) <= 1


def test_its_journal_is_evidence_as_plain_data() -> None:
    journal = played(ReferenceSubject()).evidence.journal
    assert journal is not None
    kinds = [event["type"] for event in journal]
    assert kinds.index("call_started") < kinds.index("call_ended")
    assert kinds[-1] == "turn_ended"


def test_what_recovery_closed_is_in_its_account() -> None:
    done = played(ReferenceSubject(), events=[{"at": "after_effect", "do": "kill"}])
    assert [started.resume for started in of(done, Started)] == [False, True, True]
    assert of(done, Ended)[1].account.recovered == ("interrupted",)


# --- bent loops -----------------------------------------------------------------------------


class Liar(Agent):
    """Says completed whatever happened."""

    async def prompt(self, text: str, *, input_id: str | None = None) -> TurnEnd:
        return replace(await super().prompt(text, input_id=input_id), end_reason="completed")


def test_a_mutant_is_another_assembly() -> None:
    honest, liar = (
        played(subject, faults=[{"kind": "truncated_text", "at": "step 2"}])
        for subject in (
            ReferenceSubject(),
            ReferenceSubject(name="mutant:liar", assembly=partial(agent_of, Liar)),
        )
    )
    assert of(honest, Ended)[0].account.end_reason == "max_tokens"
    assert of(liar, Ended)[0].account.end_reason == "completed"


def test_a_loop_that_raises_is_an_error_with_its_traceback_kept() -> None:
    def broken(parts: Parts) -> Agent:
        raise ValueError("assembled badly")

    done = played(ReferenceSubject(assembly=broken))
    (outcome, _) = done.outcomes
    assert (outcome.exit_code, outcome.account.end_reason) == (1, "error")
    assert outcome.account.error == "ValueError: assembled badly"
    assert "in broken" in done.stderr
