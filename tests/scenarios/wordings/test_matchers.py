"""Each kind of matcher as a table: what is right, and what is not."""

from __future__ import annotations

from typing import Any

import pytest

from faultloop.scenarios.wordings.matchers import KINDS, Exact, Fields, InOrder
from faultloop.scenarios.wordings.matchers.reading import BadMatcher, read, written

SHA = {"regex": "[0-9a-f]{7,40}"}
NINE = "2026-01-31T09:30:00Z"

CASES: tuple[tuple[Any, list[Any], list[Any]], ...] = (
    # written; right; wrong
    ("5", ["5"], [5, "5 ", ["5"], None]),
    (5, [5, 5.0], ["5", 6, True, [5]]),
    (1, [1, 1.0], [True, "1"]),
    (0, [0, 0.0, -0.0], [False, None, ""]),
    (True, [True], [1, "true", False]),
    (None, [None], [0, "", False]),
    ([1, "a"], [[1, "a"], [1.0, "a"]], [["a", 1], [1], [1, "a", 2], [True, "a"]]),
    ({"a": 1, "b": [2]}, [{"b": [2], "a": 1.0}], [{"a": 1}, {"a": 1, "b": [2], "c": 3}]),
    ({"exact": {"path": "x"}}, [{"path": "x"}], ["x", {"path": "./x"}]),
    ({"one_of": ["a", 2, {"path": "src"}]}, ["a", 2, "src/", 2.0], ["b", "2", 3]),
    ({"number": 3}, [3, 3.0], ["3", True, 3.0001]),
    ({"number": 1, "tolerance": 0.1}, [1.1, 0.9, 1], [1.11, 0.89, "1"]),
    ({"number": 0.3, "tolerance": 0}, [0.3], [0.1 + 0.2]),
    ({"number": -200, "relative": 0.01}, [-202, -198], [-203, 200]),
    ({"unordered": ["a", "b"]}, [["b", "a"], ["a", "b"]], [["a"], ["a", "b", "b"], "ab"]),
    ({"unordered": ["a", "a", "b"]}, [["a", "b", "a"]], [["a", "b", "b"]]),
    ({"unordered": []}, [[]], [["a"], None, {}]),
    ({"unordered": [], "repeats": True}, [[]], [["a"], None]),
    ({"unordered": ["a", "b"], "repeats": True}, [["b", "a", "b"]], [["a"], ["a", "b", "c"]]),
    # The first member would take either item; the second takes only one of them.
    (
        {"unordered": [{"one_of": ["a", "b"]}, "a"]},
        [["a", "b"], ["b", "a"], ["a", "a"]],
        [["b", "b"], ["a", "c"]],
    ),
    ([{"path": "a"}, 1], [["./a", 1], ["a", 1.0]], [[1, "a"], ["a"], ["a", 1, 2], "a"]),
    (
        {"file": {"path": "a"}, "line": 3},
        [{"line": 3, "file": "a/"}],
        [{"file": "a"}, {"file": "a", "line": 3, "x": 1}, {"file": "b", "line": 3}],
    ),
    ({"fields": {"a": 1}, "others": True}, [{"a": 1, "b": 2}], [{"b": 2}, {"a": 2}]),
    (
        {"fields": {"a": 1}, "may_have": {"b": {"number": 2, "tolerance": 1}}},
        [{"a": 1}, {"a": 1, "b": 3}],
        [{"b": 2}, {"a": 1, "b": 4}, {"a": 1, "c": 2}],
    ),
    (
        {"words": "Paris, the 9th of May"},
        ["paris the 9th OF may", "Paris_the 9th-of May."],
        ["Paris the 9 th of May", "the 9th of May, Paris", "Paris", 9],
    ),
    (
        {"words": "1.5 at -5 in a.py"},
        ["1.5, at -5 in A.py"],
        ["15 at -5 in a.py", "1.5 at 5 in a.py"],
    ),
    ({"words": "U.S. 'x'"}, ['US "x"'], ["us x", "u s 'x'"]),
    ({"words": "2026-05-09"}, ["2026/05/09"], ["20260509", "2026-05-19"]),
    ({"path": "src/app.py"}, ["./src//app.py", "src/x/../app.py"], ["app.py", "/src/app.py", ""]),
    ({"path": "."}, [".", "./", "a/.."], ["", "..", "/"]),
    ({"path": "src", "root": "/w"}, ["src/", "/w/src", "/w/./src"], ["/src", "/w/w/src", 1]),
    ({"path": "//etc/x"}, ["/etc/x"], ["etc/x", "/ETC/x"]),
    (SHA, ["4f9c2ab"], ["4f9c2ab ", "xyz", 4]),
    ({"regex": "leak", "anywhere": True}, ["a leak"], ["Leak"]),
    ({"regex": "leak", "ignore_case": True}, ["LEAK"], ["a leak"]),
    ({"schema": {"type": "integer", "minimum": 2}}, [2, 3.0], [1, "2", 2.5]),
    ({"schema": {"format": "date"}}, ["2026-01-31"], ["2026-02-31"]),
    ({"anything": True}, [None, 1, "", [], {}], []),
)


