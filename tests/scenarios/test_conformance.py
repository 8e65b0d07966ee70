"""The conformance suite passes a driver that keeps the contract and catches each that does not."""

import asyncio
from pathlib import Path

import pytest

import faultloop.bench.subjects
from faultloop.scenarios.subject import BadSubject, SubjectUnusable
from faultloop.scenarios.subjects.conformance import RULES, Conclusion, conform
from faultloop.scenarios.subjects.declaration import Declaration
from faultloop.scenarios.subjects.process import ProcessSubject
from faultloop.scenarios.subjects.reference import ReferenceSubject
from faultloop.scenarios.verdict import Verdict

HELPER_FOLDER = Path(faultloop.bench.subjects.__file__).parent

DRIVER = """
import json, os, subprocess, sys, urllib.error, urllib.request
import faultloop_driver as bench

def ask(messages, tools):
    body = {"model": "m", "messages": messages, "tools": tools, "stream": STREAM}
    request = urllib.request.Request(URL + "/chat/completions", json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        if not body["stream"]:
            return json.load(answer)["choices"][0]["message"]
        message, calls = {"role": "assistant", "content": ""}, []
        for line in answer:
            if line.startswith(b"data: {"):
                for choice in json.loads(line[6:])["choices"]:
                    message["content"] += choice["delta"].get("content") or ""
                    for piece in choice["delta"].get("tool_calls", ()):
                        if piece.pop("index") == len(calls):
                            calls.append(piece)
                        else:
                            calls[-1]["function"]["arguments"] += piece["function"]["arguments"]
        return message | ({"tool_calls": calls} if calls else {})

def main():
    global STREAM, URL
    STREAM, URL = bench.streaming(), bench.url("OPENAI")
    memory = bench.setting("STATE_DIR") + "/conversation"
    messages = json.load(open(memory)) if os.path.exists(memory) else []
    if bench.setting("INPUT"):
        messages.append({"role": "user", "content": bench.setting("INPUT")})
    while True:
        if messages[-1].get("tool_calls"):
            return "The last calls are open."
        messages.append(ask(messages, bench.functions()))
        calls = messages[-1].get("tool_calls", ())
        if REMEMBERS:
            json.dump(messages, open(memory, "w"))
        for call in calls:
            args = json.loads(call["function"]["arguments"])
            content = bench.call_tool(call["function"]["name"], args, call_id=call["id"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})
        if not calls:
            if REMEMBERS:
                json.dump(messages, open(memory, "w"))
            return messages[-1]["content"]

REMEMBERS = False
"""

RUN = "\nbench.run(main)\n"


def concluded(folder: Path, twist: str, **keys: object) -> dict[str, Conclusion]:
    (folder / "driver.py").write_text(DRIVER + twist + RUN)
    declaration = Declaration.model_validate(
        {
            "name": "toy",
            "version": "1",
            "command": ["{python}", "driver.py"],
            "mode": "zygote",
            "resume": "rerun",
            "environment": {"PYTHONPATH": str(HELPER_FOLDER)},
            **keys,
        }
    )
    conclusions = asyncio.run(conform(ProcessSubject(declaration, folder)))
    return {conclusion.name: conclusion for conclusion in conclusions}


def broken(conclusions: dict[str, Conclusion]) -> list[str]:
    return [name for name, one in conclusions.items() if one.verdict is Verdict.BROKEN]


def test_a_driver_that_keeps_the_contract_passes_every_rule(tmp_path: Path) -> None:
    conclusions = concluded(tmp_path, "")
    assert broken(conclusions) == []
    assert {one.verdict for one in conclusions.values()} == {Verdict.HELD}
    assert list(conclusions) == [rule.name for rule in RULES]


OFFERS_ANOTHER = """
bench.functions = lambda: [{"type": "function", "function": {"name": "other", "parameters": {}}}]
"""
INVENTS_RESULTS = "bench.call_tool = lambda name, args, call_id: 'Done.'\n"
ALWAYS_STREAMS = "bench.streaming = lambda: True\n"
SAYS_NOTHING = "bench.emit = lambda **fields: print('the end')\n"
EXITS_WITH_3 = "bench._play = lambda main, play=bench._play: play(main) * 0 + 3\n"
LEAVES_A_DAEMON = """
right = main
def main():
    subprocess.Popen(["sleep", "10"], start_new_session=True)
    return right()
"""
DENIES_THE_CANCEL = """
heedless = main
def main():
    try:
        return heedless()
    except KeyboardInterrupt:
        return {"end_reason": "completed"}
"""
LOSES_THE_PATH = "bench.url = lambda _: os.environ['OPENAI_BASE_URL'].split('/r/')[0]\n"
DECLINES_LATE = """
right = main
def main():
    right()
    return {"not_applicable": "too late"}
"""
INVENTS_IDS = """
right_call = bench.call_tool
bench.call_tool = lambda name, args, call_id: right_call(name, args, call_id="call_1")
"""
MIXES_IDS_UP = """
right_call, ids = bench.call_tool, []
def call_tool(name, args, call_id):
    ids.append(call_id)
    return right_call(name, args, call_id=ids[0])
bench.call_tool = call_tool
"""
KEEPS_ITS_MEMORY_ELSEWHERE = """
REMEMBERS, right_setting, elsewhere = True, bench.setting, os.path.dirname(__file__)
bench.setting = lambda name: elsewhere if name == "STATE_DIR" else right_setting(name)
"""
QUOTES_OTHER_PLAYS = """
right_setting, quotes = bench.setting, os.path.dirname(__file__) + "/quotes"
def setting(name):
    said = right_setting(name)
    if name == "INPUT" and said:
        with open(quotes, "a+") as kept:
            kept.seek(0)
            before = kept.read()
            kept.write(said)
        said = before + said
    return said
bench.setting = setting
"""
SWALLOWS_SIGINT = """
import signal
patient = main
def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return patient()
"""

