"""A model behind an API, through the loop's own clients: one attempt at one question.

The loop's assembler puts the reply together, so that what is a call here is what is one there: a
complete call item of a whole reply. What is sent is the question and what the user set; all else is
left to the endpoint. A failure that another attempt may mend is raised, one that says something
about the question is an answer, and one that every question would meet is the user's to mend.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Protocol, cast

import httpx
import msgspec
from msgspec.structs import replace

from faultloop.loop.assembler import Assembler, Reply
from faultloop.loop.budget import estimate
from faultloop.loop.client import Client
from faultloop.loop.contract import ContractError
from faultloop.loop.contract.rendering import gemini
from faultloop.loop.message import AssistantMessage, Message, UserMessage
from faultloop.loop.providers.anthropic_messages import AnthropicMessages
from faultloop.loop.providers.gemini import Gemini
from faultloop.loop.providers.openai_chat import OpenAIChat
from faultloop.loop.providers.openai_responses import OpenAIResponses
from faultloop.loop.providers.port import (
    CallUnreadable,
    Delta,
    FailureKind,
    ModelRequest,
    Provider,
    ProviderFailure,
    UsageDelta,
)
from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.models.address import APIS, Address, api_key
from faultloop.scenarios.wordings.models.names import ALLOWED, api_names
from faultloop.scenarios.wordings.models.port import ModelUnusable, NoAnswer, Question

WHOLE_MAX = 2**31 - 1
"""No API takes a longer number for a seed or a length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user sets; None leaves it to the endpoint. Raises ValueError for no such number."""

    temperature: float | None = None
    seed: int | None = None
    """Sample n is asked with `seed + n`: the same seed for all would be the same sample."""
    output_tokens_max: int | None = None
    timeout_s: float = 120.0
    """For one whole answer."""
    key_variable: str = ""
    """Environment variable with the key; empty: the dialect's own."""

    def __post_init__(self) -> None:
        """What is out of range is told with its option."""
        ranges: tuple[tuple[str, float | None, float, float], ...] = (
            ("--temperature", self.temperature, 0, 100),
            ("--sampling-seed", self.seed, 0, WHOLE_MAX),
            ("--output-tokens", self.output_tokens_max, 1, WHOLE_MAX),
            ("--timeout", self.timeout_s, 0.001, WHOLE_MAX),
        )
        for option, value, least, most in ranges:
            if value is not None and not least <= value <= most:
                raise ValueError(f"{option} {value:g}: give {least:g} to {most:.10g}")


AS_IT_IS = Settings()
"""Nothing is set."""


class Connects(Protocol):
    """How the loop's clients are made."""

    def __call__(
        self,
        client: Client,
        base_url: str,
        api_key: str = "",
        *,
        idle_timeout_s: float | None = 60.0,
        answer_timeout_s: float | None = 600.0,
    ) -> Provider:
        """A provider of this dialect."""
        ...


CLIENTS: Mapping[str, Connects] = MappingProxyType(
    {
        "openai_chat": OpenAIChat,
        "openai_responses": OpenAIResponses,
        "anthropic_messages": AnthropicMessages,
        "gemini": Gemini,
    }
)
"""Dialect to the client that speaks it."""

NAMES = MappingProxyType({"gemini": gemini.NAMES})
"""Dialect to what it takes as a tool's name, where that is not what the others take."""

NO_SEED = frozenset({"openai_responses", "anthropic_messages"})
"""Dialects that have none."""

RETRIED: Mapping[FailureKind, Failure] = MappingProxyType(
    {
        "rate_limited": "unavailable",
        "unavailable": "unavailable",
        "timeout": "unavailable",  # its own limit, whatever it is: ours is `Settings.timeout_s`
        "broken": "broken",
    }
)
"""What another attempt may mend."""

REVISION = 2
"""Of our own part in an answer: count it up where a change of names, of what is sent or of how a
reply is read gives the same question another answer. Then none that was kept is found any more."""

NOBODY = "whether the server runs, and at the address"

