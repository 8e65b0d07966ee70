"""A look at the endpoint before anything is said: is it there, does it take the key, which models?

Not every server lists its models; then nothing but the name is missed, and `--model` gives it.
"""

from __future__ import annotations

import httpx
import msgspec

from faultloop.bench.chat.options import BadChat, ChatOptions

LOOK_S = 10.0
"""How long the look may take; a slow endpoint is not refused for that."""
NAMES_TOLD_MAX = 20


class _Model(msgspec.Struct, frozen=True):
    id: str


class _Models(msgspec.Struct, frozen=True):
    data: list[_Model]


async def model_of(client: httpx.AsyncClient, options: ChatOptions, key: str) -> str:
    """The model that was named, or the only one there is. Raises BadChat."""
    names = await _models(client, options.base_url, key)
    if options.model:
        return options.model
    if len(names) == 1:
        return names[0]
    if not names:
        raise BadChat(f"{options.base_url} does not say which models it has: give one with --model")
    more = f" and {len(names) - NAMES_TOLD_MAX} more" if len(names) > NAMES_TOLD_MAX else ""
    there = ", ".join(names[:NAMES_TOLD_MAX])
    raise BadChat(f"{options.base_url} has several models, name one with --model: {there}{more}")


async def _models(client: httpx.AsyncClient, base_url: str, key: str) -> list[str]:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        answer = await client.get(f"{base_url}/models", headers=headers, timeout=LOOK_S)
    except (httpx.ConnectError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
        raise BadChat(f"--base-url {base_url}: no connection ({error})") from error
    except httpx.HTTPError:
        return []
    if answer.status_code in (401, 403):
        what = "the key was refused" if key else "a key is needed (see --api-key-env)"
        raise BadChat(f"{base_url}: {what}, it answered {answer.status_code}")
    try:
        return [model.id for model in msgspec.json.decode(answer.content, type=_Models).data]
    except msgspec.DecodeError:
        return []