WRONG = (
    ({"offers-the-manifest", "streams-as-told"}, OFFERS_ANOTHER + ALWAYS_STREAMS),
    ({"calls-below-its-url", "says-how-it-ended"}, INVENTS_RESULTS + SAYS_NOTHING),
    (
        {"exits-as-it-says", "dies-whole", "aborts-when-cancelled"},
        LEAVES_A_DAEMON + DENIES_THE_CANCEL + EXITS_WITH_3,
    ),
    ({"asks-below-its-url", "completes"}, LOSES_THE_PATH),
    ({"declines-in-time"}, DECLINES_LATE),
    ({"calls-by-their-ids"}, INVENTS_IDS),
    ({"starts-afresh"}, KEEPS_ITS_MEMORY_ELSEWHERE),
    ({"starts-afresh"}, QUOTES_OTHER_PLAYS),
)


@pytest.mark.parametrize(("rules", "twist"), WRONG, ids=["+".join(sorted(r)) for r, _ in WRONG])
def test_every_rule_catches_the_driver_that_breaks_it(
    tmp_path: Path, rules: set[str], twist: str
) -> None:
    conclusions = concluded(tmp_path, twist)
    assert rules <= set(broken(conclusions))
    for rule in rules:
        assert " But " in conclusions[rule].sentence


def test_the_id_of_another_call_is_a_wrong_one(tmp_path: Path) -> None:
    sentence = concluded(tmp_path, MIXES_IDS_UP)["calls-by-their-ids"].sentence
    assert "a call came with the id of another one" in sentence


def test_a_driver_that_does_not_hear_the_cancel_is_caught(tmp_path: Path) -> None:
    assert broken(concluded(tmp_path, SWALLOWS_SIGINT)) == ["aborts-when-cancelled"]


def test_calls_without_ids_are_not_judged_by_them(tmp_path: Path) -> None:
    without = "call_tool = bench.call_tool\nbench.call_tool = lambda n, a, call_id: call_tool(n, a)"
    conclusions = concluded(tmp_path, without)
    assert conclusions["calls-by-their-ids"].verdict is Verdict.NOT_APPLICABLE
    assert broken(conclusions) == []


def test_what_a_driver_that_asks_nothing_leaves_untested_is_unknown(tmp_path: Path) -> None:
    conclusions = concluded(tmp_path, "main = lambda: 'I have done nothing.'")
    assert broken(conclusions) == ["asks-below-its-url"]
    unknown = [name for name, one in conclusions.items() if one.verdict is Verdict.UNKNOWN]
    assert unknown == [
        "offers-the-manifest",
        "calls-below-its-url",
        "starts-afresh",
        "streams-as-told",
        "completes",
        "aborts-when-cancelled",
        "dies-whole",
        "resumes-as-declared",
        "declines-in-time",
    ]
    for name in unknown:
        assert " It cannot be told: " in conclusions[name].sentence


@pytest.mark.parametrize("resume", ["session", "continue"])
def test_memory_of_a_driver_that_asks_nothing_is_unknown(tmp_path: Path, resume: str) -> None:
    conclusions = concluded(tmp_path, "main = lambda: 'Nothing.'", resume=resume)
    assert conclusions["resumes-as-declared"].verdict is Verdict.UNKNOWN


def test_a_driver_that_was_never_called_back_was_neither_cancelled_nor_killed(
    tmp_path: Path,
) -> None:
    conclusions = concluded(tmp_path, INVENTS_RESULTS)
    for rule in ("aborts-when-cancelled", "dies-whole"):
        assert conclusions[rule].verdict is Verdict.UNKNOWN


def test_a_loop_that_knows_one_form_only_is_told_how_to_declare_it(tmp_path: Path) -> None:
    never = "bench.streaming = lambda: False\n"
    for twist, cure in ((ALWAYS_STREAMS, "[true]"), (never, "[false]")):
        sentence = concluded(tmp_path, twist)["streams-as-told"].sentence
        assert f"streaming = {cure} in its subject.toml" in sentence


def test_a_subject_that_declines_is_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(SubjectUnusable, match="not on Mondays"):
        concluded(tmp_path, "main = lambda: {'not_applicable': 'not on Mondays'}")


@pytest.mark.parametrize(
    ("resume", "remembers", "verdict"),
    [
        ("none", False, Verdict.NOT_APPLICABLE),
        ("rerun", True, Verdict.BROKEN),
        ("session", True, Verdict.HELD),
        ("session", False, Verdict.BROKEN),
        ("continue", False, Verdict.BROKEN),
    ],
)
def test_memory_is_as_declared(
    tmp_path: Path, resume: str, remembers: bool, verdict: Verdict
) -> None:
    conclusions = concluded(tmp_path, f"REMEMBERS = {remembers}", resume=resume)
    assert conclusions["resumes-as-declared"].verdict is verdict


def test_every_rule_but_that_of_memory_has_its_wrong_driver_here() -> None:
    caught = set[str]().union(*(rules for rules, _ in WRONG))
    assert {rule.name for rule in RULES} - caught == {"resumes-as-declared"}


def test_a_subject_that_lacks_something_is_no_verdict(tmp_path: Path) -> None:
    needs = [{"command": "no-such-program", "hint": "get it"}]
    with pytest.raises(SubjectUnusable, match="get it"):
        concluded(tmp_path, "", needs=needs)


def test_the_suite_is_for_processes() -> None:
    with pytest.raises(BadSubject, match="reference lives inside the bench"):
        asyncio.run(conform(ReferenceSubject()))
