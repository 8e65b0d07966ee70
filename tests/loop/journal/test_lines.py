"""The lines of a JSONL journal: readable by anybody, judged one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultloop.loop.journal.jsonl import JsonlJournal
from faultloop.loop.journal.lines import BEGIN, line_at, scan, written
from faultloop.loop.journal.port import JournalDamaged, encode

from .stores import EVENTS, said

bodies = st.lists(st.text(max_size=20).map(lambda text: encode(said(1, text))), min_size=1)


def joined(appends: list[list[bytes]]) -> bytes:
    data, crc = b"", 0
    for batch in appends:
        line, crc = written(batch, crc)
        data += line
    return data


def test_each_append_is_one_line_of_json(tmp_path: Path) -> None:
    journal = JsonlJournal(tmp_path / "journal.jsonl")
    journal.append(*EVENTS[:3])
    journal.append(EVENTS[3])
    journal.close()
    lines = (tmp_path / "journal.jsonl").read_text().splitlines()
    first, second = (json.loads(line) for line in lines)
    assert [event["type"] for event in first["events"]] == [
        *("input_queued", "turn_started", "input_claimed")
    ]
    assert first["after"] == "00000000"
    assert second["after"] == first["crc"]


@given(st.lists(bodies))
def test_what_was_written_is_found_again(appends: list[list[bytes]]) -> None:
    found = scan(joined(appends), Path("journal"))
    assert [line.body for line in found.lines] == [b",".join(batch) for batch in appends]
    assert found.end == len(joined(appends))


@given(st.lists(bodies, min_size=1))
def test_a_line_begins_only_where_one_was_written(appends: list[list[bytes]]) -> None:
    data = joined(appends)
    assert data.count(BEGIN) == len(appends)
    starts = [at for at in range(len(data)) if line_at(data, at) is not None]
    assert len(starts) == len(appends)


@given(st.binary(max_size=200))
def test_rubbish_behind_the_last_line_is_torn_and_not_believed(rubbish: bytes) -> None:
    data = joined([[encode(event)] for event in EVENTS])
    found = scan(data + rubbish, Path("journal"))
    assert (len(found.lines), found.end) == (len(EVENTS), len(data))


@given(st.data())
def test_lines_that_were_exchanged_or_doubled_are_damage(data: st.DataObject) -> None:
    lines = [joined([[encode(event)] for event in EVENTS[: n + 1]]) for n in range(len(EVENTS))]
    single = [lines[0], *(lines[n][len(lines[n - 1]) :] for n in range(1, len(lines)))]
    order = data.draw(st.lists(st.sampled_from(range(4)), min_size=1, max_size=6))
    if order == list(range(len(order))):
        return
    wrong = next(at for at, line in enumerate(order) if line != at)
    with pytest.raises(JournalDamaged, match="does not follow the one before") as raised:
        scan(b"".join(single[line] for line in order), Path("journal"))
    assert raised.value.record == wrong
    assert raised.value.offset == sum(len(single[line]) for line in order[:wrong])


def test_several_bad_lines_are_torn_only_if_nothing_whole_stands_behind_all_of_them() -> None:
    whole, starts, crc = b"", [], 0
    for event in EVENTS:
        starts.append(len(whole))
        line, crc = written([encode(event)], crc)
        whole += line

    def bad(*numbers: int) -> bytes:
        data = bytearray(whole)
        for number in numbers:
            data[starts[number] + 80] ^= 1
        return bytes(data)

    assert len(scan(bad(2, 3), Path("journal")).lines) == 2
    with pytest.raises(JournalDamaged, match=f"behind it, at byte {starts[3]}") as raised:
        scan(bad(1, 2), Path("journal"))
    assert (raised.value.record, raised.value.offset) == (1, starts[1])
