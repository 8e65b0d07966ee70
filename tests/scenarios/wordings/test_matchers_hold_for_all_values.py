"""What holds for all values: matchers take their own, paths settle, order says nothing."""

from __future__ import annotations

from datetime import timedelta, timezone
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from faultloop.scenarios.wordings.assignment import TRIED_MAX, best
from faultloop.scenarios.wordings.matchers import Exact, Moment, Number, OneOf, Path, Unordered
from faultloop.scenarios.wordings.matchers.exact import same
from faultloop.scenarios.wordings.matchers.path import normal
from faultloop.scenarios.wordings.matchers.reading import read, written

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "path", "exact", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
paths = st.lists(st.sampled_from(["a", "b", ".", "..", "", "/", " "]), min_size=1).map("/".join)
instants = st.datetimes(timezones=st.timezones()).map(lambda point: point.replace(microsecond=0))


@settings(deadline=None)
@given(values, values)
def test_equality_is_symmetric_and_tells_what_json_tells(left: Any, right: Any) -> None:
    assert same(left, left)
    assert same(left, right) == same(right, left)
    assert Exact(exact=left).matches(right) == same(left, right)


@settings(deadline=None)
@given(values)
def test_a_literal_survives_being_written(value: Any) -> None:
    matcher = Exact(exact=value)
    assert read(written(matcher)).matches(value)
    assert [*matcher.own()] == [value]


@settings(deadline=None)
@given(st.lists(values, min_size=1, max_size=4))
def test_one_of_takes_each_of_its_members(members: list[Any]) -> None:
    matcher = OneOf(one_of=tuple(Exact(exact=member) for member in members))
    assert all(matcher.matches(member) for member in members)
    assert all(matcher.matches(own) for own in matcher.own())


@settings(deadline=None)
@given(st.lists(values, max_size=5), st.randoms(use_true_random=False))
def test_an_unordered_list_does_not_see_order(members: list[Any], random: Any) -> None:
    matcher = Unordered(unordered=tuple(Exact(exact=member) for member in members))
    shuffled = list(members)
    random.shuffle(shuffled)
    assert matcher.matches(shuffled)
    assert not matcher.matches([*shuffled, "one more"])
    assert not matcher.matches([*shuffled[1:], "another"])


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(), st.integers(0, 10))
def test_a_number_takes_itself_and_its_edges(number: float, tolerance: int) -> None:
    assert Number(number=number).matches(number)
    assert Number(number=number, tolerance=tolerance).matches(number)
    if isinstance(number, int):
        near = Number(number=number, tolerance=tolerance)
        assert near.matches(number + tolerance)
        assert not near.matches(number - tolerance - 1)


@settings(deadline=None)
@given(paths.filter(bool))
def test_a_path_settles_at_once(path: str) -> None:
    assert normal(normal(path)) == normal(path)
    assert normal(normal(path, "/w"), "/w") == normal(path, "/w")
    assert all(Path(path=path, root="/w").matches(own) for own in Path(path=path, root="/w").own())


@settings(deadline=None)
@given(instants, st.integers(-14 * 60, 14 * 60))
def test_an_instant_is_the_same_in_all_offsets(point: Any, minutes: int) -> None:
    try:
        moved = point.astimezone(timezone(timedelta(minutes=minutes)))
        text = point.astimezone(timezone(timedelta(0))).isoformat()
    except OverflowError:
        return
    matcher = Moment(moment=text)
    assert matcher.matches(moved.isoformat())
    assert all(matcher.matches(own) for own in matcher.own())
    later = Moment(moment=text, within_s=1)
    assert later.matches(moved.isoformat())


tables = st.integers(0, 6).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 9), min_size=columns, max_size=columns), max_size=6
    )
)


@settings(deadline=None)
@given(tables)
def test_no_assignment_is_worth_more_than_the_one_that_is_found(worth: list[list[int]]) -> None:
    found = best(worth)
    rows, columns = len(worth), len(worth[0]) if worth else 0
    taken = [column for column in found if column is not None]
    assert len(found) == rows
    assert len(taken) == len(set(taken)) == min(rows, columns)
    total = sum(worth[row][column] for row, column in enumerate(found) if column is not None)
    assert total == _most(worth, rows, columns)


def _most(worth: list[list[int]], rows: int, columns: int) -> int:
    """By trying all ways, whatever the size."""
    if rows > columns:
        turned = [[worth[row][column] for row in range(rows)] for column in range(columns)]
        return _most(turned, columns, rows)
    ways = permutations(range(columns), rows)
    return max(sum(worth[row][column] for row, column in enumerate(way)) for way in ways)


def test_both_ways_of_assigning_are_put_to_the_test() -> None:
    assert TRIED_MAX < 6
