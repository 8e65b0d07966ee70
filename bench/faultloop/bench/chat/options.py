"""What a person asks of a chat, checked: a value, or a sentence that says what is wrong.

Everything that can be known to be wrong before the first request is found here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from faultloop.loop.budget import Price

DEFAULT_KEY = "OPENAI_API_KEY"
DEFAULT_SYSTEM = (
    "You help a person at a terminal with the work in one folder. Look before you change anything,"
    " use the tools for what only they can tell you, and say briefly what you did."
)


class BadChat(Exception):
    """What was asked for cannot be had; whoever asked is told in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """The command line's options."""

    base_url: str
    model: str | None = None
    api_key_env: str | None = None
    tools: str | None = None
    system: str | None = None
    journal: Path | None = None
    resume: bool = False
    stream: bool = True
    max_steps: int | None = None
    price: str | None = None
    yes: bool = False


def checked_url(url: str) -> str:
    """An endpoint's URL. Raises BadChat."""
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname)
        port = parts.port
    except ValueError as error:
        raise BadChat(f"--base-url {url!r} is no URL: {error}") from error
    if not is_good or port == 0:
        raise BadChat(
            f"--base-url {url!r}: give the address of an endpoint, as in"
            " https://api.openai.com/v1 or http://127.0.0.1:8000/v1"
        )
    return url.rstrip("/")


def api_key(options: ChatOptions, environment: Mapping[str, str]) -> str:
    """The key; empty where none is set and none was asked for. Raises BadChat."""
    name = options.api_key_env or DEFAULT_KEY
    key = environment.get(name, "").strip()
    if not key and options.api_key_env is not None:
        raise BadChat(f"--api-key-env: the environment has no {name}, or it is empty")
    if not key.isascii() or not key.isprintable():
        raise BadChat(f"the key in {name} has characters that no key has; look at what was pasted")
    return key


def system_prompt(given: str | None) -> str:
    """The text, or with an @ before it what that file says. Raises BadChat."""
    if given is None:
        return DEFAULT_SYSTEM
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise BadChat(f"--system {given}: the file cannot be read: {reason}") from error


def price(given: str | None) -> Price:
    """`INPUT,OUTPUT[,CACHED]` in US dollars per million tokens. Raises BadChat."""
    if given is None:
        return Price()
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not all(0 <= number < 1e6 for number in numbers):
        raise BadChat(
            f"--price {given!r}: give INPUT,OUTPUT or INPUT,OUTPUT,CACHED in US dollars per million"
            " tokens, as in 2.5,10"
        )
    cached_usd = numbers[2] if len(numbers) == 3 else numbers[0]
    return Price(input_usd=numbers[0], output_usd=numbers[1], cached_usd=cached_usd)
