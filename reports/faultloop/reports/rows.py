"""What is known of a play after it was judged, as values that reports are made of.

The models are `summary.json` version 1, exactly as published; the row values are `plays.parquet`.
Nothing here depends on wall time: what does is in `Played.wall_s` and `Played.times_s`, which only
`timings.parquet` holds, so that equal plays make equal rows. The bench fills these values with
`from_play`, or with `not_played` for a scenario that does not apply to a subject.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_serializer
from pydantic import SerializerFunctionWrapHandler as Fields

from faultloop.fakes.history import AnyEntry, EffectApplied, FaultFired, Requested
from faultloop.reports.first_end import failed_with, first_end, reason_of
from faultloop.scenarios.evidence import Evidence
from faultloop.scenarios.judge import Judgement
from faultloop.scenarios.scenario import Scenario
from faultloop.scenarios.subject import Capabilities, Column, Tier
from faultloop.scenarios.verdict import Verdict

DRILL = "drill"
"""Stands in place of a dialect where a promise was judged from inside, without any wire."""

STDERR_CHARS_MAX = 4_000
"""What summary.json keeps of a subject's standard error: its end. failures/ keeps all of it."""


class Record(BaseModel):
    """What all parts of summary.json have in common: unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Proof(Record):
    """Why a check concluded as it did."""

    positions: tuple[int, ...] = ()
    """Positions in the play's history."""
    sentence: str


class CheckRecord(Record):
    """One check's conclusion about one play."""

    check: str
    claim: str
    """SPEC id."""
    verdict: Verdict
    proof: Proof
    by_account: bool = False
    """Broken by nothing but the subject's own account of its end; said only where it is so."""

    @model_serializer(mode="wrap")
    def _without_what_is_not_so(self, fields: Fields) -> dict[str, Any]:
        said: dict[str, Any] = fields(self)
        return said if self.by_account else {k: v for k, v in said.items() if k != "by_account"}


class PlayKey(NamedTuple):
    """Which play it is: what two reports are compared by, and the order of everything written."""

    scenario: str
    subject: str
    dialect: str
    streaming: bool
    tier: str
    policy: str
    seed: int
    repeat: int


class PlayRecord(Record):
    """One play and its verdict."""

    subject: str
    version: str
    scenario: str
    claims: tuple[str, ...]
    """SPEC ids that the scenario is about."""
    tier: Tier
    dialect: str
    streaming: bool
    policy: str
    seed: int
    repeat: int
    verdict: Verdict
    reason: str
    """One sentence for people; why the verdict is what it is."""
    end_reason: str
    """Of the first turn, by the subject's own account; `killed` or `did_not_end` without one."""
    faults_fired: tuple[str, ...]
    """Kinds of faults that struck, each once, in the order of their first strike."""
    replay: str
    """The one command that plays this again."""
    stderr: str
    """The end of what the subject wrote there; kept for broken and unknown plays only."""
    checks: tuple[CheckRecord, ...]
    failed: str | None = None
    """What the account names as its error, see `failed_with`; None where it ended otherwise, and in
    reports from before this was kept. Said only where it is known."""

    @model_serializer(mode="wrap")
    def _without_what_is_not_known(self, fields: Fields) -> dict[str, Any]:
        said: dict[str, Any] = fields(self)
        return said if self.failed is not None else {k: v for k, v in said.items() if k != "failed"}

    @property
    def key(self) -> PlayKey:
        """Which play it is."""
        return PlayKey(
            scenario=self.scenario,
            subject=self.subject,
            dialect=self.dialect,
            streaming=self.streaming,
            tier=self.tier,
            policy=self.policy,
            seed=self.seed,
            repeat=self.repeat,
        )

    @property
    def counted(self) -> tuple[CheckRecord, ...]:
        """Its checks as they count for their promises: none says more than the play does.

        A play is `unknown` as a whole where it proved less than it set out to (a fault never fired)
        or where the bench itself failed. What its checks saw then proves neither that a promise
        was kept nor that it was broken; what they would have said stays in the sentence. A check
        that cannot tell casts no doubt on what the others saw.
        """
        if self.verdict is not Verdict.UNKNOWN or self._is_of_a_check:
            return self.checks
        return tuple(self._capped(check) for check in self.checks)

    @property
    def _is_of_a_check(self) -> bool:
        """Whether the reason is the sentence of a check, and so nothing else was in doubt."""
        return any(
            check.verdict is Verdict.UNKNOWN
            and self.reason.startswith(f"{check.check}: {check.proof.sentence}")
            for check in self.checks
        )

    def _capped(self, check: CheckRecord) -> CheckRecord:
        if check.verdict not in (Verdict.HELD, Verdict.BROKEN):
            return check
        sentence = (
            f"it looked {check.verdict} ({check.proof.sentence}), but the play as a whole proves"
            f" nothing: {self.reason}"
        )
        proof = check.proof.model_copy(update={"sentence": sentence})
        return check.model_copy(update={"verdict": Verdict.UNKNOWN, "proof": proof})


