"""The upstream: where a request of the command goes on to, and through which client.

The command is given base URLs as SDKs want them (OpenAI's ends in `/v1`); people give `--upstream`
as their provider's documentation writes it, with a version at the end or without one.
"""

from __future__ import annotations

import ipaddress
import re

import httpx

CONNECT_S = 10.0
"""An upstream that has not accepted a connection by then is down."""

_VERSION = re.compile(r"/v\d+\w*$")


class BadUpstream(Exception):
    """The URL is none, or nobody answers there. The text is a sentence."""


class Upstream:
    """One provider's base URL."""

    def __init__(self, url: str, option: str = "--upstream") -> None:
        """`option` is what gave it, for people. Raises BadUpstream."""
        self._option = option
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise BadUpstream(f"{option} {url!r} is no URL: {error}") from None
        if parsed.scheme not in ("http", "https") or not parsed.host:
            raise BadUpstream(
                f"{option} {url!r} is no base URL; write one as in https://api.openai.com/v1"
            )
        self._url = parsed.copy_with(query=None, fragment=None)
        self._base = self._url.raw_path.decode().rstrip("/")
        version = _VERSION.search(self._base)
        self._version = version[0] if version else ""

    @property
    def url(self) -> str:
        """As it is told to people: without a password that stands in it."""
        return str(self._url.copy_with(username=None, password=None))

    def at(self, path: str, query: str) -> httpx.URL:
        """Where a request goes; `path` and `query` are as they arrived, escapes and all."""
        base = self._base
        if self._version and path.startswith(f"{self._version}/"):
            base = base.removesuffix(self._version)
        elif self._version and path.startswith("/v1/"):  # as OpenAI's SDK has it
            path = path.removeprefix("/v1")
        raw = f"{base}{path}" + (f"?{query}" if query else "")
        return self._url.copy_with(raw_path=(raw if raw.startswith("/") else f"/{raw}").encode())

    def client(self) -> httpx.AsyncClient:
        """A client for it: patient, without redirects, and past any proxy where it is local."""
        return httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=CONNECT_S),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            follow_redirects=False,
            trust_env=not _is_local(self._url.host),
        )

    async def look(self, client: httpx.AsyncClient) -> None:
        """Raises BadUpstream where nobody answers."""
        try:
            response = await client.send(httpx.Request("HEAD", self._url), stream=True)
            await response.aclose()
        except httpx.HTTPError as error:
            raise BadUpstream(
                f"the upstream {self.url} does not answer ({told(error)}); start it, or correct "
                f"{self._option}"
            ) from None


def told(error: Exception) -> str:
    """What went wrong, in the words of whoever found it."""
    return " ".join(str(error).split()) or type(error).__name__


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
