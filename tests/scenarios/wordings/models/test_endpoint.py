"""A model behind an API, asked over real sockets: what is sent, what comes back, what fails how."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.scenarios.wordings.models.played import READ, question
from tests.scenarios.wordings.models.scripted import Said as Response
from tests.scenarios.wordings.models.scripted import Scripted, refuses, says, serving

from faultloop.loop.contract import Contract, Strict
from faultloop.scenarios.wordings.answer import Answer, Usage
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.models.endpoint import Endpoint, Settings
from faultloop.scenarios.wordings.models.port import ModelUnusable, NoAnswer, Question
from faultloop.scenarios.wordings.task import Said

if TYPE_CHECKING:
    from faultloop.bench.serving.fixture import FakeProvider

DIALECTS = ("openai_chat", "openai_responses", "anthropic_messages", "gemini")
NEEDS_PATH = Contract(
    name="read_file", purpose="Reads.", parameters={**READ.parameters, "required": ["path"]}
)
VIEW = Contract(name="3d_view", purpose="Shows a model.", parameters={"type": "object"})


def answers(
    address: str, *asked: Question, environment: dict[str, str] | None = None, **settings: Any
) -> list[Answer]:
    """The answers of the model at this address, one question after the other."""

    async def main() -> list[Answer]:
        async with model_of(address, Settings(**settings), environment or {}) as model:
            return [await model.answer(one) for one in asked]

    return asyncio.run(main())


def answer(server: Scripted, asked: Question | None = None, **settings: Any) -> Answer:
    (only,) = answers(f"openai_chat:m@{server.url}", asked or question(), **settings)
    return only


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_call_comes_back_from_every_api(dialect: str, fake_provider: FakeProvider) -> None:
    fake_provider.load([{"calls": [{"tool": "read_file", "args": {"path": "a.txt"}}]}])
    (found,) = answers(f"{dialect}:m", question(), environment=fake_provider.environment)
    ((name, arguments),) = [(call.name, call.arguments) for call in found.calls]
    assert (name, arguments.replace(" ", "")) == ("read_file", '{"path":"a.txt"}')
    assert found.failure is None
    assert found.usage.input_tokens > 0
    (request,) = fake_provider.requests
    assert [tool for tool in ("read_file", "find") if tool in str(request.body)]
    assert request.messages[-1].text == "Show me a.txt."


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_was_said_before_goes_with_it(dialect: str, fake_provider: FakeProvider) -> None:
    fake_provider.load([{"say": "Which one?"}])
    said = (
        Said(role="user", text="Hello."),
        Said(role="assistant", text="Hello!"),
        Said(role="user", text="Show it."),
    )
    asked = Question(messages=said, contracts=(READ,), system="Be brief.")
    (found,) = answers(f"{dialect}:m", asked, environment=fake_provider.environment)
    assert (found.text, found.calls) == ("Which one?", ())
    (request,) = fake_provider.requests
    assert [one.text for one in request.messages if one.role != "system"] == [
        "Hello.",
        "Hello!",
        "Show it.",
    ]
    assert "Be brief." in str(request.body)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_an_api_does_not_take_leads_back(
    dialect: str, fake_provider: FakeProvider
) -> None:
    wire = "_3d_view" if dialect == "gemini" else "3d_view"
    fake_provider.load([{"calls": [{"tool": wire, "args": {}}]}])
    asked = question("Show it.", VIEW, READ)
    (found,) = answers(f"{dialect}:m", asked, environment=fake_provider.environment)
    assert [call.name for call in found.calls] == ["3d_view"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_reply_that_is_cut_has_no_calls(dialect: str, fake_provider: FakeProvider) -> None:
    whole = {"tool": "read_file", "args": {"path": "a.txt"}}
    fake_provider.load([{"say": "Well, ", "calls": [whole], "finish": "length"}])
    (found,) = answers(f"{dialect}:m", question(), environment=fake_provider.environment)
    assert (found.failure, found.calls) == ("cut", ())


def test_a_reply_that_a_filter_stopped_is_blocked() -> None:
    with serving(says(("find", "{}"), finish="content_filter")) as server:
        found = answer(server)
    assert (found.failure, found.calls) == ("blocked", ())


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_reply_with_nothing_in_it_is_a_failure_and_no_decision_to_call_nothing(text: str) -> None:
    with serving(says(text=text)) as server:
        found = answer(server)
    assert (found.failure, found.calls) == ("empty", ())


def test_a_text_that_looks_like_a_call_is_a_text_and_an_unknown_name_stays() -> None:
    with serving(says(text='read_file({"path": "a.txt"})')) as server:
        assert answer(server).calls == ()
    with serving(says(("reed_file", "{"), ("find", ""))) as server:
        found = answer(server)
    assert [(call.name, call.arguments) for call in found.calls] == [
        ("reed_file", "{"),
        ("find", ""),
    ]


def test_nothing_is_set_that_the_user_did_not_set() -> None:
    with serving(says(text="Hm.")) as server:
        answer(server)
        answer(server, question(sample=2), temperature=0.0, seed=7, output_tokens_max=99)
    plain, told = server.asked
    assert set(plain) == {"model", "messages", "tools"}
    assert (told["temperature"], told["seed"], told["max_completion_tokens"]) == (0.0, 9, 99)


def test_strict_decoding_is_asked_for_where_a_question_says_so() -> None:
    def strict(setting: Strict | None) -> Question:
        return Question(messages=question().messages, contracts=(NEEDS_PATH,), strict=setting)

    with serving(says(text="Hm.")) as server:
        answer(server, strict(None))
        answer(server, strict("preferred"))
    assert [one["tools"][0]["function"].get("strict") for one in server.asked] == [None, True]


def test_a_contract_that_an_api_cannot_have_is_told_and_not_sent() -> None:
    impossible = Question(messages=question().messages, contracts=(READ,), strict="required")
    with (
        serving(says(text="Hm.")) as server,
        pytest.raises(ModelUnusable, match="read_file requires strict decoding, but"),
    ):
        answers(f"openai_chat:m@{server.url}", question(), impossible)
    assert len(server.asked) == 1


def test_tokens_are_counted_and_guessed_where_nobody_counts() -> None:
    with serving(says(text="Hm.")) as server:
        counted = answer(server)
    assert counted.usage == Usage(input_tokens=100, output_tokens=10, cached_tokens=40)
    with serving(says(text="Hm.", usage=False)) as server:
        guessed = answer(server).usage
    assert guessed.estimated
    assert guessed.input_tokens > 10


@pytest.mark.parametrize(
    ("response", "failure"),
    [
        (refuses(400, "tools: bad schema"), "refused"),
        (refuses(422, "no"), "refused"),
        (refuses(400, "too long", "context_length_exceeded"), "overflow"),
    ],
)
def test_what_says_something_about_the_question_is_an_answer(
    response: Response, failure: str
) -> None:
    with serving(response) as server:
        found = answer(server)
    assert found.failure == failure
    assert "the provider answered 4" in found.failure_says


@pytest.mark.parametrize(
    ("response", "failure", "wait_s"),
    [
        (refuses(429, "slow down", retry_after="7"), "unavailable", 7.0),
        (refuses(503, "busy"), "unavailable", None),
        (refuses(408, "late"), "unavailable", None),
        (Response(200, b'{"choices": [', {}, True), "broken", None),
        (says(text="", finish="error"), "broken", None),
    ],
)
def test_what_another_attempt_may_mend_is_raised(
    response: Response, failure: str, wait_s: float | None
) -> None:
    with serving(response) as server, pytest.raises(NoAnswer) as raised:
        answer(server)
    assert (raised.value.failure, raised.value.retry_after_s) == (failure, wait_s)


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
def test_a_call_that_its_own_api_could_not_read_is_the_models_answer(reason: str) -> None:
    """It is not asked for again: whoever gets a second try has another rate of mistakes."""
    rest = {"content": {"parts": [{"text": 'path": "a.txt"})'}]}, "finishReason": reason}
    counts = {"promptTokenCount": 30, "candidatesTokenCount": 2}
    with serving(Response(200, {"candidates": [rest], "usageMetadata": counts})) as server:
        (found,) = answers(f"gemini:m@{server.url}", question())
    assert (found.failure, found.calls, found.usage.input_tokens) == ("unreadable", (), 30)
    assert "a call that cannot be read" in found.failure_says


def test_a_whole_answer_must_come_in_time() -> None:
    over = threading.Event()

    def late(number: int, body: object) -> Response:
        over.wait(30)
        return says(text="late")

    with serving(late) as server:
        with pytest.raises(NoAnswer) as raised:
            answer(server, timeout_s=0.05)
        over.set()
    assert (raised.value.failure, raised.value.waited_s) == ("timeout", 0.05)


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (
            refuses(401, "bad key s3cret"),
            r"bad key \(the key\); look at the key in \$OPENAI_API_KEY",
        ),
        (refuses(404, "no such model"), "no such model; look at the model's name and the address"),
        (refuses(429, "pay", "insufficient_quota"), "look at the account's credit"),
        (Response(200, b"<html>", {"content-type": "text/html"}), "JSON; look at the address$"),
    ],
)
def test_what_every_question_would_meet_is_the_users_to_mend(
    response: Response, sentence: str
) -> None:
    with serving(response) as server, pytest.raises(ModelUnusable, match=sentence) as raised:
        answers(f"openai_chat:m@{server.url}", question(), environment={"OPENAI_API_KEY": "s3cret"})
    assert server.keys == ["Bearer s3cret"]
    assert "s3cret" not in str(raised.value)
    assert server.url in str(raised.value)


def test_after_an_answer_a_404_is_about_its_question_and_a_401_is_not() -> None:
    later = {1: refuses(404, "gone"), 2: refuses(401, "expired")}
    with serving(lambda number, body: later.get(number, says(text="Hm."))) as server:
        address = f"openai_chat:m@{server.url}"
        assert [one.failure for one in answers(address, *[question()] * 2)] == [None, "refused"]
    expires = serving(lambda number, body: later[2] if number else says(text="Hm."))
    with expires as server, pytest.raises(ModelUnusable, match="expired"):
        answers(f"openai_chat:m@{server.url}", *[question()] * 2)


def test_where_nobody_listens_it_is_said_at_once() -> None:
    with serving(says()) as server:
        url = server.url
    with pytest.raises(ModelUnusable, match="look at whether the server runs"):
        answers(f"openai_chat:m@{url}", question())


def test_the_identity_has_all_that_decides_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def identity(address: str = "openai_chat:m@http://h/v1", **settings: Any) -> str:
        model = model_of(address, Settings(**settings), {"OPENAI_API_KEY": "s3cret"})
        assert isinstance(model, Endpoint)
        return model.identity

    told = [
        identity(),
        identity("openai_chat:n@http://h/v1"),
        identity("openai_chat:m@http://i/v1"),
        identity("openai_responses:m@http://h/v1"),
        identity(temperature=0.0),
        identity(seed=1),
        identity(output_tokens_max=9),
    ]
    assert len(set(told)) == len(told)
    assert identity(timeout_s=3) == told[0]
    assert "s3cret" not in "".join(told)
    monkeypatch.setattr("faultloop.scenarios.wordings.models.endpoint.REVISION", 0)
    assert identity() not in told, "our own part decides, too"


def test_a_seed_is_refused_where_the_api_has_none() -> None:
    with pytest.raises(ModelUnusable, match="anthropic_messages takes no seed"):
        model_of("anthropic_messages:m@http://h/v1", Settings(seed=1), {})
