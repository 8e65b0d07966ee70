"""Addresses of models: what is understood, where it leads, and that no key gets into one."""

from __future__ import annotations

import pytest

from faultloop.scenarios.wordings.models.address import Address, address_of, api_key
from faultloop.scenarios.wordings.models.port import ModelUnusable

LOCAL = "http://127.0.0.1:11434/v1"


@pytest.mark.parametrize(
    ("text", "environment", "expected"),
    [
        (f"openai_chat:qwen3:0.6b@{LOCAL}", {}, ("qwen3:0.6b", LOCAL)),
        (f"openai_chat:@cf/meta/llama@{LOCAL}/", {}, ("@cf/meta/llama", LOCAL)),
        ("openai_chat:m@http://localhost:8000", {}, ("m", "http://localhost:8000/v1")),
        ("openai_chat:m", {}, ("m", "https://api.openai.com/v1")),
        ("openai_responses:m", {"OPENAI_BASE_URL": LOCAL}, ("m", LOCAL)),
        ("openai_chat:m", {"OPENAI_BASE_URL": "  "}, ("m", "https://api.openai.com/v1")),
        ("anthropic_messages:m", {}, ("m", "https://api.anthropic.com")),
        (
            "anthropic_messages:m@20260101",
            {"ANTHROPIC_BASE_URL": "http://h:1/x/"},
            ("m@20260101", "http://h:1/x"),
        ),
        ("gemini:m", {"GOOGLE_GEMINI_BASE_URL": "http://h:1"}, ("m", "http://h:1")),
        ("gemini:m@http://h:1/g/v1beta/", {}, ("m", "http://h:1/g")),
    ],
)
def test_an_address_says_which_model_and_where(
    text: str, environment: dict[str, str], expected: tuple[str, str]
) -> None:
    dialect = text.partition(":")[0]
    model, base_url = expected
    assert address_of(text, environment) == Address(dialect=dialect, model=model, base_url=base_url)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("openai_chatt:m", "no dialect 'openai_chatt'; did you mean 'openai_chat'"),
        ("gpt-5", "no dialect 'gpt-5'; the dialects are"),
        ("openai_chat:", "names no model; write openai_chat:MODEL"),
        ("openai_chat:@http://h/v1", "names no model"),
        ("openai_chat:m@http://", "is no URL"),
        ("openai_chat:m@ftp://h/v1", "begins with ftp://, and only http:// and https:// can be"),
        ("openai_chat:m@http://127.0.0.1:99999/v1", "ports go from 1 to 65535, not 99999"),
        ("openai_chat:m@http://me:secret@h/v1", "a key belongs into an environment variable"),
        ("openai_chat:m@http://h/v1?key=secret", "a key belongs into an environment variable"),
    ],
)
def test_what_is_no_address_is_a_sentence_without_secrets(text: str, sentence: str) -> None:
    with pytest.raises(ModelUnusable, match=sentence) as raised:
        address_of(text, {})
    assert "secret" not in str(raised.value)


def test_a_wrong_url_of_the_environment_is_told_by_its_variable() -> None:
    with pytest.raises(ModelUnusable, match=r"\$OPENAI_BASE_URL is no URL"):
        address_of("openai_chat:m", {"OPENAI_BASE_URL": "localhost:80"})


def test_a_key_comes_from_the_dialects_variable_or_from_the_one_that_is_named() -> None:
    own = address_of("gemini:m", {})
    assert api_key(own, "", {"GOOGLE_API_KEY": "k"}) == "k"
    assert api_key(own, "MINE", {"GEMINI_API_KEY": "k", "MINE": "m"}) == "m"
    assert api_key(address_of(f"openai_chat:m@{LOCAL}", {}), "", {}) == ""
    with pytest.raises(ModelUnusable, match=r"\$GEMINI_API_KEY or \$GOOGLE_API_KEY is not set"):
        api_key(own, "", {})
    with pytest.raises(ModelUnusable, match=r"\$MINE is not set"):
        api_key(own, "MINE", {"GEMINI_API_KEY": "k"})
