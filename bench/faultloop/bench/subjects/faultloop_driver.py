"""Subject contract v1 for drivers in Python: one file, standard library only; copy it freely.

A driver is a function that runs an agent loop once and a call of `run` with it:

    import faultloop_driver as bench

    def main() -> str:          # the final text, or a dict of the result line's fields
        return my_loop(bench.setting("INPUT"), tools=bench.manifest())

    bench.run(main)

Nothing here is required: environment in, one line `@faultloop {json}` out is the whole contract.
"""

from __future__ import annotations

import functools
import gc
import inspect
import json
import os
import select
import signal
import subprocess
import sys
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, NoReturn

MARK = "@faultloop "
Main = Callable[[], "str | dict[str, Any] | None"]

TYPES = {"string": str, "integer": int, "number": float, "boolean": bool}
"""What a type of JSON Schema is in a signature."""

_own: set[str] = set()
"""Tools of the manifest that the subject runs itself (`commands = "own"`)."""


class ToolError(Exception):
    """The tool's answer was no 200; the text is its status and body."""


def setting(name: str, default: str = "") -> str:
    """`setting("INPUT")` is the environment's FAULTLOOP_INPUT."""
    return os.environ.get(f"FAULTLOOP_{name}", default)


def url(provider: str) -> str:
    """`url("OPENAI")` is the environment's OPENAI_BASE_URL."""
    return os.environ[f"{provider}_BASE_URL"]


def key(provider: str) -> str:
    """`key("OPENAI")` is the environment's OPENAI_API_KEY."""
    return os.environ[f"{provider}_API_KEY"]


def streaming() -> bool:
    """Whether replies are to be streamed."""
    return setting("STREAM") == "1"


def manifest() -> list[dict[str, Any]]:
    """The tools that are offered: name, description, parameters, annotations."""
    with urllib.request.urlopen(setting("TOOLS_URL")) as answer:
        tools: list[dict[str, Any]] = json.load(answer)
    _own.update(
        tool["name"]
        for tool in tools
        if tool.get("annotations", {}).get("faultloop/runs") == "subject"
    )
    return tools


def functions() -> list[dict[str, Any]]:
    """The tools as OpenAI's Chat Completions wants them."""
    keys = ("name", "description", "parameters")
    return [{"type": "function", "function": {key: t[key] for key in keys}} for t in manifest()]


def function(tool: dict[str, Any], call: Callable[..., str], **given: Any) -> Callable[..., str]:
    """A tool of the manifest as a plain typed function, for frameworks that read signatures.

    `given` are parameters that the framework fills in by their annotation, such as its context of a
    run; they come first. The function does `call(NAME, ARGS, **given)`, without what is None.
    """
    properties = tool["parameters"].get("properties", {})
    required = tool["parameters"].get("required", ())
    signature = inspect.Signature(
        [
            *(_parameter(name, annotation) for name, annotation in given.items()),
            *(_parameter(name, _type_of(properties[name])) for name in required),
            *(_optional(name, one) for name, one in properties.items() if name not in required),
        ],
        return_annotation=str,
    )

    def called(*told: Any, **named: Any) -> str:
        bound = signature.bind(*told, **named)
        bound.apply_defaults()
        filled = {name: bound.arguments.pop(name) for name in given}
        args = {name: value for name, value in bound.arguments.items() if value is not None}
        return call(tool["name"], args, **filled)

    described = (f"    {name}: {one.get('description', name)}" for name, one in properties.items())
    annotations = {one.name: one.annotation for one in signature.parameters.values()}
    called.__name__ = called.__qualname__ = tool["name"]
    called.__doc__ = "\n".join([tool["description"], "", "Args:", *described])
    called.__annotations__ = {**annotations, "return": str}
    called.__signature__ = signature  # type: ignore[attr-defined]  # where inspect looks
    return called


def awaited(function: Callable[..., str]) -> Callable[..., Any]:
    """The same as a coroutine function, run in a thread: for frameworks that advise async tools."""
    import asyncio  # who starts anew for each play does not wait for it

    @functools.wraps(function)
    async def in_thread(*told: Any, **named: Any) -> str:
        return await asyncio.to_thread(function, *told, **named)

    return in_thread


def _parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> Any:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(name, kind, annotation=annotation, default=default)


def _optional(name: str, schema: dict[str, Any]) -> Any:
    default, annotation = schema.get("default"), _type_of(schema)
    return _parameter(name, annotation | None if default is None else annotation, default)


