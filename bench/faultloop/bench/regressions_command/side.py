"""One side of a pair: what the named check said of one version, and whether that was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from faultloop.bench.regressions_command.reading import Regression
from faultloop.reports.rows import PlayRecord
from faultloop.scenarios.verdict import Verdict, worst


class Agreement(StrEnum):
    """What is seen beside what was expected."""

    AS_EXPECTED = "as expected"
    DIFFERS = "differs"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One version."""

    version: str
    expected: Verdict
    """Broken on the affected version, held on the fixed one."""
    seen: Verdict
    why: str
    """What the check saw, or why there was nothing to see."""
    replay: str = ""
    """The one command that shows it again."""
    plays: int = 0
    to_install: str = ""
    """What `faultloop subjects install` takes, where it was not played for want of that."""
    by_account: bool = False
    """Seen in nothing but the subject's account of its end, and so through one driver's eyes."""

    @property
    def agreement(self) -> Agreement:
        """Only a check that held or broke can contradict."""
        if self.seen is self.expected:
            return Agreement.AS_EXPECTED
        tells = self.seen in (Verdict.HELD, Verdict.BROKEN)
        return Agreement.DIFFERS if tells else Agreement.CANNOT_TELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A regression and its sides, the affected one first."""

    regression: Regression
    sides: tuple[Side, ...]

    @property
    def is_played(self) -> bool:
        """Whether anything of it is installed."""
        return not all(side.to_install for side in self.sides)

    @property
    def agreement(self) -> Agreement:
        """Of both sides together."""
        found = {side.agreement for side in self.sides}
        for worse in (Agreement.DIFFERS, Agreement.CANNOT_TELL):
            if worse in found:
                return worse
        return Agreement.AS_EXPECTED


def seen_in(
    records: Sequence[PlayRecord], check: str, version: str, expected: Verdict, replay: str
) -> Side:
    """The side that these plays of one scenario come to: of several, the worst counts."""
    found = [one for play in records for one in play.counted if one.check == check]
    verdict = worst(one.verdict for one in found)
    decisive = [one for one in found if one.verdict is verdict]
    why = decisive[0].proof.sentence if decisive else ""
    if not found:
        verdict = worst(play.verdict for play in records)
        verdict = Verdict.NOT_APPLICABLE if verdict is Verdict.NOT_APPLICABLE else Verdict.UNKNOWN
        why = next((play.reason for play in records), "nothing was played")
    return Side(
        version=version,
        expected=expected,
        seen=verdict,
        why=why,
        replay=replay,
        plays=len(records),
        by_account=bool(decisive) and all(one.by_account for one in decisive),
    )
