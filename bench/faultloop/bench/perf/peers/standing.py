"""What the peers are for, in which they are ahead of us, and what of the rows they document.

Sentences about a peer at the version of `PEERS`, from its own readme and its own command line.
"""

from __future__ import annotations

from collections.abc import Mapping

AHEAD: Mapping[str, tuple[str, ...]] = {
    "aimock": (
        "Breadth. By its readme 11 providers over 22 API surfaces, where we have four dialects: "
        "also Azure, Bedrock, Vertex AI, Ollama, Cohere, OpenRouter, and OpenAI's Realtime, "
        "Responses and Gemini Live over WebSockets.",
        "What is no chat: embeddings, images, speech, transcription, video, files, fine-tuning, "
        "batches. We have none of these.",
        "A2A, AG-UI and vector databases to mock.",
        "Fixtures matched by content, by turn, by tool result or by a function of yours; ours is "
        "one script a conversation.",
        "Recording of real traffic for all of these, with timings, usage and cost.",
        "A comparison with the real APIs that runs every day (drift detection).",
        "Prometheus metrics, Docker and Helm, plugins for Vitest and Jest; no dependencies.",
        "Malformed replies: any share of them can be replaced by a body that is no JSON.",
    ),
    "llmock": (
        "Ten providers: also Cohere, Mistral, Groq, Together, Perplexity, AI21 and xAI, with "
        "embeddings, images, models and batches.",
        "It needs no script: it calls the offered tool that fits the prompt best, with arguments "
        "made from its schema, and ends once the result is there.",
        "Structured output that passes its schema.",
        "Real quotas: requests and tokens a minute, with a Retry-After that is the real wait and "
        "headers in each provider's form.",
        "A verdict on how a client retries, from the server alone, for a client in any language "
        "(`llmock report`).",
        "It runs on Windows; we are POSIX only.",
    ),
}

DOCUMENTED: Mapping[str, tuple[str, ...]] = {
    "aimock": (
        "It answers what a fixture matches, and checks the form of fixtures, not the history of a "
        "request; it promises no more than that.",
        "`truncateAfterChunks` is documented to stop after so many chunks. With the default "
        "latency of 0 all chunks are written in one turn of the event loop, and what was written "
        "is dropped with the connection, so nothing arrives.",
        "Malformed replies are documented as malformed JSON, and its chances as probabilities; "
        "nothing is said of having them again.",
    ),
    "llmock": (
        "It checks the form of a request, not how its calls and results fit; it is made to judge "
        "how clients retry, and promises no more than that.",
        "`disconnect` and `truncate` are documented as they are here. A connection that breaks "
        "always ends with FIN, and always between two events.",
        "Its `--error-rate` is documented as a probability; nothing is said of having it again.",
    ),
}
