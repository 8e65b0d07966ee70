"""Injected failures in each dialect's own words, as the official SDKs raise them."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

import pytest

from faultloop.fakes.dialects import DIALECTS
from faultloop.fakes.dialects.failing import Words, spelt_wait, worded
from faultloop.fakes.faults import KINDS
from faultloop.fakes.faults.base import HttpFailure
from faultloop.fakes.faults.rejected_request import RejectedRequest
from faultloop.fakes.hosting import BaseUrls, HostedScript, Hosting, HostThread
from faultloop.fakes.script import Step

HTTP = {kind for kind, one in KINDS.items() if hasattr(one, "answer")}
STATUSES = (400, 401, 403, 404, 413, 422)


class Raised(NamedTuple):
    """What an SDK makes of a failure."""

    exception: str
    status: int
    kind: str | None
    """The error's type or status, in the body."""
    code: str | None
    message: str
    """How it begins."""


def uncoded(exception: str, status: int, kind: str, message: str) -> Raised:
    """Of an API that has no codes."""
    return Raised(exception, status, kind, None, message)


LIMITED = "Rate limit reached for m in organization org-faultloop on requests per min (RPM): "
CHAT = {
    "rate_limited": Raised(
        "RateLimitError", 429, "requests", "rate_limit_exceeded", LIMITED + "Limit 500, Used 500"
    ),
    "server_error": Raised("InternalServerError", 500, "server_error", None, "The server had an"),
    "overloaded": Raised("InternalServerError", 503, "server_error", None, "That model is curre"),
    "gateway_timeout": Raised("InternalServerError", 504, None, None, "<html>"),
    "rejected_request 400": Raised(
        "BadRequestError", 400, "invalid_request_error", "invalid_prompt", "Invalid prompt: your"
    ),
    "rejected_request 401": Raised(
        "AuthenticationError", 401, "invalid_request_error", "invalid_api_key", "Incorrect API key"
    ),
    "rejected_request 403": Raised(
        "PermissionDeniedError", 403, "invalid_request_error", "model_not_found", "Project `proj_"
    ),
    "rejected_request 404": Raised(
        "NotFoundError", 404, "invalid_request_error", "model_not_found", "The model `m` does not"
    ),
    "rejected_request 413": Raised(
        "APIStatusError", 413, "invalid_request_error", None, HTTPStatus(413).phrase
    ),
    "rejected_request 422": Raised(
        "UnprocessableEntityError", 422, "invalid_request_error", None, HTTPStatus(422).phrase
    ),
}
RESPONSES = CHAT | {
    "server_error": Raised(
        "InternalServerError", 500, "server_error", "server_error", "An error occurred while proc"
    ),
    "overloaded": Raised(
        "InternalServerError",
        503,
        "service_unavailable_error",
        "server_is_overloaded",
        "Our servers are currently overloaded.",
    ),
}


MESSAGES = {
    "rate_limited": uncoded(
        "RateLimitError", 429, "rate_limit_error", "This request would exceed your organization's "
    ),
    "server_error": uncoded("InternalServerError", 500, "api_error", "Internal server error"),
    "overloaded": uncoded("OverloadedError", 529, "overloaded_error", "Overloaded"),
    "gateway_timeout": Raised("GatewayTimeoutError", 504, None, None, "<html>"),
    "rejected_request 400": uncoded(
        "BadRequestError", 400, "invalid_request_error", "Output blocked by content filtering pol"
    ),
    "rejected_request 401": uncoded(
        "AuthenticationError", 401, "authentication_error", "invalid x-api-key"
    ),
    "rejected_request 403": uncoded(
        "PermissionDeniedError", 403, "permission_error", "Request not allowed"
    ),
    "rejected_request 404": uncoded("NotFoundError", 404, "not_found_error", "model: m"),
    "rejected_request 413": uncoded(
        "ContentTooLargeError", 413, "request_too_large", "Request exceeds the maximum size"
    ),
    "rejected_request 422": uncoded(
        "UnprocessableEntityError", 422, "invalid_request_error", HTTPStatus(422).phrase
    ),
}


