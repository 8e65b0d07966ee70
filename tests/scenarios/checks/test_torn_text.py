"""failed_attempts_forgotten: what is left of a reply that broke off."""

from __future__ import annotations

import pytest

from faultloop.fakes.conversation import Message

TORN = "It seems to be about a shop, so I will read it. [ref a1]"
WHOLE = "It seems to be about a shop, so I will read it. [ref a2]"


def torn(story, *kept, retry=WHOLE):
    """A text that broke off, its retry, and what is kept as the assistant's."""
    story.start()
    story.ask(story.user())
    story.reply(text=TORN, outcome="reset")
    if retry:
        story.ask(story.user())
        story.reply(text=retry)
    said = [Message(role="assistant", text=text) for text in kept]
    story.ask(story.user(), *said, story.user("Go on."))
    return story.judge("failed_attempts_forgotten").verdict


@pytest.mark.parametrize(
    ("kept", "verdict"),
    [
        ([WHOLE], "held"),
        ([WHOLE.replace(" so", "\n  so")], "held"),
        (["Something else altogether."], "held"),
        ([TORN[:30] + WHOLE], "broken"),
        ([TORN[:30], WHOLE], "broken"),
        ([TORN[:30], WHOLE[:-9]], "broken"),
        # One text that either attempt may have left.
        ([TORN[:30]], "unknown"),
        ([WHOLE.removesuffix(" [ref a2]")], "unknown"),
        ([WHOLE[:40] + "…"], "unknown"),
        # Too little of the torn text to tell it, or not from its beginning.
        ([TORN[:15], WHOLE], "unknown"),
        ([TORN[5:30] + WHOLE], "unknown"),
        # Nothing is kept at all, and the user has gone on.
        ([""], "held"),
        ([], "held"),
    ],
)
def test_torn_text_is_not_in_the_conversation(story, kept, verdict):
    assert torn(story, *kept) == verdict


@pytest.mark.parametrize(
    ("kept", "verdict"), [(TORN[:30], "broken"), (TORN[:30] + "… [interrupted]", "held")]
)
def test_torn_text_without_a_retry_is_told_as_interrupted(story, kept, verdict):
    assert torn(story, kept, retry="") == verdict


def test_a_loop_that_retries_nothing_and_keeps_nothing_has_forgotten(story):
    assert torn(story, retry="") == "held"


def test_a_retry_alone_does_not_show_what_is_kept(story):
    story.start()
    story.ask(story.user())
    story.reply(text=TORN, outcome="reset")
    story.ask(story.user())
    assert story.judge("failed_attempts_forgotten").verdict == "not_applicable"


CANCELLED = "The release was cancelled by the manager on Monday. [ref a1]"


@pytest.mark.parametrize(
    ("kept", "verdict"),
    [
        (CANCELLED, "broken"),
        (CANCELLED[:40], "broken"),
        (f"[interrupted] {CANCELLED[:40]}", "held"),
        (f"{CANCELLED[:40]}… cut off here", "held"),
    ],
)
def test_a_torn_text_does_not_call_itself_interrupted(story, kept, verdict):
    story.start()
    story.ask(story.user())
    story.reply(text=CANCELLED, outcome="reset")
    story.ask(story.user(), Message(role="assistant", text=kept), story.user("Go on."))
    assert story.judge("failed_attempts_forgotten").verdict == verdict


def test_a_text_that_was_cut_by_its_length_may_stay(story):
    story.start()
    story.ask(story.user())
    story.reply(text=TORN, finish="length")
    story.ask(story.user(), type(story.user())(role="assistant", text=TORN))
    assert story.judge("failed_attempts_forgotten").verdict == "not_applicable"
