"""What the model is offered: tools and prompt that change, or by policy do not (SPEC L15)."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from faultloop.loop.engine import Agent
from faultloop.loop.events import HeaderChanged
from faultloop.loop.header import Header, changes
from faultloop.loop.hooks import Hooks, Rerouted
from faultloop.loop.registry import Registry

from .story import AT_ONCE, Scripted, Story, call, played, say, toy

FROZEN = replace(AT_ONCE, prompt_and_tools="frozen")


def names(story: Story) -> list[list[str]]:
    """The tools of each request."""
    return [[tool["name"] for tool in request.tools] for request in story.model.requests]


def story_of_a_tool_that_is_added(policy) -> tuple[Story, Agent]:
    """The first call adds the tool that the second one calls; so does the next turn's."""

    def body(args, context):
        agent.tools = Registry([toy("act", body)]).plus(toy("new", lambda a, c: "new, run"))
        agent.offer.system = "You have a new tool."
        return "done"

    model = Scripted(call(("act", "{}")), call(("new", "{}")), say("a"), call(("new", "{}")))
    story = Story(model, [toy("act", body)], policy)
    agent = story.agent(system="You are careful.")
    return story, agent


async def two_turns(agent: Agent) -> None:
    await agent.prompt("go")
    await agent.prompt("go on")


def test_a_tool_that_was_added_is_offered_and_callable_from_the_next_request_on() -> None:
    story, agent = story_of_a_tool_that_is_added(AT_ONCE)
    played(two_turns(agent))
    assert names(story) == [["act"], *[["act", "new"]] * 4]
    assert story.model.told[1:] == ["new, run", "new, run"]
    assert [request.system for request in story.model.requests] == [
        "You are careful.",
        *["You have a new tool."] * 4,
    ]
    assert [event.changed for event in story.of(HeaderChanged)] == [
        ("model", "system", "tools"),
        ("system", "tools"),
    ]


def test_frozen_a_run_keeps_its_tools_and_a_session_its_prompt() -> None:
    story, agent = story_of_a_tool_that_is_added(FROZEN)
    played(two_turns(agent))
    assert names(story) == [*[["act"]] * 3, *[["act", "new"]] * 2]
    assert "There is no tool called new" in story.model.told[1]
    assert story.model.told[2] == "new, run"
    assert {request.system for request in story.model.requests} == {"You are careful."}
    assert [event.changed for event in story.of(HeaderChanged)] == [
        ("model", "system", "tools"),
        ("tools",),
    ]


@pytest.mark.parametrize(("policy", "second"), [(AT_ONCE, "Be bold."), (FROZEN, "Be careful.")])
def test_the_prompt_of_the_first_turn_outlives_the_process_where_it_is_frozen(
    policy, second
) -> None:
    story = Story(Scripted(say("a"), say("b")), [], policy)

    async def go() -> None:
        await story.agent(system="Be careful.").prompt("go")
        await story.agent(system="Be bold.").prompt("go on")

    played(go())
    assert [request.system for request in story.model.requests] == ["Be careful.", second]


def test_a_session_that_is_frozen_later_keeps_what_the_host_says_and_not_what_a_hook_made() -> None:
    def adds(going: Rerouted) -> Rerouted:
        request = going.request
        longer = msgspec.structs.replace(request, system=f"{request.system} Be brief.")
        return msgspec.structs.replace(going, request=longer)

    story = Story(Scripted(say("a"), say("b"), say("c")), [], AT_ONCE)
    story.options["hooks"] = Hooks(request=(adds,))

    async def go() -> None:
        await story.agent(system="Be careful.").prompt("go")
        frozen = story.agent(system="Be careful.", policy=FROZEN)
        await frozen.prompt("go on")
        await story.agent(system="Be bold.", policy=FROZEN).prompt("go on")

    played(go())
    systems = {request.system for request in story.model.requests}
    assert systems == {"Be careful. Be brief."}


def test_a_header_that_stays_is_journalled_once() -> None:
    story = Story(Scripted(call(("act", "{}")), say("a"), say("b")), [toy("act")])

    async def go() -> None:
        await story.agent().prompt("go")
        await story.agent().prompt("go on")

    played(go())
    (header,) = [event.header for event in story.of(HeaderChanged)]
    assert (header.model, header.tools) == ("fake-model", ("act",))


BEFORE = Header(model="m", system="s", tools=("a",), digest="1")


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        (BEFORE, ()),
        (Header(model="n", system="s", tools=("a",), digest="1"), ("model",)),
        (Header(model="m", system="t", tools=("a",), digest="1"), ("system",)),
        (Header(model="m", system="s", tools=("a",), digest="2"), ("tools",)),
        (msgspec.structs.replace(BEFORE, offered="s"), ("system",)),
        (msgspec.structs.replace(BEFORE, stream=False), ("settings",)),
        (msgspec.structs.replace(BEFORE, output_tokens_max=7), ("settings",)),
        (msgspec.structs.replace(BEFORE, strict="off"), ("settings",)),
        (msgspec.structs.replace(BEFORE, provider="other"), ("provider",)),
        (Header(model="n", system="t", tools=("a", "b"), digest="3"), ("model", "system", "tools")),
    ],
)
def test_a_change_says_what_changed(now, changed) -> None:
    assert changes(BEFORE, now) == changed


def test_the_digest_sees_a_change_of_wording() -> None:
    plain, again = Registry([toy("act")]), Registry([toy("act")])
    other = Registry([toy("act", when="always")])
    assert plain.digest == again.digest != other.digest


@pytest.mark.parametrize("prompt", ["You are careful.", ""])
@pytest.mark.parametrize("restarts", [False, True])
def test_frozen_is_the_prompt_that_was_offered_and_not_what_a_hook_makes_of_it(
    prompt: str, restarts: bool
) -> None:
    def adds(going: Rerouted) -> Rerouted:
        system = f"{going.request.system} [rule]"
        return Rerouted(request=msgspec.structs.replace(going.request, system=system))

    story = Story(Scripted(), [], FROZEN, options={"hooks": Hooks(request=(adds,))})

    async def three_turns() -> None:
        agent = story.agent(system=prompt)
        for _ in range(3):
            await agent.prompt("go")
            if restarts:
                await agent.close()
                agent = story.agent(system="another")

    played(three_turns())
    assert [request.system for request in story.model.requests] == [f"{prompt} [rule]"] * 3
    assert len(story.of(HeaderChanged)) == 1


def test_the_first_request_has_all_of_it_and_a_provider_only_where_there_is_one() -> None:
    assert changes(None, BEFORE) == ("model", "system", "tools")
    sent = msgspec.structs.replace(BEFORE, provider="other", stream=False)
    assert changes(None, sent) == ("provider", "model", "system", "tools", "settings")


def test_the_journal_has_the_settings_that_a_hook_made_of_a_request() -> None:
    def short(going: Rerouted) -> Rerouted:
        asked = msgspec.structs.replace(
            going.request, stream=False, output_tokens_max=7, strict="off"
        )
        return Rerouted(request=asked)

    story = Story(Scripted(), [], options={"hooks": Hooks(request=(short,))})
    played(two_turns(story.agent()))
    (changed,) = story.of(HeaderChanged)
    header = changed.header
    assert (header.stream, header.output_tokens_max, header.strict) == (False, 7, "off")