GEMINI = {
    "rate_limited": uncoded(
        "ClientError", 429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check"
    ),
    "server_error": uncoded("ServerError", 500, "INTERNAL", "An internal error has occurred."),
    "overloaded": uncoded("ServerError", 503, "UNAVAILABLE", "This model is currently experien"),
    "gateway_timeout": uncoded("ServerError", 504, "DEADLINE_EXCEEDED", "Deadline expired before"),
    "rejected_request 400": uncoded(
        "ClientError", 400, "INVALID_ARGUMENT", "Request contains an invalid argument."
    ),
    "rejected_request 401": uncoded(
        "ClientError", 401, "UNAUTHENTICATED", "Request had invalid authentication credentials."
    ),
    "rejected_request 403": uncoded(
        "ClientError", 403, "PERMISSION_DENIED", "Your API key was reported as leaked."
    ),
    "rejected_request 404": uncoded(
        "ClientError", 404, "NOT_FOUND", "models/m is not found for API version v1beta"
    ),
    "rejected_request 413": uncoded(
        "ClientError", 413, "FAILED_PRECONDITION", HTTPStatus(413).phrase
    ),
    "rejected_request 422": uncoded(
        "ClientError", 422, "FAILED_PRECONDITION", HTTPStatus(422).phrase
    ),
}
TABLES = {
    "openai_chat": CHAT,
    "openai_responses": RESPONSES,
    "anthropic_messages": MESSAGES,
    "gemini": GEMINI,
}


# --- the tables ------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_trouble_has_words_with_a_source_or_is_the_gateway_s(dialect: str) -> None:
    failures = DIALECTS[dialect].failures
    assert HTTP - {"rejected_request"} - failures.keys() <= {"gateway_timeout"}
    assert {name.split()[0] for name in failures} <= HTTP
    assert all(words.source and words.status >= 400 for words in failures.values())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_are_filled_in_to_the_last(dialect: str) -> None:
    for kind, words in DIALECTS[dialect].failures.items():
        failure = HttpFailure(status=words.status, retry_after_s=2.5)
        said = worded(failure, kind, DIALECTS[dialect].failures, model="m", request="1")
        assert "{" not in said.message
        assert (said.status, said.code) == (words.status, words.code)


def test_a_row_with_a_status_is_for_that_status_only() -> None:
    own = {"rejected_request 401": Words(401, "No.", "somebody", "no")}
    failures = [
        worded(HttpFailure(status=status), "rejected_request", own, model="m", request="1")
        for status in (401, 422)
    ]
    assert [(one.message, one.code) for one in failures] == [
        ("No.", "no"),
        (HTTPStatus(422).phrase, None),
    ]


def test_what_a_scenario_words_itself_is_sent_as_it_is() -> None:
    fault = RejectedRequest(at="step 1", message="No {more}.", code="no")
    said = worded(
        fault.answer(), "rejected_request", DIALECTS["gemini"].failures, model="m", request="1"
    )
    assert (said.status, said.message, said.code) == (400, "No {more}.", "no")


@pytest.mark.parametrize(
    ("seconds", "spelt"), [(0.02, "20ms"), (1.574, "1.574s"), (20, "20s"), (0, "0s")]
)
def test_times_to_wait_are_spelt_as_the_apis_spell_them(seconds: float, spelt: str) -> None:
    assert spelt_wait(seconds) == spelt


# --- the SDKs --------------------------------------------------------------------------------


def ask(dialect: str, urls: BaseUrls, *, streamed: bool) -> Exception:
    """What the dialect's SDK raises for its one request."""
    asks = {"openai_chat": _chat, "openai_responses": _responses}
    asks |= {"anthropic_messages": _messages, "gemini": _generate}
    try:
        asks[dialect](urls, streamed)
    except Exception as error:
        return error
    raise AssertionError("the SDK raised nothing")


def _chat(urls: BaseUrls, streamed: bool) -> None:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(base_url=urls.openai, api_key="k", max_retries=0) as client:
        messages = [{"role": "user", "content": "Go."}]
        client.chat.completions.create(model="m", messages=messages, stream=streamed)


def _responses(urls: BaseUrls, streamed: bool) -> None:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(base_url=urls.openai, api_key="k", max_retries=0) as client:
        client.responses.create(model="m", input="Go.", stream=streamed)


def _messages(urls: BaseUrls, streamed: bool) -> None:
    anthropic = pytest.importorskip("anthropic")
    with anthropic.Anthropic(base_url=urls.anthropic, api_key="k", max_retries=0) as client:
        messages = [{"role": "user", "content": "Go."}]
        client.messages.create(model="m", max_tokens=9, messages=messages, stream=streamed)


