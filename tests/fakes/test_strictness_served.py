"""Each rule and API: what breaks the rule gets the real error, byte for byte; what does not, a
reply."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest

from faultloop.fakes import clock
from faultloop.fakes.app import App
from faultloop.fakes.history import Refused
from faultloop.fakes.plan import Plan
from faultloop.fakes.script import Script, Step
from faultloop.fakes.stage import Stage
from faultloop.fakes.strictness import RULES, Strictness
from faultloop.fakes.transport import StageTransport
from faultloop.fakes.world.spec import WorldSpec

from .carried import NoDeeds
from .strictness_cases import OPENAI, Body, Case
from .strictness_cases_by_turn import ANTHROPIC, GEMINI
from .strictness_cases_of_thoughts import OF_THOUGHTS

HEADERS = {
    "authorization": "Bearer none",
    "anthropic-version": "2023-06-01",
    "x-goog-api-key": "none",
}
PATHS = {
    "openai_chat": "v1/chat/completions",
    "openai_responses": "v1/responses",
    "anthropic_messages": "v1/messages",
    "gemini": "v1beta/models/{model}:generateContent",
}


def served(
    dialect: str, body: Body, strictness: Strictness
) -> tuple[int, dict[str, Any], list[Refused]]:
    """Status, body and recorded refusals of one request."""

    async def ask() -> tuple[int, dict[str, Any], list[Refused]]:
        plan = Plan(
            seed=1,
            play="p",
            script=Script(turns=((Step(say="Done."),),)),
            inputs=("Go.",),
            world=WorldSpec(files={}),
            strictness=strictness,
        )
        stage = Stage(plan, clock=asyncio.get_running_loop().time, deeds=NoDeeds())
        stage.begin(1, 0, resume=False)
        transport = StageTransport(App({"p": stage}))
        path, sent = PATHS[dialect], dict(body)
        if dialect == "gemini":
            path = path.format(model=sent.pop("model"))
        async with httpx.AsyncClient(transport=transport, base_url="http://fake/r/p/1/") as client:
            response = await client.post(path, json=sent, headers=HEADERS, timeout=None)
        await stage.close()
        refused = [entry for entry in stage.history if isinstance(entry, Refused)]
        return response.status_code, response.json(), refused

    return clock.run(ask, seed=1)


def error(case: Case, message: str) -> dict[str, Any]:
    """The body that the API answers."""
    match case.dialect:
        case "anthropic_messages":
            said = {"type": "invalid_request_error", "message": message}
            return {"type": "error", "error": said, "request_id": "req_" + f"{1:024}"}
        case "gemini":
            return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}
        case _:
            where = {"param": case.param, "code": case.code}
            return {"error": {"message": message, "type": "invalid_request_error", **where}}


def message_of(case: Case, answer: dict[str, Any]) -> str:
    """The expected sentence; a count of tokens is whatever was counted."""
    pattern = re.sub(r"\\{(tokens|said|offered)\\}", r"\\d+", re.escape(case.message))
    said: str = answer["error"]["message"]
    return said if re.fullmatch(pattern, said) else case.message


CASES = (*OPENAI, *ANTHROPIC, *GEMINI, *OF_THOUGHTS)

each = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.dialect}")


@each
def test_what_breaks_a_rule_gets_the_apis_own_error(case: Case) -> None:
    strict = Strictness(level="strict", context_tokens=case.window)
    status, answer, refused = served(case.dialect, case.broken, strict)

    assert answer == error(case, message_of(case, answer))
    assert status == 400
    assert [entry.rule for entry in refused] == [case.rule]


@each
def test_what_keeps_the_rule_is_replied_to(case: Case) -> None:
    strict = Strictness(level="strict", context_tokens=case.window)
    status, _, refused = served(case.dialect, case.right, strict)

    assert (status, refused) == (200, [])


@each
def test_what_only_others_of_its_dialect_reject_the_provider_takes(case: Case) -> None:
    real = Strictness(context_tokens=case.window)
    _, _, refused = served(case.dialect, case.broken, real)

    by_others = RULES[case.rule].rows[case.dialect].by_others
    assert (case.rule in [entry.rule for entry in refused]) is not by_others


@each
def test_a_rule_can_be_left_out(case: Case) -> None:
    without = Strictness(level="strict", off=(case.rule,), context_tokens=case.window)
    _, _, refused = served(case.dialect, case.broken, without)

    assert case.rule not in [entry.rule for entry in refused]


@each
def test_local_servers_keep_only_what_they_were_seen_to_keep(case: Case) -> None:
    lenient = Strictness(level="lenient", context_tokens=case.window)
    status, _, refused = served(case.dialect, case.broken, lenient)

    if RULES[case.rule].local:
        assert (status, [entry.rule for entry in refused]) == (400, [case.rule])
    else:
        assert (status, refused) == (200, [])


def test_every_rule_of_every_api_has_a_case() -> None:
    rows = {(name, dialect) for name, rule in RULES.items() for dialect in rule.rows}

    assert {(case.rule, case.dialect) for case in CASES} == rows
