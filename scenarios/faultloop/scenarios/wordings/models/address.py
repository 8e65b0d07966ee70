"""Where a model of an API is: `DIALECT:MODEL@BASE_URL`, or without the last for the API's own.

    openai_chat:qwen3:0.6b@http://127.0.0.1:11434/v1     Ollama, vLLM, llama.cpp
    openai_responses:gpt-5.2                             $OPENAI_BASE_URL, else api.openai.com
    anthropic_messages:claude-haiku-4-5                  $ANTHROPIC_BASE_URL, else api.anthropic.com
    gemini:gemini-3-flash                                $GOOGLE_GEMINI_BASE_URL, else Google's

A key comes from the environment and from nowhere else. It is no part of an address, so it never
comes into a cache, a page or a log; an address that holds one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import httpx

from faultloop.scenarios.wordings.models.port import ModelUnusable

AT_URL = re.compile(r"(?P<model>.*)@(?P<url>[A-Za-z][A-Za-z0-9+.-]*://.*)", re.DOTALL)
"""Names of models may hold colons, slashes and an @; only an @ before a URL ends one."""

PORT_MAX = 65_535
SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """What an API's SDK looks for in the environment, and where it goes otherwise."""

    url_variable: str
    url: str
    version: str
    """Of the API, as paths have it."""
    url_has_version: bool
    """Whether a base URL ends in it; elsewhere whoever makes a path adds it."""
    key_variables: tuple[str, ...]


OPENAI = Api(
    url_variable="OPENAI_BASE_URL",
    url="https://api.openai.com/v1",
    version="/v1",
    url_has_version=True,
    key_variables=("OPENAI_API_KEY",),
)

APIS: Mapping[str, Api] = MappingProxyType(
    {
        "openai_chat": OPENAI,
        "openai_responses": OPENAI,
        "anthropic_messages": Api(
            url_variable="ANTHROPIC_BASE_URL",
            url="https://api.anthropic.com",
            version="/v1",
            url_has_version=False,
            key_variables=("ANTHROPIC_API_KEY",),
        ),
        "gemini": Api(
            url_variable="GOOGLE_GEMINI_BASE_URL",
            url="https://generativelanguage.googleapis.com",
            version="/v1beta",
            url_has_version=False,
            key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ),
    }
)
"""Dialect to its API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One model of one endpoint."""

    dialect: str
    model: str
    base_url: str
    """As the API's own SDK has it."""

    @property
    def is_official(self) -> bool:
        """Whether it is the API's own address, which nobody may use without a key."""
        return self.base_url.startswith(APIS[self.dialect].url)


def address_of(text: str, environment: Mapping[str, str]) -> Address:
    """Read `DIALECT:MODEL[@BASE_URL]`. Raises ModelUnusable."""
    dialect, _, rest = text.partition(":")
    if dialect not in APIS:
        from faultloop.scenarios.sentences import nearest  # brings all faults and checks along

        advice = nearest(dialect, APIS, noun="dialects")
        raise ModelUnusable(f"--model {text}: there is no dialect {dialect!r}; {advice}")
    api = APIS[dialect]
    if found := AT_URL.fullmatch(rest):
        model, url, where = found["model"], found["url"], "the address"
    else:
        model, where = rest, f"${api.url_variable}"
        url = environment.get(api.url_variable, "").strip() or api.url
    if not model:
        raise ModelUnusable(
            f"--model {text}: it names no model; write {dialect}:MODEL or {dialect}:MODEL@BASE_URL"
        )
    return Address(dialect=dialect, model=model, base_url=_base_url(url, where, api))


def api_key(address: Address, variable: str, environment: Mapping[str, str]) -> str:
    """The key from this variable, or from the dialect's own. Raises ModelUnusable where there must
    be one and is none."""
    variables = (variable,) if variable else APIS[address.dialect].key_variables
    for name in variables:
        if key := environment.get(name, "").strip():
            return key
    if variable or address.is_official:
        there = " or ".join(f"${name}" for name in variables)
        raise ModelUnusable(f"{address.base_url} wants a key, and {there} is not set")
    return ""


def _base_url(url: str, where: str, api: Api) -> str:
    """The URL as our clients want it, if it is one and holds no key: such a one is not quoted."""
    try:
        read = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ModelUnusable(f"{where} is no URL: {error}") from error
    if read.host and read.scheme not in SCHEMES:
        raise ModelUnusable(
            f"{where} begins with {read.scheme}://, and only http:// and https:// can be asked"
        )
    if not read.host:
        raise ModelUnusable(f"{where} is no URL: write http://HOST:PORT/v1 or the like")
    if read.port is not None and not 0 < read.port <= PORT_MAX:
        raise ModelUnusable(f"{where} is no URL: ports go from 1 to {PORT_MAX}, not {read.port}")
    if read.userinfo or read.query or read.fragment:
        raise ModelUnusable(
            f"{where} holds more than an address; a key belongs into an environment variable"
        )
    url = url.rstrip("/")
    if not api.url_has_version:
        return url.removesuffix(api.version)
    return url if read.path.strip("/") else url + api.version