@pytest.mark.parametrize(("plain", "right", "wrong"), CASES, ids=str)
def test_a_matcher_takes_what_is_right_and_nothing_else(
    plain: Any, right: list[Any], wrong: list[Any]
) -> None:
    matcher = read(plain)
    assert [value for value in right if not matcher.matches(value)] == []
    assert [value for value in wrong if matcher.matches(value)] == []
    assert matcher.says


MOMENTS: tuple[tuple[dict[str, Any], list[str], list[str]], ...] = (
    (
        {"moment": NINE},
        [
            "2026-01-31t09:30:00z",
            "2026-01-31 10:30:00+01:00",
            "2026-01-31T09:30Z",
            "2026-01-31T09:30:00.000Z",
            "2026-01-30T23:30:00-10:00",
            "2026-01-31T09:30:00-00:00",
        ],
        [
            "2026-01-31T09:30:00",
            "2026-01-31T09:30:01Z",
            "2026-01-31T09:30:00.0000001Z",
            "20260131T093000Z",
            "2026-01-3109:30:00Z",
            "2026-01-31T09:30:00+25:00",
            "2026-01-31T",
            "2026-01-31T09:30:00 Z",
            "2026-01-31",
            "09:30:00",
            "now",
            "",
        ],
    ),
    ({"moment": "2026-01-31"}, ["2026-01-31"], ["2026-01-31T00:00:00Z", "2026-1-31", "2026-02-01"]),
    ({"moment": "09:30"}, ["09:30:00", "09:30"], ["09:30Z", "9:30", "21:30", "2026-01-31T09:30"]),
    ({"moment": "2026-01-31T09:30:00"}, ["2026-01-31 09:30"], [NINE]),
    (
        {"moment": "2026-07-01T09:30:00", "zone": "Europe/Berlin"},
        ["2026-07-01T07:30:00Z", "2026-07-01T09:30:00+02:00", "2026-07-01T09:30"],
        ["2026-07-01T09:30:00Z", "2026-07-01T08:30:00Z"],
    ),
    ({"moment": NINE, "zone": "+01:00"}, ["2026-01-31T10:30:00", NINE], ["2026-01-31T09:30:00"]),
    ({"moment": NINE, "within_s": 60}, ["2026-01-31T09:31:00Z"], ["2026-01-31T09:31:00.1Z"]),
    ({"moment": "2016-12-31T23:59:60Z"}, ["2017-01-01T00:00:00Z"], ["2016-12-31T23:59:59Z"]),
)


@pytest.mark.parametrize(("plain", "right", "wrong"), MOMENTS, ids=str)
def test_a_moment_is_what_is_meant_not_how_it_is_written(
    plain: dict[str, Any], right: list[str], wrong: list[str]
) -> None:
    matcher = read(plain)
    assert [value for value in right if not matcher.matches(value)] == []
    assert [value for value in [*wrong, 5, None] if matcher.matches(value)] == []