def _type_of(schema: dict[str, Any]) -> Any:
    return TYPES.get(schema.get("type", "string"), str)


def call_tool(name: str, args: Any, *, call_id: str = "", key: str = "") -> str:
    """Call a tool over HTTP and return its answer's body, which goes to the model as it is.

    Raises ToolError for anything but a 200, as a tool that is a function would raise.
    """
    headers = {"Content-Type": "application/json", "X-Call-Id": call_id, "Idempotency-Key": key}
    request = urllib.request.Request(
        f"{setting('TOOLS_URL')}/{name}",
        json.dumps(args).encode(),
        {header: value for header, value in headers.items() if value},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            body: bytes = answer.read()
    except urllib.error.HTTPError as error:
        raise ToolError(f"HTTP {error.code}: {error.read().decode(errors='replace')}") from None
    return body.decode(errors="replace")  # as any HTTP client reads a text


def run_command(command: str) -> str:
    """Run a command line in a shell, as most loops do, and return what it printed."""
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def call(name: str, args: Any) -> str:
    """Call a tool wherever it lives: over HTTP, or as a command of our own where we are told to."""
    return run_command(**args) if name in _own else call_tool(name, args)


def emit(**fields: Any) -> None:
    """Write a result line."""
    sys.stdout.write(f"\n{MARK}{json.dumps({'v': 1, **fields}, default=str)}\n")
    sys.stdout.flush()


def run(main: Main) -> NoReturn:
    """Run `main` and exit: once, or as the parent of one fork for every start."""
    if setting("MODE") == "zygote":
        _fork_for_every_line(main)
    sys.exit(_play(main))


def _play(main: Main) -> int:
    """Run the loop once; the exit code is 0 only for completed."""
    try:
        result = main()
    except KeyboardInterrupt:
        emit(turn=0, end_reason="aborted")
        return 130
    except Exception as error:  # whatever ends the loop is its account
        traceback.print_exc()
        emit(turn=0, end_reason="error", error=f"{type(error).__name__}: {error}"[:2000])
        return 1
    if not isinstance(result, dict):
        result = {"end_reason": "completed", "final_text": result}
    emit(**{"turn": 0, **result})
    return 0 if result.get("end_reason") == "completed" else 1


def _fork_for_every_line(main: Main) -> NoReturn:
    """The zygote's parent: an environment comes in as a line, a start of its own goes out."""
    sys.stdout.flush()
    report = os.dup(1)
    os.dup2(2, 1)  # what anybody prints from here on must not look like a report
    gc.collect()
    gc.freeze()  # or each fork looks through all imports again, and copies their pages by it
    reaped, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    _say(report, zygote=1)
    rest = b""
    children: set[int] = set()
    while True:
        ready, _, _ = select.select([0, reaped], [], [])
        if reaped in ready:
            os.read(reaped, 4096)
            _reap(children, report)
        if 0 in ready:
            chunk = os.read(0, 65536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                start = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    _become(main, start, report)
                children.add(pid)
                _say(report, **_name(start), forked=pid)
    for pid in children:
        os.killpg(pid, signal.SIGKILL)
    sys.exit(0)


def _reap(children: set[int], report: int) -> None:
    for pid in list(children):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            children.discard(pid)
            _say(report, pid=pid, exit=os.waitstatus_to_exitcode(status))


def _name(start: dict[str, str]) -> dict[str, str]:
    return {"session": start["FAULTLOOP_SESSION"], "start": start["FAULTLOOP_START"]}


def _become(main: Main, start: dict[str, str], report: int) -> NoReturn:
    """In the fork: take on the start's session, environment, streams and folder, and play."""
    code = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(start)
        output = os.O_WRONLY | os.O_APPEND
        streams = (("STDIN", os.O_RDONLY), ("STDOUT", output), ("STDERR", output))
        for number, (name, flags) in enumerate(streams):
            opened = os.open(setting(name), flags)
            os.dup2(opened, number)
            os.close(opened)
        os.chdir(os.environ["PWD"])
        _say(report, **_name(start), pid=os.getpid())
        os.close(report)
        code = _play(main)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # a fork must never fall through into its parent's loop
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _say(report: int, **fields: object) -> None:
    """One write, so that lines of the parent and of its children never mix."""
    os.write(report, f"{MARK}{json.dumps(fields)}\n".encode())
