"""Hosted conversations: begun when touched, apart from each other, begun anew when told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from faultloop.fakes.answers import Rejected
from faultloop.fakes.conversation import Conversation, Message, SaidCall
from faultloop.fakes.dialects.dialect import BadRequest
from faultloop.fakes.faults.tool_hang import ToolHang
from faultloop.fakes.faults.truncated_text import TruncatedText
from faultloop.fakes.history import Refused, Replied
from faultloop.fakes.hosting import BadScript, Hosted, HostedScript, Hosting, NoScript
from faultloop.fakes.hosting.live import Watcher
from faultloop.fakes.script import ScriptedCall, Step
from faultloop.fakes.strictness.levels import REAL, Strictness

FIRST = HostedScript(name="first", steps=(Step(say="First."),))
OTHER = HostedScript(name="other", steps=(Step(say="Other."), Step(say="More.")))
CALLS = HostedScript(name="calls", steps=(Step(calls=(ScriptedCall.of("t", {}),)),))
GO = Conversation(messages=(Message(role="user", text="Go."),), tools=("t",), raw="{}")


async def ask(hosting: Hosting, name: str, conversation: Conversation = GO) -> Any:
    return await hosting.touch(name).stage.answer(1, "openai_chat", conversation)


async def hears(hosting: Hosting, name: str) -> str:
    return str((await ask(hosting, name)).reply.text)


def told(story: Callable[[Hosting], Coroutine[Any, Any, None]], **how: Any) -> None:
    async def main() -> None:
        hosting = Hosting(FIRST, **how)
        await story(hosting)
        await hosting.close()
        assert hosting.all() == []

    asyncio.run(main())


def lengths(hosting: Hosting) -> dict[str, int]:
    return {hosted.name: len(hosted.history()) for hosted in hosting.all()}


def test_a_conversation_begins_when_it_is_touched_and_shares_nothing() -> None:
    async def story(hosting: Hosting) -> None:
        assert hosting.all() == []
        await ask(hosting, "a")
        await ask(hosting, "b")
        await ask(hosting, "b")
        assert lengths(hosting) == {"a": 2, "b": 4}
        assert [hosted.summary().begun for hosted in hosting.all()] == [1, 2]

    told(story)


ORPHAN = Conversation(
    messages=(
        Message(role="user", text="Go."),
        Message(role="tool", text="42", result_of="call_nobody_made"),
    ),
    raw="{}",
)


@pytest.mark.parametrize(
    ("own", "over", "refused"),
    [
        (REAL, None, True),
        (Strictness(off=("orphan_results",)), None, False),
        (Strictness(off=("orphan_results",)), REAL, True),
        (REAL, Strictness(level="lenient"), False),
    ],
)
def test_a_conversation_is_as_strict_as_its_script_or_as_the_host_says(
    own: Strictness, over: Strictness | None, refused: bool
) -> None:
    async def main() -> None:
        hosting = Hosting(replace(FIRST, strictness=own), strictness=over)
        answer = await ask(hosting, "a", ORPHAN)
        assert isinstance(answer, Rejected) is refused
        await hosting.close()

    asyncio.run(main())


def test_equal_names_and_seeds_give_equal_ids_and_others_do_not() -> None:
    async def ids(seed: int, name: str) -> str:
        answer = await ask(Hosting(CALLS, seed=seed), name)
        return str(answer.reply.calls[0].id)

    async def main() -> None:
        assert await ids(1, "a") == await ids(1, "a")
        assert len({await ids(1, "a"), await ids(1, "b"), await ids(2, "a")}) == 3

    asyncio.run(main())


def test_the_same_question_has_the_same_answer_however_often() -> None:
    async def story(hosting: Hosting) -> None:
        assert {await hears(hosting, "a") for _ in range(20)} == {"First."}
        stage = hosting.touch("a").stage
        assert [one.served for one in stage.history if isinstance(one, Replied)][-1] == 20

    told(story)


def test_what_is_asked_for_again_and_again_takes_no_more_ids() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(CALLS)
        ids = [(await ask(hosting, "a")).reply.calls[0].id for _ in range(20)]
        assert len(set(ids[:3])) == 3, "a retry has ids of its own"
        assert len(set(ids)) < 10

    told(story)


def test_a_load_for_one_concerns_that_one() -> None:
    async def story(hosting: Hosting) -> None:
        await ask(hosting, "a")
        await ask(hosting, "b")
        await hosting.load(OTHER, "a")
        assert lengths(hosting) == {"a": 0, "b": 2}
        assert (await hears(hosting, "a"), await hears(hosting, "b")) == ("Other.", "First.")
        assert [hosted.summary().own for hosted in hosting.all()] == [True, False]

    told(story)


def test_a_load_for_all_leaves_alone_what_has_its_own() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(CALLS, "own")
        await ask(hosting, "own")
        await ask(hosting, "a")
        await hosting.load(OTHER)
        assert lengths(hosting) == {"own": 2}
        assert await hears(hosting, "a") == "Other."

    told(story)


def test_a_reset_keeps_the_script_and_forgetting_does_not() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(OTHER, "a")
        await ask(hosting, "a")
        await hosting.reset("a")
        assert lengths(hosting) == {"a": 0}
        assert await hears(hosting, "a") == "Other."
        await hosting.forget("a")
        assert lengths(hosting) == {}
        assert await hears(hosting, "a") == "First."
        await ask(hosting, "b")
        await hosting.reset()
        assert lengths(hosting) == {"a": 0, "b": 0}

    told(story)


def test_whoever_asks_while_one_ends_is_heard_in_the_next() -> None:
    async def story(hosting: Hosting) -> None:
        old = hosting.touch("a").stage
        reset = asyncio.create_task(hosting.reset("a"))
        while hosting.touch("a").stage is old:
            await asyncio.sleep(0)
        await ask(hosting, "a")
        await reset
        assert lengths(hosting) == {"a": 2}

    told(story)


def test_what_ends_while_all_begin_anew_does_not_begin_again() -> None:
    async def story(hosting: Hosting) -> None:
        hosting.touch("a")
        hosting.touch("b")
        hosting.seen("a").stage.close = meanwhile(hosting)  # type: ignore[method-assign]
        await hosting.reset()
        assert set(lengths(hosting)) == {"a"}

    def meanwhile(hosting: Hosting) -> Callable[[], Coroutine[Any, Any, None]]:
        async def close() -> None:
            await hosting.forget("b")

        return close

    told(story)


def test_a_bad_script_changes_nothing() -> None:
    async def story(hosting: Hosting) -> None:
        await ask(hosting, "a")
        hang = ToolHang(at="step 1")
        for script, sentence in (
            (HostedScript(name="empty", steps=()), "at least one step"),
            (HostedScript(name="bad", steps=FIRST.steps, faults=(hang,)), "write 'tool NAME'"),
        ):
            for name in (None, "a"):
                with pytest.raises(BadScript, match=sentence):
                    await hosting.load(script, name)
        assert lengths(hosting) == {"a": 2}

    told(story)
    with pytest.raises(BadScript, match="at least one step"):
        Hosting(HostedScript(name="empty", steps=()))


def test_who_has_nothing_to_say_is_told_plainly() -> None:
    async def main() -> None:
        hosting = Hosting()
        with pytest.raises(NoScript, match="conversation 'a' has no script: load one"):
            hosting.touch("a")
        for look in (hosting.reset, hosting.forget):
            with pytest.raises(NoScript, match="there is no conversation 'a': nobody has asked"):
                await look("a")
        with pytest.raises(NoScript, match="there is no conversation 'a': nobody has asked"):
            hosting.seen("a")
        with pytest.raises(NoScript, match="has 1 to 300 characters, and this one has 301"):
            hosting.touch("x" * 301)
        with pytest.raises(NoScript, match="and this one has 301"):
            await hosting.load(FIRST, "x" * 301)
        with pytest.raises(BadScript, match="nothing to read scripts with"):
            hosting.read("- say: Hello.")

    asyncio.run(main())


def test_the_one_touched_longest_ago_makes_room() -> None:
    async def story(hosting: Hosting) -> None:
        for name in ("a", "b", "a", "c"):
            await ask(hosting, name)
        assert lengths(hosting) == {"a": 4, "c": 2}
        assert hosting.dropped == 1

    told(story, conversations_max=2)


def test_an_own_script_outlives_making_room() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(OTHER, "a")
        hosting.touch("b")
        assert await hears(hosting, "a") == "Other."

    told(story, conversations_max=1)


def test_a_conversation_has_an_end_that_is_told() -> None:
    async def story(hosting: Hosting) -> None:
        answers = [await ask(hosting, "a") for _ in range(3)]
        assert answers[2].code == "request_cap"

    told(story, requests_max=2)


def test_what_is_refused_for_its_number_is_kept_once() -> None:
    async def story(hosting: Hosting) -> None:
        await hears(hosting, "a")
        capped = [await ask(hosting, "a") for _ in range(3)]
        stage = hosting.touch("a").stage
        bad = await stage.unreadable(1, "openai_chat", BadRequest("No JSON."), b"{")
        assert [one.code for one in (*capped, bad)] == ["request_cap"] * 3 + [None]
        assert bad.message == "No JSON."
        assert len(stage.bodies) == 2
        assert sum(isinstance(entry, Refused) for entry in stage.history) == 1

    told(story, requests_max=1)


def test_a_call_that_no_request_permits_is_answered_beside_the_script() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(CALLS)
        title = Conversation(messages=GO.messages, raw="{}")
        answer = await ask(hosting, "a", title)
        assert answer.reply.text.startswith("(beside the script: a call is due")
        assert (await ask(hosting, "a")).reply.calls

    told(story)


def test_a_step_of_several_calls_is_said_in_parts_where_one_is_allowed() -> None:
    script = HostedScript(
        name="two", steps=(Step(calls=CALLS.steps[0].calls * 2), Step(say="Done."))
    )

    async def story(hosting: Hosting) -> None:
        await hosting.load(script)
        messages, ids = list(GO.messages), []
        for _ in script.steps[0].calls:
            asked = Conversation(
                messages=tuple(messages), tools=("t",), one_call=True, raw=" ".join(ids)
            )
            (call,) = (await ask(hosting, "a", asked)).reply.calls
            ids.append(call.id)
            said = SaidCall(id=call.id, name="t", arguments="{}")
            messages += [
                Message(role="assistant", calls=(said,)),
                Message(role="tool", text="done", result_of=call.id),
            ]
        last = Conversation(messages=tuple(messages), tools=("t",), raw=" ".join(ids))
        assert (await ask(hosting, "a", last)).reply.text == "Done."
        assert hosting.seen("a").summary().said == 2

    told(story)


def test_a_text_that_a_fault_changed_is_known_again() -> None:
    script = HostedScript(
        name="cut",
        steps=(Step(say="A long way to go."), Step(say="Done.")),
        faults=(TruncatedText(at="step 1"),),
    )

    async def story(hosting: Hosting) -> None:
        await hosting.load(script)
        text = await hears(hosting, "a")
        assert text != "A long way to go."
        said = Message(role="assistant", text=text)
        on = Conversation(messages=(*GO.messages, said, *GO.messages), raw="{}")
        assert (await ask(hosting, "a", on)).reply.text == "Done."
        cursors = [one.cursor for one in hosting.seen("a").history() if isinstance(one, Replied)]
        assert cursors == ["first", "mark"]

    told(story)


def test_watchers_are_told_names_once_however_much_happens() -> None:
    async def story(hosting: Hosting) -> None:
        gone, watcher = asyncio.Event(), Watcher()
        await ask(hosting, "a")
        hosting.watch(watcher)
        assert await watcher.changes(gone) == ["a"]
        for _ in range(50):
            await ask(hosting, "a")
        await ask(hosting, "b")
        assert await watcher.changes(gone) == ["a", "b"]
        await hosting.forget("b")
        assert await watcher.changes(gone) == ["b"]
        hosting.unwatch(watcher)
        await ask(hosting, "a")
        gone.set()
        assert await watcher.changes(gone) == []

    told(story)


def test_a_summary_is_the_same_whenever_it_is_asked_for() -> None:
    async def story(hosting: Hosting) -> None:
        await hosting.load(OTHER)

        async def talk(name: str, *, looks: bool) -> Hosted:
            for _ in range(3):
                await ask(hosting, name)
                if looks:
                    hosting.seen(name).summary()
            return hosting.seen(name)

        one, other = await talk("a", looks=True), await talk("a b", looks=False)
        assert one.summary().requests == other.summary().requests == 3
        assert (one.summary().said, one.summary().steps) == (1, 2)

    told(story)