class Summary(Record):
    """summary.json, version 1."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    seed: int
    plays: tuple[PlayRecord, ...]
    """In the order of their keys."""
    totals: dict[Verdict, int]
    """Number of plays by verdict."""
    planned: int = 0
    """How many plays the run set out to make; said only where it was cut short before that."""

    @property
    def is_cut_short(self) -> bool:
        """Whether the run ended before all of its plays were made."""
        return len(self.plays) < self.planned

    @model_serializer(mode="wrap")
    def _without_what_is_not_said(self, fields: Fields) -> dict[str, Any]:
        return {
            name: value
            for name, value in fields(self).items()
            if name != "planned" or self.is_cut_short
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A finished play with all that a report keeps of it."""

    record: PlayRecord
    requests: int
    """Provider requests that arrived."""
    effects: int
    """Entries in the ledger."""
    scenario: dict[str, Any]
    """The scenario file, as JSON values."""
    chosen: str = ""
    """How the subject was asked for: a name, `mutant:NAME` or the path of a subject.toml."""
    history: tuple[AnyEntry, ...] = ()
    stderr: str = ""
    """All of it that the subject's session kept."""
    wall_s: float = 0.0
    times_s: tuple[float, ...] = ()
    """Seconds since the play began, one for each entry of the history."""


class Row(NamedTuple):
    """One row of plays.parquet: a play and one of its checks (without one, where it has none)."""

    subject: str
    version: str
    scenario: str
    claims: list[str]
    tier: str
    dialect: str
    streaming: bool
    policy: str
    seed: int
    repeat: int
    verdict: str
    reason: str
    end_reason: str
    faults_fired: list[str]
    requests: int
    effects: int
    check: str | None
    claim: str | None
    check_verdict: str | None
    positions: list[int]
    sentence: str | None


def play_name(key: PlayKey) -> str:
    """A file name for a play; also its anchor in the page. Different keys, different names."""
    form = "streamed" if key.streaming else "whole"
    policy = f"--{_file_name(key.policy)}" if key.policy else ""
    return (
        f"{key.scenario}--{_file_name(key.subject)}--{key.dialect}-{form}{policy}"
        f"--{key.tier}-seed{key.seed}-{key.repeat}"
    )


def _file_name(text: str) -> str:
    """`mutant:forgetful` is `mutant=forgetful`; paths and the like get a checksum besides."""
    plain = text.replace(":", "=")
    if re.fullmatch(r"[\w-][\w.=-]*", plain, re.ASCII) and "=" not in text:
        return plain
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', text).strip('-')}-{zlib.crc32(text.encode()):08x}"


