"""BERT's tokenizer: the numbers are what the package `tokenizers` 0.23.3 gives these texts."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import pytest

from faultloop.scenarios.wordings.models import embedded
from faultloop.scenarios.wordings.models.embedded.wordpiece import numbers, vocabulary

CASES = [
    ("", []),
    ("unaffable", [14477, 20961, 3468]),
    ("hello\tWORLD\r\n##ing", [7592, 2088, 1001, 1001, 13749]),
    (
        "read_file(path='src/app.py')",
        [
            3191,
            1035,
            5371,
            1006,
            4130,
            1027,
            1005,
            5034,
            2278,
            1013,
            10439,
            1012,
            1052,
            2100,
            1005,
            1007,
        ],
    ),
    ("Café NAÏVE Größe İstanbul", [7668, 15743, 24665, 2080, 17499, 9960]),
    (
        "读取文件的内容，谢谢。",
        [100, 100, 1861, 100, 1916, 1773, 100, 1989, 100, 100, 1636],
    ),
    ("ひらがな カタカナ", [1673, 30211, 30177, 30193, 1700, 30235, 30226, 30241]),
    ("한국어", [1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008]),
    (
        "русский язык",
        [1195, 29748, 29747, 29747, 23925, 15414, 1210, 29744, 29113, 23925],
    ),
    ("😀 a\u200bb\u00a0c\u2028d\x0be\ufffdf", [100, 11113, 1039, 13366]),
    (
        "2026-01-31T09:30:00+01:00",
        [
            16798,
            2575,
            1011,
            5890,
            1011,
            2861,
            2102,
            2692,
            2683,
            1024,
            2382,
            1024,
            4002,
            1009,
            5890,
            1024,
            4002,
        ],
    ),
    ("½ﬁ² $x=^`~", [1092, 30510, 10701, 1002, 1060, 1027, 1034, 1036, 1066]),
    ("a" * 100, [13360, *[11057] * 48, 2050]),
    ("a" * 101, [100]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_text_has_the_numbers_that_the_model_was_trained_on(
    text: str, expected: list[int]
) -> None:
    assert numbers(text, pieces_max=512) == [101, *expected, 102]


def test_what_a_user_writes_never_ends_the_text() -> None:
    assert numbers("a [SEP] b", pieces_max=512) == [101, 1037, 1031, 19802, 1033, 1038, 102]


@pytest.mark.parametrize("pieces_max", [4, 5, 6, 7])
def test_a_long_text_is_cut_and_still_ended(pieces_max: int) -> None:
    whole = [7592, 2088, 7592, 2088]
    expected = [101, *whole[: pieces_max - 2], 102]
    assert numbers("hello world hello world", pieces_max=pieces_max) == expected


def test_the_vocabulary_is_the_published_one() -> None:
    data = files(embedded) / "bert_uncased"
    digest = hashlib.sha256((data / "vocab.txt").read_bytes()).hexdigest()
    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert len(vocabulary()) == 30_522
    assert digest in (data / "README.md").read_text(), "the notice beside it speaks of another"
    assert "Apache License" in (data / "LICENSE").read_text()
