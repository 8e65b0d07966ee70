"""Running: a lot's plays are made, judged, kept and handed on, one as each finishes.

Whoever plays (pytest or the command line) sees only records; histories go to disk at once, so a
long run stays small in memory.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace

from faultloop.bench.selection import Lot, Piece, usual_repeats
from faultloop.reports.rows import Played, PlayRecord, from_play, not_played
from faultloop.scenarios.house import open_house
from faultloop.scenarios.judge import Judgement, judge
from faultloop.scenarios.play import Done, Order

PARALLEL = 3 * (os.cpu_count() or 1)
"""Plays of the real tier at once: a third of their time is work, the rest is waiting for the other
side, for retries to be due and for disks to have written."""


def play_lot(
    lot: Lot,
    *,
    keep: Callable[[Played], None],
    seen: Callable[[], object] = lambda: None,
    port: int = 0,
) -> Sequence[PlayRecord]:
    """Play everything of a lot. `keep` gets each play, `seen` is called after each.

    Raises BadSubject where the subject's declaration is wrong, CannotListen where the port is not
    to be had, and what `keep` raises.
    """
    records: list[PlayRecord] = []

    def take(played: Played) -> None:
        keep(played)
        records.append(played.record)
        seen()

    applicable: dict[str, Piece] = {}
    orders: list[Order] = []
    for piece in lot.pieces:
        if piece.why_not:
            take(_not_played(lot, piece, piece.why_not))
            continue
        order = Order(
            scenario=piece.scenario,
            subject=lot.subject,
            column=lot.column,
            seed=lot.seed,
            repeat=piece.repeat,
        )
        applicable[order.play] = piece
        orders.append(order)
    if orders:
        with open_house(lot.subject, parallel=PARALLEL, port=port) as house:
            for done in house.play(orders):
                take(_judged(lot, applicable[done.order.play], done))
    return records


def judged(done: Done) -> Judgement:
    """The judgement of a finished play; a failure of the bench itself makes it `unknown`."""
    found = judge(
        done.evidence,
        unfired_faults=done.unfired_faults,
        idle_triggers=done.idle_triggers,
        crash=done.crash,
    )
    return replace(found, reason=f"{found.reason}; {done.again}") if done.again else found


def _judged(lot: Lot, piece: Piece, done: Done) -> Played:
    if done.not_applicable:
        return _not_played(lot, piece, done.not_applicable)
    return from_play(
        done.evidence,
        judged(done),
        version=lot.subject.version,
        tier=lot.subject.capabilities.tier,
        seed=lot.seed,
        repeat=piece.repeat,
        replay=replay_command(lot, piece),
        chosen=lot.chosen,
        wall_s=done.wall_s,
        stderr="\n".join(part for part in (done.stderr, done.crash) if part),
    )


def _not_played(lot: Lot, piece: Piece, why_not: str) -> Played:
    return not_played(
        piece.scenario,
        subject=lot.subject.name,
        version=lot.subject.version,
        capabilities=lot.subject.capabilities,
        column=lot.column,
        seed=lot.seed,
        repeat=piece.repeat,
        reason=why_not,
        chosen=lot.chosen,
    )


REPLAYED = "faultloop-replay"
"""Where a printed command puts its report: never over the one that it was copied from."""


def replay_command(lot: Lot, piece: Piece) -> str:
    """The one line that plays this again, and nothing else, from anywhere."""
    is_one_of_several = piece.repeat > 0 or usual_repeats(lot.subject, piece.scenario) > 1
    words = [
        "faultloop",
        "run",
        "--subject",
        lot.chosen,
        "--scenario",
        piece.file or piece.scenario.name,
        "--dialect",
        lot.column.dialect,
        "--stream" if lot.column.streaming else "--no-stream",
        "--seed",
        str(lot.seed),
        *(("--only-repeat", str(piece.repeat)) if is_one_of_several else ()),
        "--report-dir",
        REPLAYED,
    ]
    return shlex.join(words)
