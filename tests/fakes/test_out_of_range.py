"""Which number of a body it was that nothing could hold."""

import pytest

from faultloop.fakes.dialects.out_of_range import INTEGER_DIGITS_MAX, out_of_range

LONG = "9" * (INTEGER_DIGITS_MAX + 1)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (LONG, 0),
        (f"[1, -{LONG}]", 4),
        (f'{{"a": {LONG[:-1]}, "b": 1.5e3}}', None),
        ('{"a": 1e999, "b": -1e999}', 6),
        (f'{{"a": {LONG}.5}}', 6),
        (f'{{"a": 0.{LONG}}}', None),
        (f'{{"{LONG}": "1e999 \\" 1e999 \\\\", "b": 1E+999}}', 4330 + 2),
        (f'["{LONG}', None),
        ("", None),
    ],
)
def test_the_first_number_out_of_range_is_found_and_none_in_strings(text, at):
    assert out_of_range(text) == at
