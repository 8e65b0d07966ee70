"""The page at `/`, in a real browser."""

from __future__ import annotations

from pathlib import Path

import httpx

from faultloop.fakes.faults.rate_limited import RateLimited
from faultloop.fakes.hosting import HostedScript, Hosting, HostThread
from faultloop.fakes.script import ScriptedCall, Step

from .browser import browser

HTML = "<img src=x onerror='document.title=1'> & <b>bold</b>"
CALL = ScriptedCall.of("read_file", {"path": "a.txt"})
SCRIPT = HostedScript(
    name="story.yaml",
    steps=(Step(say=HTML), Step(calls=(CALL,))),
    faults=(RateLimited(at="step 2"),),
)
TOOLS = [{"type": "function", "function": {"name": "read_file", "parameters": {}}}]
USER = {"role": "user", "content": "What now?"}


def test_it_shows_conversations_as_they_go_on(tmp_path: Path) -> None:
    with HostThread(Hosting(SCRIPT)) as host, browser(tmp_path) as page, httpx.Client() as client:

        def ask(name: str, *messages: object) -> httpx.Response:
            body = {"model": "m", "tools": TOOLS, "messages": messages}
            return client.post(f"{host.base_urls(name).openai}/chat/completions", json=body)

        page.open(host.url)
        page.until_it_says("No conversation yet")
        page.until_it_says("story.yaml: 2 steps")

        ask("first", USER)
        page.until_it_says("1 request · 1 of 2 steps said")
        page.until_it_says("Reply: step 1")
        assert HTML in page.text(), "what is said is text, whatever it looks like"
        assert page.run("document.title") == "faultloop serve"

        said = {"role": "assistant", "content": HTML}
        assert ask("first", USER, said, USER).status_code == 429
        page.until_it_says("rate_limited at step 2: fired 1×")
        page.until_it_says("Failed with 429, as scripted")
        ask("first", USER, said, USER)
        page.until_it_says('read_file({"path":"a.txt"})')

        ask("second", USER)
        page.until("document.querySelectorAll('nav button').length === 2")
        picture = page.picture()
        assert picture.startswith(b"\x89PNG")
        (tmp_path / "page.png").write_bytes(picture)

        page.run("document.querySelectorAll('nav button')[1].click()")
        page.until("document.querySelectorAll('#entries li.replied').length === 1")

        page.run("document.getElementById('reset').click()")
        page.until("document.querySelectorAll('#entries li').length === 0")
        page.until_it_says("0 requests · 0 of 2 steps said")

        page.run("document.querySelector('details').open = true")
        page.run("document.getElementById('load').click()")
        page.until_it_says("this server was given nothing to read scripts with")

        assert page.thrown == []
