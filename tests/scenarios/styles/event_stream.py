"""Server-sent events as all styles read them: the JSON of each `data:` line."""

import json


async def events(response):
    """Each event's data; keep-alives, comments and end marks are left out."""
    rest = b""
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data: {"):
                yield json.loads(line.removeprefix(b"data: "))
