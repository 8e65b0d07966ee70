"""`embedded:llm`: a GGUF model in this process that chooses a tool, then fills it.

Two greedy completions a question. The first may only be the name of one of the tools, or of none:
a grammar sees to that. The second may only be arguments that fit the tool's JSON Schema.
So there are no unknown tools and no broken JSON here, and no text in between: what is measured is
choice and values. A model behind an endpoint has more ways to go wrong (`openai_chat`, and
`embedded.serving` for the same file). The tools stand in the prompt in the order they are offered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from faultloop.loop.contract import Contract
from faultloop.loop.message import AssistantMessage, Call, Message, ResultMessage
from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.models.embedded import version_of
from faultloop.scenarios.wordings.models.embedded.llama import (
    Llama,
    Refused,
    Said,
    model_file,
    threads,
)
from faultloop.scenarios.wordings.models.port import Question

NO_TOOL = "answer_directly"
"""A choice among the others, and the first of them. Asked for in a sentence ("or with (no tool)"),
small models chose it always."""
NAME_TOKENS_MAX = 64
ARGUMENTS_TOKENS_MAX = 512

REVISION = 2
"""Of all else that decides an answer here: count it up with `conversation` and `asked_to_fill`."""

CHOOSE = """\
You choose the tool for what the user asks: answer with its name and nothing else. The tools:

# {no_tool}
Answer in words, without any tool, for a request that no tool serves.

"""

FILL = """\
Write the arguments of {name} for what I asked, as one JSON object that fits this JSON Schema:
{schema}"""

SHOWN = """\
# {name}
{description}
Parameters: {schema}"""


class LLM:
    """A GGUF model, asked for a choice and then for arguments."""

    deterministic = True
    sees_order = True
    gives_arguments = True
    worth_keeping = True
    about = (
        "A small model that is made to name one tool, and then to fill it by its schema: it cannot"
        " call an unknown tool or write broken arguments, and makes one call at most."
    )

    def __init__(self, path: str = "") -> None:
        """`path`: of the GGUF file; empty takes the small one that may be installed."""
        self._path = path
        self._digest = ""
        self._llama: Llama | None = None

    @property
    def name(self) -> str:
        """As the user wrote it."""
        return f"embedded:llm={self._path}" if self._path else "embedded:llm"

    @property
    def identity(self) -> str:
        """The file's own content, whatever it is called, and what else decides.

        Raises ModelUnusable.
        """
        if not self._digest:
            with model_file(self._path).open("rb") as file:
                self._digest = hashlib.file_digest(file, "sha256").hexdigest()
        decides = (CHOOSE, FILL, SHOWN, NO_TOOL, NAME_TOKENS_MAX, ARGUMENTS_TOKENS_MAX, REVISION)
        asking = hashlib.sha256(repr(decides).encode()).hexdigest()[:8]
        runtime = f"{version_of('xllamacpp')}, {threads()} threads"
        return f"embedded:llm, GGUF {self._digest}, {runtime}, asking {asking}"

    async def __aenter__(self) -> LLM:
        """Load the model. Raises ModelUnusable."""
        self._llama = Llama(model_file(self._path))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Unload it."""
        self._llama = None

    async def answer(self, question: Question) -> Answer:
        """The tool that the model names, with the arguments that it writes; or no call."""
        if self._llama is None:
            raise RuntimeError("embedded:llm was asked before it was opened")
        by_name = {contract.name: contract for contract in question.contracts}
        no_tool = NO_TOOL if NO_TOOL not in by_name else f"{NO_TOOL}_"
        messages = conversation(question, no_tool)
        try:
            choice = self._llama.complete(
                messages, grammar=one_of((no_tool, *by_name)), tokens_max=NAME_TOKENS_MAX
            )
            if choice.text not in by_name:
                return Answer(text=choice.text, usage=choice.usage)
            contract = by_name[choice.text]
            filled = self._llama.complete(
                [*messages, *asked_to_fill(contract)],
                schema=contract.parameters,
                tokens_max=ARGUMENTS_TOKENS_MAX,
            )
        except Refused as refused:
            failure: Failure = "overflow" if refused.overflow else "refused"
            return Answer(failure=failure, failure_says=str(refused))
        usage = added(choice.usage, filled.usage)
        if not filled.whole:
            says = f"the arguments were cut after {ARGUMENTS_TOKENS_MAX} tokens"
            return Answer(failure="cut", failure_says=says, usage=usage)
        call = Call(id="call_1", name=contract.name, arguments=filled.text)
        return Answer(calls=(call,), usage=usage)


def conversation(question: Question, no_tool: str) -> list[Said]:
    """The tools in the order they are offered, then all that was said."""
    tools = CHOOSE.format(no_tool=no_tool) + "\n\n".join(map(shown, question.contracts))
    system = "\n\n".join(part for part in (question.system, tools) if part)
    said = ({"role": one.role, "content": one.text} for one in question.messages)
    return [{"role": "system", "content": system}, *said, *map(_made, question.after)]


def _made(said: Message) -> Said:
    """A call that was made, or what the loop said of it."""
    if isinstance(said, ResultMessage):
        return {"role": "user", "content": said.content}
    if not isinstance(said, AssistantMessage):
        return {"role": "user", "content": said.text}
    calls = "\n".join(f"{call.name} {call.arguments}" for call in said.calls)
    return {"role": "assistant", "content": calls or said.text}


def shown(contract: Contract) -> str:
    """One tool as the model reads it: all of its face."""
    schema = json.dumps(contract.parameters, ensure_ascii=False, separators=(",", ":"))
    return SHOWN.format(name=contract.name, description=contract.description(), schema=schema)


def asked_to_fill(contract: Contract) -> list[Said]:
    """What goes on after the choice."""
    schema = json.dumps(contract.parameters, ensure_ascii=False, separators=(",", ":"))
    return [
        {"role": "assistant", "content": contract.name},
        {"role": "user", "content": FILL.format(name=contract.name, schema=schema)},
    ]


def one_of(words: Iterable[str]) -> str:
    """The grammar (GBNF) of exactly one of these words."""
    return "root ::= " + " | ".join(json.dumps(word) for word in words)


def added(one: Usage, other: Usage) -> Usage:
    """The tokens of both."""
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
    )