def from_play(
    evidence: Evidence,
    judgement: Judgement,
    *,
    version: str,
    tier: Tier,
    seed: int,
    repeat: int,
    replay: str,
    chosen: str = "",
    wall_s: float = 0.0,
    stderr: str = "",
) -> Played:
    """What a report keeps of a play that was played and judged."""
    history = evidence.history
    end = first_end(history)
    told = judgement.verdict in (Verdict.BROKEN, Verdict.UNKNOWN)
    record = PlayRecord(
        subject=evidence.subject,
        version=version,
        scenario=evidence.scenario.name,
        claims=evidence.scenario.claims,
        tier=tier,
        dialect=evidence.column.dialect,
        streaming=evidence.column.streaming,
        policy=evidence.capabilities.policy,
        seed=seed,
        repeat=repeat,
        verdict=judgement.verdict,
        reason=judgement.reason,
        end_reason=reason_of(end),
        faults_fired=tuple(dict.fromkeys(e.kind for e in history if isinstance(e, FaultFired))),
        replay=replay,
        stderr=stderr[-STDERR_CHARS_MAX:] if told else "",
        checks=tuple(
            CheckRecord(
                check=finding.check,
                claim=finding.claim,
                verdict=finding.verdict,
                proof=Proof(positions=finding.positions, sentence=finding.sentence),
                by_account=finding.by_account,
            )
            for finding in judgement.findings
        ),
        failed=failed_with(end),
    )
    return Played(
        record=record,
        requests=sum(isinstance(entry, Requested) for entry in history),
        effects=sum(isinstance(entry, EffectApplied) for entry in history),
        scenario=scenario_file(evidence.scenario),
        chosen=chosen or evidence.subject,
        history=history,
        stderr=stderr,
        wall_s=wall_s,
        times_s=evidence.times_s,
    )


def not_played(
    scenario: Scenario,
    *,
    subject: str,
    version: str,
    capabilities: Capabilities,
    column: Column,
    seed: int,
    repeat: int,
    reason: str,
    replay: str = "",
    chosen: str = "",
) -> Played:
    """A scenario that does not apply to this subject in this column, and why."""
    record = PlayRecord(
        subject=subject,
        version=version,
        scenario=scenario.name,
        claims=scenario.claims,
        tier=capabilities.tier,
        dialect=column.dialect,
        streaming=column.streaming,
        policy=capabilities.policy,
        seed=seed,
        repeat=repeat,
        verdict=Verdict.NOT_APPLICABLE,
        reason=reason,
        end_reason="",
        faults_fired=(),
        replay=replay,
        stderr="",
        checks=(),
    )
    return Played(
        record=record,
        requests=0,
        effects=0,
        scenario=scenario_file(scenario),
        chosen=chosen or subject,
    )


def scenario_file(scenario: Scenario) -> dict[str, Any]:
    """The scenario as the values of its file; fields that the file left out are left out."""
    # Not exclude_defaults: that drops the `kind` by which a fault is read back.
    return scenario.model_dump(mode="json", by_alias=True, exclude_unset=True)


def summarise(records: Iterable[PlayRecord], *, seed: int, planned: int = 0) -> Summary:
    """The summary of these plays, in the order of their keys; of how many, where known."""
    plays = tuple(sorted(records, key=lambda record: record.key))
    totals = {verdict: sum(play.verdict is verdict for play in plays) for verdict in Verdict}
    missing = planned > len(plays)
    return Summary(seed=seed, plays=plays, totals=totals, planned=planned if missing else 0)


def rows(record: PlayRecord, *, requests: int, effects: int) -> Iterator[Row]:
    """The rows of one play, in the order of its checks' names."""
    found = sorted(record.checks, key=lambda check: (check.check, check.claim))
    for check in found or (None,):
        yield Row(
            subject=record.subject,
            version=record.version,
            scenario=record.scenario,
            claims=list(record.claims),
            tier=record.tier,
            dialect=record.dialect,
            streaming=record.streaming,
            policy=record.policy,
            seed=record.seed,
            repeat=record.repeat,
            verdict=record.verdict,
            reason=record.reason,
            end_reason=record.end_reason,
            faults_fired=list(record.faults_fired),
            requests=requests,
            effects=effects,
            check=check.check if check else None,
            claim=check.claim if check else None,
            check_verdict=check.verdict if check else None,
            positions=list(check.proof.positions) if check else [],
            sentence=check.proof.sentence if check else None,
        )
