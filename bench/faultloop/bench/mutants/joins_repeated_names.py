"""A loop that concatenates all fields of all pieces, a call's name included."""

import msgspec

from faultloop.bench.mutants.misreading import Misreading, Misreads
from faultloop.bench.mutants.mutant import Mutant
from faultloop.loop.providers.port import CallDelta, Delta


class Joining(Misreading):
    """Adds text to text."""

    names: dict[int, str]

    def begins(self) -> None:
        """With nothing."""
        self.names = {}

    def misread(self, delta: CallDelta) -> Delta | None:
        """The piece, under all that was called its name so far."""
        place = delta.index or 0
        self.names[place] = self.names.get(place, "") + (delta.name or "")
        return msgspec.structs.replace(delta, name=self.names[place] if delta.name else delta.name)


class JoinsRepeatedNames(Misreads):
    """Calls read_fileread_file."""

    reading = Joining


MUTANT = Mutant(
    name="joins-repeated-names",
    does="joins a name that comes with every piece of a call to one long name",
    claims=("P3",),
    breaks=("end_acceptable",),
    agent=JoinsRepeatedNames,
    scenarios=("repeated-names", "empty-chunks"),
)