@pytest.mark.parametrize("end", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_at_an_end_of_the_calendar_is_written_one_way_only(end: str) -> None:
    matcher = read({"moment": end})
    assert list(matcher.own()) == [end]
    assert matcher.matches(end)


@pytest.mark.parametrize(
    "plain", [plain for plain, _, _ in (*CASES, *MOMENTS)] + [{"anything": True, "such_as": None}]
)
def test_what_is_written_reads_back_as_an_equal_matcher(plain: Any) -> None:
    matcher = read(plain)
    assert read(written(matcher)) == matcher
    assert written(matcher) == plain or type(matcher) in (InOrder, Fields)


def test_a_list_or_mapping_without_a_matcher_in_it_is_taken_as_it_stands() -> None:
    assert read([{"a": [1]}]) == Exact(exact=[{"a": [1]}])
    assert isinstance(read([{"exact": {"path": "x"}}]), InOrder)
    assert read([{"exact": {"path": "x"}}]).matches([{"path": "x"}])


WRONG: tuple[tuple[Any, tuple[str | int, ...], str], ...] = (
    ({"number": 3, "tolerence": 1}, ("tolerence",), "did you mean 'tolerance'?"),
    ({"path": "a", "line": 3}, ("line",), "'exact: {...}'"),
    ({"path": "a", "regex": "b"}, (), "two kinds of matcher"),
    ({"number": "3"}, ("number",), "must be a"),
    ({"number": True}, ("number",), "must be a number, not true"),
    ({"number": 3, "tolerance": "x"}, ("tolerance",), "must be a number, not the text 'x'"),
    ({"number": 3, "tolerance": -1}, ("tolerance",), "at least 0"),
    ({"number": 3, "tolerance": 1, "relative": 1}, (), "keep one of the two"),
    ({"one_of": []}, ("one_of",), "must not be empty"),
    ({"one_of": "a"}, ("one_of",), "must be a list"),
    ({"one_of": ["a", {"path": ""}]}, ("one_of", 1, "path"), "must not be empty"),
    ({"a": [{"moment": "soon"}]}, ("a", 0), "'soon' is no date or time"),
    ({"moment": "2026-02-30"}, (), "no date or time"),
    ({"moment": NINE, "zone": "Berlin"}, ("zone",), "no zone is called 'Berlin'"),
    ({"moment": "2026-01-31", "within_s": 1}, (), "a date is a whole day"),
    ({"path": "a", "root": "b"}, ("root",), "an absolute path"),
    ({"regex": "("}, (), "no regular expression"),
    ({"regex": "a{1,99999999999}"}, (), "no regular expression"),
    ({"regex": "a", "such_as": "b"}, (), "does not match"),
    ({"schema": {"type": "strin"}}, (), "no JSON Schema"),
    ({"schema": {"type": "string"}, "such_as": 1}, (), "refuses"),
    ({"anything": "yes"}, ("anything",), "must be True"),
    ([1.0, float("inf")], (1,), "finite"),
)


@pytest.mark.parametrize(("plain", "place", "says"), WRONG, ids=str)
def test_what_is_no_matcher_is_refused_where_it_is_wrong(
    plain: Any, place: tuple[str | int, ...], says: str
) -> None:
    with pytest.raises(BadMatcher) as caught:
        read(plain)
    assert caught.value.complaint.place == place
    assert says in str(caught.value)


def test_every_kind_is_put_to_the_test() -> None:
    tried = {type(read(plain)) for plain, _, _ in (*CASES, *MOMENTS)}
    assert tried == set(KINDS.values())


def test_a_schema_fetches_nothing() -> None:
    with pytest.raises(BadMatcher):
        read({"schema": {"$ref": "http://127.0.0.1:9/schema.json"}})
