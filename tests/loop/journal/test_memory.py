"""The journal in memory: the same promises, on a list that outlives a simulated crash."""

from __future__ import annotations

import pytest

from faultloop.loop.journal.memory import MemoryJournal
from faultloop.loop.journal.port import JournalDamaged

from .stores import EVENTS


def test_a_torn_last_record_is_lost_alone_and_written_over() -> None:
    store: list[bytes] = []
    MemoryJournal(store).append(*EVENTS)
    for length in range(len(store[-1])):
        torn = [*store[:-1], store[-1][:length]]
        journal = MemoryJournal(torn)
        assert journal.load() == EVENTS[:-1]
        journal.append(EVENTS[-1])
        assert torn == store


def test_a_last_record_without_a_length_is_damage() -> None:
    store: list[bytes] = []
    MemoryJournal(store).append(*EVENTS)
    store[-1] = store[-1][:8] + b"no bytes" + store[-1][16:]
    with pytest.raises(JournalDamaged, match="record 3") as raised:
        MemoryJournal(store).load()
    assert raised.value.record == 3