def _generate(urls: BaseUrls, streamed: bool) -> None:
    genai = pytest.importorskip("google.genai")
    options = genai.types.HttpOptions(base_url=urls.gemini)
    with genai.Client(api_key="k", http_options=options) as client:
        if streamed:
            list(client.models.generate_content_stream(model="m", contents="Go."))
        else:
            client.models.generate_content(model="m", contents="Go.")


def raised(error: Any) -> Raised:
    """What a caller reads from an SDK's exception."""
    name = type(error).__name__
    if hasattr(error, "status_code"):  # OpenAI and Anthropic
        body = error.body
        if not isinstance(body, dict):
            return Raised(name, error.status_code, None, None, error.response.text)
        said = body.get("error", body)
        return Raised(name, error.status_code, said["type"], said.get("code"), said["message"])
    return Raised(name, error.code, error.status, None, error.message)


CASES = [*sorted(HTTP - {"rejected_request"}), *(f"rejected_request {one}" for one in STATUSES)]


@pytest.fixture(scope="module", params=CASES)
def failing(request: pytest.FixtureRequest) -> Iterator[tuple[str, HostThread]]:
    kind, _, status = str(request.param).partition(" ")
    fields: dict[str, Any] = {"status": int(status)} if status else {}
    if kind == "rate_limited":
        fields["retry_after_s"] = 2.5
    fault = KINDS[kind](at="step 1", times=9, **fields)
    with HostThread(
        Hosting(HostedScript(name="failing", steps=(Step(say="Hello."),), faults=(fault,)))
    ) as host:
        yield request.param, host


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_sdk_raises_its_own_exception(
    dialect: str, streamed: bool, failing: tuple[str, HostThread]
) -> None:
    case, host = failing
    wanted = TABLES[dialect][case]
    found = raised(ask(dialect, host.base_urls(f"{dialect} {streamed}"), streamed=streamed))
    assert found[:-1] == wanted[:-1]
    assert found.message.startswith(wanted.message)


HEADERS = {
    "openai_chat": {
        "retry-after": "3",
        "retry-after-ms": "2500",
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "2.5s",
        "x-ratelimit-limit-tokens": "2000000",
        "x-ratelimit-remaining-tokens": "2000000",
        "x-ratelimit-reset-tokens": "0s",
        "x-request-id": "req_000000000000000000000001",
    },
    "anthropic_messages": {
        "retry-after": "3",
        "x-should-retry": "true",
        "anthropic-ratelimit-requests-limit": "4000",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:03Z",
        "request-id": "req_000000000000000000000001",
    },
}
HEADERS["openai_responses"] = HEADERS["openai_chat"]


@pytest.mark.parametrize("dialect", HEADERS)
@pytest.mark.parametrize("failing", ["rate_limited"], indirect=True)
def test_how_long_to_wait_is_told_in_the_api_s_own_headers(
    dialect: str, failing: tuple[str, HostThread]
) -> None:
    _, host = failing
    error: Any = ask(dialect, host.base_urls(f"{dialect} headers"), streamed=False)
    told = error.response.headers
    assert {name: told.get(name) for name in HEADERS[dialect]} == HEADERS[dialect]


@pytest.mark.parametrize("failing", ["rate_limited"], indirect=True)
def test_gemini_tells_it_in_the_body(failing: tuple[str, HostThread]) -> None:
    _, host = failing
    error: Any = ask("gemini", host.base_urls("gemini body"), streamed=False)
    kinds = [detail["@type"].rpartition(".")[2] for detail in error.details["error"]["details"]]
    assert kinds == ["QuotaFailure", "Help", "RetryInfo"]
    assert error.details["error"]["details"][-1]["retryDelay"] == "2.500s"
    assert error.message.endswith("\nPlease retry in 2.5s.")


@pytest.mark.parametrize("failing", ["overloaded"], indirect=True)
def test_an_overloaded_api_says_that_the_same_may_be_asked_again(
    failing: tuple[str, HostThread],
) -> None:
    _, host = failing
    error: Any = ask("anthropic_messages", host.base_urls("again"), streamed=False)
    assert error.response.headers["x-should-retry"] == "true"
    assert "retry-after" not in error.response.headers
