"""How the bytes of a streamed reply can be told to go wrong: `STREAMS`.

The request is the same for all, and so is the reply that would come: twenty pieces of text. What a
server cannot be told has a sentence in place of a way to tell it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from faultloop.bench.perf.load import EVENTS
from faultloop.bench.perf.peers.raw import Heard

WORDS = (
    *("alpha", "bravo", "charl", "delta", "echo1", "foxtr", "golfs", "hotel", "india", "julie"),
    *("kilos", "limas", "mikes", "novem", "oscar", "papas", "quebe", "romeo", "sierr", "tango"),
)
"""A word an event for llmock, which breaks text at spaces."""

TWENTY = " ".join(word.ljust(len(WORDS[0]), ".") for word in WORDS)
OUR_PIECE = 24
"""Characters of text in one of our events."""
SAID = "".join(f"{word:.<{OUR_PIECE - 1}} " for word in WORDS)
"""The same words, one to each of our pieces."""

ONE_WORD = len(WORDS[0]) + 1
PLAIN_FIXTURE = {"response": {"content": TWENTY + " "}, "chunkSize": ONE_WORD}
PLAIN_BEHAVIOUR = {"type": "reply", "text": TWENTY, "times": None}
PLAIN: Mapping[str, object] = {
    "faultloop": [{"say": SAID}],
    "aimock": PLAIN_FIXTURE,
    "llmock": [PLAIN_BEHAVIOUR],
}
"""What each is told so that its reply has `EVENTS` events."""

BODY = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Go."}]}
CALLED = {
    **BODY,
    "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {}}}],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to tell a server about trouble."""

    says: str
    """In the server's own words."""
    told: object
    headers: Mapping[str, str] | None = None
    body: Mapping[str, object] | None = None
    """Asked with another body than `BODY`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that happens to streams."""

    name: str
    """What it is called on the command line."""
    says: str
    ways: Mapping[str, tuple[Way, ...] | str]
    """By server; a sentence where there is no way."""
    reads: Callable[[Heard], str]
    """What is told of what was heard."""


def ours(kind: str, **fields: object) -> Way:
    """One of our faults, at a text."""
    fault = {"kind": kind, **fields}
    return Way(says=_spelt(fault), told=[{"say": SAID, "fault": fault}])


def ours_in_a_call(kind: str) -> Way:
    """One of our faults, at a reply that calls a tool after its text."""
    call = {"tool": "read_file", "args": {"path": "notes/of/last/week.txt"}}
    told = [{"say": SAID, "calls": [call], "fault": {"kind": kind}}]
    return Way(says=_spelt({"kind": kind}), told=told, body=CALLED)


def aimock(**fields: object) -> Way:
    """A fixture with fields of its own."""
    return Way(says=_spelt(fields), told={**PLAIN_FIXTURE, **fields})


def chance(kind: str) -> Way:
    """What aimock does by chance, here for certain."""
    header = f"x-aimock-chaos-{kind}"
    return Way(says=f"{header}: 1", told=PLAIN_FIXTURE, headers={header: "1"})


def llmock(**fields: object) -> Way:
    """A fault of streams beside the reply."""
    fault = {"type": "stream_fault", **fields}
    return Way(says=_spelt(fields), told=[PLAIN_BEHAVIOUR, fault])


def _spelt(fields: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in fields.items())


ENDINGS = {
    "last chunk": "then the last chunk: properly framed",
    "Content-Length": "all that Content-Length says",
    "FIN": "then FIN, without a last chunk",
    "RST": "then RST",
    "silence": "then nothing more, and the connection stays open",
}


FINISH = b'"finish_reason":"'
"""As all three write it."""


def how_it_ended(heard: Heard) -> str:
    """Head, events, bytes, finish reason and end mark, and how the connection ended."""
    if heard.status is None:
        return f"no head, {len(heard.data)} bytes; {ENDINGS[heard.ended]}"
    body, events = heard.body, heard.events
    rest = len(body) - sum(len(event) + 2 for event in events)
    parts = [f"{len(events)} event{'s' * (len(events) != 1)}"]
    if rest:
        parts.append(f"{rest} bytes of another")
    parts.append(("a" if FINISH in body else "no") + " finish reason")
    parts.append(("a" if b"[DONE]" in body else "no") + " `[DONE]`")
    return f"{heard.status}, {len(body)} bytes: {', '.join(parts)}; {ENDINGS[heard.ended]}"