LOOK_AT: Mapping[int | None, str] = MappingProxyType(
    {
        401: "the key in ${key}",
        402: "the account's credit",
        403: "what the key in ${key} may do",
        404: "the model's name and the address",
        405: "the address",
        429: "the account's credit",  # as a refusal; otherwise it is a limit of the rate
        None: "the address",
    }
)
"""Refusals that every question would meet, by status, and what the user is to look at."""

AT_ANY_TIME = frozenset({401, 402, 429})
"""The others may be about one question, once another one has been answered."""


class Endpoint:
    """One model of one endpoint."""

    about = ""
    deterministic = False
    """Nobody promises it, not at temperature 0 either; identical samples are noticed later."""
    sees_order = True
    gives_arguments = True
    worth_keeping = True

    def __init__(
        self,
        name: str,
        address: Address,
        settings: Settings,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """`name`: as the user wrote it. Raises ModelUnusable for what cannot be set there."""
        if settings.seed is not None and address.dialect in NO_SEED:
            raise ModelUnusable(f"{name}: {address.dialect} takes no seed; leave it out")
        if address.dialect not in CLIENTS:
            raise ModelUnusable(f"{name}: there is no client for {address.dialect} yet")
        self.name = name
        self._address = address
        self._settings = settings
        self._key = api_key(address, settings.key_variable, environment)
        self._client: httpx.AsyncClient | None = None
        self._provider: Provider | None = None
        self._answered = False
        """Some question has been: the address, the key and the model's name are right."""

    @property
    def identity(self) -> str:
        """The address, the settings that decide answers, and our own revision."""
        decides = {**asdict(self._address), **asdict(self._settings), "revision": REVISION}
        del decides["timeout_s"], decides["key_variable"]
        return msgspec.json.encode(decides, order="sorted").decode()

    async def __aenter__(self) -> Endpoint:
        """Open the client; nothing is asked yet."""
        self._client = httpx.AsyncClient(timeout=None)
        self._provider = CLIENTS[self._address.dialect](
            self._client,
            self._address.base_url,
            self._key,
            idle_timeout_s=None,
            answer_timeout_s=None,  # the whole answer has one: `Settings.timeout_s`
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()

    async def answer(self, question: Question) -> Answer:
        """One attempt. Raises NoAnswer and ModelUnusable."""
        assert self._provider is not None, "a model is opened before it is asked"
        names = self._names(question)
        request = self._request(question, names)
        assembler = Assembler("answer")
        stream = cast(AsyncGenerator[Delta, None], self._provider.stream(request))
        try:
            async with asyncio.timeout(self._settings.timeout_s), aclosing(stream):
                async for delta in stream:
                    assembler.feed(delta)
        except CallUnreadable as failure:  # the model's own mistake: its first answer counts
            self._answered = True
            usage = _usage(failure.usage or assembler.usage)
            return Answer(failure="unreadable", failure_says=str(failure), usage=usage)
        except ProviderFailure as failure:
            return self._failed(failure, failure.usage or assembler.usage)
        except TimeoutError:
            raise NoAnswer(
                "timeout",
                f"no whole answer within {self._settings.timeout_s:g} s (--timeout)",
                usage=_usage(assembler.usage),
                waited_s=self._settings.timeout_s,
            ) from None
        reply = assembler.finish()
        usage = _usage(reply.usage or estimate(request, reply.message))
        if reply.ending == "broken":
            raise NoAnswer("broken", "the reply ended before its end mark", usage=usage)
        if _says_nothing(reply.message):
            raise NoAnswer("broken", "the reply is empty, and gives no usual reason", usage=usage)
        self._answered = True
        return _answer(reply, usage, {given: name for name, given in names.items()})

    def _names(self, question: Question) -> dict[str, str]:
        allowed = NAMES.get(self._address.dialect, ALLOWED)
        return api_names((contract.name for contract in question.contracts), allowed)

    def _request(self, question: Question, names: Mapping[str, str]) -> ModelRequest:
        faces = [contract.face() for contract in question.contracts]
        said: list[Message] = []
        for number, one in enumerate(question.messages):
            kind = UserMessage if one.role == "user" else AssistantMessage
            said.append(kind(id=f"message {number}", text=one.text))
        said.extend(_under(names, one) for one in question.after)
        seed = self._settings.seed
        return ModelRequest(
            model=self._address.model,
            system=question.system,
            messages=tuple(said),
            tools=tuple({**face, "name": names[face["name"]]} for face in faces),
            stream=False,
            output_tokens_max=self._settings.output_tokens_max,
            strict=question.strict,
            temperature=self._settings.temperature,
            seed=None if seed is None else seed + question.sample,
        )

    def _failed(self, failure: ProviderFailure, usage: UsageDelta | None) -> Answer:
        """The answer that a failure is. Raises NoAnswer or ModelUnusable where it is none."""
        says = str(failure)
        if self._key:  # some providers quote the key that they refuse
            says = says.replace(self._key, "(the key)")
        if isinstance(failure.__cause__, ContractError):  # it was never sent
            raise ModelUnusable(f"{self.name}: {says}")
        if look_at := self._for_the_user(failure):
            advice = f"look at {look_at}"
            more = "" if says.endswith(advice) else f"; {advice}"
            raise ModelUnusable(f"{self._address.base_url}: {says}{more}")
        if failure.kind == "overflow":
            return Answer(failure="overflow", failure_says=says, usage=_usage(usage))
        if failure.kind == "rejected" and failure.status is not None:
            return Answer(failure="refused", failure_says=says, usage=_usage(usage))
        raise NoAnswer(
            RETRIED.get(failure.kind, "broken"),
            says,
            retry_after_s=failure.retry_after_s,
            usage=_usage(usage),
        )

    def _for_the_user(self, failure: ProviderFailure) -> str:
        """What the user is to look at, because every question would fail so; else nothing."""
        if self._answered and failure.status not in AT_ANY_TIME:
            return ""
        if isinstance(failure.__cause__, httpx.ConnectError):
            return NOBODY
        if failure.kind != "rejected":
            return ""
        key = self._settings.key_variable or APIS[self._address.dialect].key_variables[0]
        return LOOK_AT.get(failure.status, "").replace("{key}", key)


def _under(names: Mapping[str, str], said: Message) -> Message:
    """The same with the names that the API knows its tools by; one of no tool stays as it is."""
    if not isinstance(said, AssistantMessage):
        return said
    calls = tuple(replace(call, name=names.get(call.name, call.name)) for call in said.calls)
    return replace(said, calls=calls)


STOPPED: Mapping[str | None, tuple[Failure, str]] = MappingProxyType(
    {
        "length": ("cut", "the reply was cut at its length limit"),
        "content_filter": ("blocked", "a filter stopped the reply"),
    }
)
"""Finish reason to the failure that it is (SPEC P1)."""
EMPTY = "the reply ended as usual, with neither text nor call in it"


def _says_nothing(said: AssistantMessage) -> bool:
    """Whether it ended for no usual reason with nothing in it: that is no answer of the model."""
    return said.finish_reason in (None, "other") and not said.calls and not said.text.strip()


def _answer(reply: Reply, usage: Usage, name_of: Mapping[str, str]) -> Answer:
    said = reply.message
    if found := STOPPED.get(said.finish_reason):
        failure, says = found
        return Answer(text=said.text, failure=failure, failure_says=says, usage=usage)
    calls = tuple(replace(call, name=name_of.get(call.name, call.name)) for call in said.calls)
    if not calls and not said.text.strip():
        return Answer(failure="empty", failure_says=EMPTY, usage=usage)
    return Answer(calls=calls, text=said.text, usage=usage)


def _usage(counted: UsageDelta | None) -> Usage:
    if counted is None:
        return Usage()
    return Usage(
        input_tokens=counted.input_tokens,
        output_tokens=counted.output_tokens,
        cached_tokens=counted.cached_tokens,
        estimated=counted.estimated,
    )
