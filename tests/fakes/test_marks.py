"""Marks: the same for the same play, different for everything else, unforgeable without a seed."""

import re

from faultloop.fakes.marks import Marks


def test_equal_plays_have_equal_marks():
    here, there = Marks(7, "play-1"), Marks(7, "play-1")

    assert here.call_id(0, 1, 2, 1) == there.call_id(0, 1, 2, 1)
    assert here.text_mark(0, 1, 1) == there.text_mark(0, 1, 1)
    assert here.input_mark(0) == there.input_mark(0)
    assert here.reply_id(3) == there.reply_id(3)


def test_a_mark_is_the_same_in_every_process():
    marks = Marks(7, "play-1")

    assert marks.call_id(0, 0, 0, 1) == "call_kvdHrUkzuesTprDkrM8ycLgW"
    assert marks.input_mark(0) == "[ref 251fe8d2]"


def test_each_place_seed_and_play_has_marks_of_its_own():
    ids = [
        Marks(seed, play).call_id(turn, step, call, served)
        for seed in (1, 2)
        for play in ("a", "b")
        for turn in (0, 1)
        for step in (0, 1)
        for call in (0, 1)
        for served in (1, 2)
    ]

    assert len(set(ids)) == len(ids) == 64


def test_ids_look_like_those_of_openai():
    for step in range(200):
        assert re.fullmatch(r"call_[0-9A-Za-z]{24}", Marks(1, "a").call_id(0, step, 0, 1))
        assert re.fullmatch(r"[0-9A-Za-z]{29}", Marks(1, "a").reply_id(step))


def test_text_and_input_marks_have_one_form():
    marks = Marks(1, "a")

    assert re.fullmatch(r"\[ref [0-9a-f]{8}\]", marks.text_mark(0, 0, 1))
    assert re.fullmatch(r"\[ref [0-9a-f]{8}\]", marks.input_mark(0))


def test_the_users_message_carries_its_mark_at_its_end():
    marks = Marks(1, "a")

    assert marks.marked_input(1, "Go on.") == f"Go on. {marks.input_mark(1)}"
