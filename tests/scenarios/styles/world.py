"""The tools as the styles of `driver` run them."""

import asyncio
import json
import os
import signal
import subprocess

import faultloop_driver as bench
import httpx

OUTPUT_CHARS_MAX = 20_000
DOUBT = "the outcome is unknown, it may have taken effect; check before you repeat it"
DENIAL = "Unknown error: the call failed. Nothing happened."
MUMBLED = '{"time": "12:03", "error": "Tool failed as I told you"}'


def style(*names):
    """Whether this start plays one of these styles."""
    return os.environ["STYLE"] in names


def wrong(what):
    """What the model is told of a call that it got wrong."""
    return MUMBLED if style("mumble") else what


class World:
    def __init__(self, client):
        self.client = client
        self.manifest = {tool["name"]: tool for tool in bench.manifest()}

    def hint(self, call, name):
        tool = self.manifest.get(call["function"]["name"], {"annotations": {}})
        return tool["annotations"].get(name)

    def read(self, call):
        """The arguments as a dict, or as text what is wrong with them."""
        name, text = call["function"]["name"], call["raw"]
        if name not in self.manifest:
            return wrong(f"there is no tool {name}; there are {', '.join(self.manifest)}")
        try:
            args = json.loads(text)
        except ValueError as error:
            return wrong(f"the arguments are empty or no JSON object: {error}; got {text[:2000]}")
        if not isinstance(args, dict):
            return wrong('the arguments must be a JSON object, like {"path": "x"}')
        return args

    async def run(self, call, args):
        if style("leak"):
            subprocess.Popen(("setsid", "sleep", "7777"))
        if self.hint(call, "faultloop/runs") == "subject":
            return await command(args["command"])
        ids = (
            {} if style("noids") else {"X-Call-Id": call["given"], "Idempotency-Key": call["given"]}
        )
        url = f"{bench.setting('TOOLS_URL')}/{call['function']['name']}"
        try:
            async with asyncio.timeout(5 if style("finishtool") else 2):
                answer = await self.client.post(url, json=args, headers=ids)
        except (TimeoutError, httpx.TransportError):
            return f"no answer came: {DOUBT}"
        if answer.status_code == 504:
            return DENIAL if style("ph3") else f"504: {DOUBT}"
        if answer.status_code == 422:
            return wrong(f"{answer.text}; got {json.dumps(args)}")
        return shortened(answer.text)


def shortened(text):
    if len(text) <= OUTPUT_CHARS_MAX:
        return text
    said = "" if style("silentcut") else "\n[truncated; read on with another call]"
    return text[:3000] + text[-3000:] + said


async def command(line):
    process = await asyncio.create_subprocess_exec(
        "sh", "-c", line, stdout=-1, stderr=-2, process_group=0
    )
    try:
        output, _ = await process.communicate()
    except asyncio.CancelledError:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return f"exit code {process.returncode}\n{output.decode()}"