def how_it_is_sliced(heard: Heard) -> str:
    """Whether the pieces on the wire are whole events."""
    inside = sum(not one.startswith((b"data: ", b": ")) for one in heard.chunks)
    whole = "" if len(heard.events) == EVENTS else f", {len(heard.events)} events of {EVENTS}"
    if inside:
        return f"{len(heard.chunks)} pieces, of which {inside} begin inside an event{whole}"
    return f"{len(heard.chunks)} pieces, each of whole events{whole}"


def how_it_is_packed(heard: Heard) -> str:
    """Whether a client that reads as fast as it can gets all events at once."""
    if len(heard.reads) == 1:
        return f"head, {len(heard.events)} events and end in one read"
    return f"{len(heard.events)} events, one after the other"


def what_is_malformed(heard: Heard) -> str:
    """What became of the body."""
    kind = next(
        (
            line.split(b":", 1)[1].strip().decode()
            for line in heard.head.lower().split(b"\r\n")
            if line.startswith(b"content-type:")
        ),
        "none",
    )
    if "event-stream" not in kind:
        return f"{heard.status}, {kind}: `{heard.body.decode()}`"
    bad = [event for event in heard.events if not _is_json(event)]
    return f"{heard.status}, {kind}: {len(heard.events)} events, {len(bad)} of them no JSON"


def _is_json(event: bytes) -> bool:
    data = event.removeprefix(b"data: ")
    return data.endswith(b"}") or data == b"[DONE]"


AFTER = 500
"""Bytes of the body that still arrive: inside the third event."""

PLAIN_WAYS = {name: (Way(says="no fault", told=told),) for name, told in PLAIN.items()}

STREAMS = (
    Trouble(name="plain", says="nothing is wrong", ways=PLAIN_WAYS, reads=how_it_ended),
    Trouble(
        name="breaks-off",
        says="the stream breaks off",
        ways={
            "faultloop": (
                ours("reset_at_byte", after_bytes=AFTER),
                ours("closed_at_byte", after_bytes=AFTER),
                ours("reset_mid_stream", after_deltas=3),
                ours("ends_without_finish"),
                ours_in_a_call("cut_in_arguments"),
                ours("end_mark_missing"),
                ours("finish_missing"),
                ours("closed_before_headers"),
            ),
            "aimock": (
                aimock(truncateAfterChunks=3),
                aimock(truncateAfterChunks=3, latency=20),
                aimock(disconnectAfterMs=50, latency=20),
                chance("disconnect"),
            ),
            "llmock": (
                llmock(kind="disconnect", after_chunks=3),
                llmock(kind="truncate", after_chunks=3),
            ),
        },
        reads=how_it_ended,
    ),
    Trouble(
        name="slices",
        says="the pieces on the wire begin inside events",
        ways={
            "faultloop": (
                ours("sliced_bytes", every=7),
                ours("sliced_bytes", offsets=[10, 310]),
            ),
            "aimock": "cannot be said: `chunkSize` cuts the text, and an event is one write",
            "llmock": "cannot be said: an event is one message of ASGI",
        },
        reads=how_it_is_sliced,
    ),
    Trouble(
        name="packets",
        says="several events arrive at once",
        ways={
            "faultloop": (*PLAIN_WAYS["faultloop"], ours("one_packet")),
            "aimock": (aimock(latency=0), aimock(latency=20)),
            "llmock": PLAIN_WAYS["llmock"],
        },
        reads=how_it_is_packed,
    ),
    Trouble(
        name="malformed",
        says="what arrives is no JSON",
        ways={
            "faultloop": (ours("malformed_event", after_deltas=3),),
            "aimock": (chance("malformed"),),
            "llmock": (llmock(kind="malformed", after_chunks=3),),
        },
        reads=what_is_malformed,
    ),
)
