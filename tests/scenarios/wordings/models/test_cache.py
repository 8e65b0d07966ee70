"""Answers on disk: kept whole or not at all, and never believed when they are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scenarios.wordings.models.played import FIND, READ, calls, question

from faultloop.scenarios.wordings.answer import Answer, Failure, Usage
from faultloop.scenarios.wordings.models.cache import Cache, key_of
from faultloop.scenarios.wordings.models.port import Digests, ModelUnusable, Question
from faultloop.scenarios.wordings.task import Said

KEY = key_of("model", Digests().of(question()), 0)
ANSWER = Answer(
    calls=calls("read_file", '{"path": "\\ud83d ä"}').calls,
    text="Right away.",
    usage=Usage(input_tokens=7),
)


def file_of(folder: Path) -> Path:
    (found,) = folder.rglob("*.json")
    return found


def test_an_answer_comes_back_as_it_was(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path / "new", says=said.append)
    assert cache.get(KEY) is None
    cache.put(KEY, ANSWER)
    assert cache.get(KEY) == ANSWER
    assert Cache(tmp_path / "new", says=said.append).get(KEY) == ANSWER
    assert said == []


@pytest.mark.parametrize(
    ("failure", "is_kept"),
    [
        ("timeout", True),
        ("unavailable", False),
        ("broken", False),
        ("unreadable", True),
        ("refused", True),
        ("cut", True),
        ("blocked", True),
        ("overflow", True),
        ("empty", True),
    ],
)
def test_a_failure_that_may_pass_is_not_kept(
    failure: Failure, is_kept: bool, tmp_path: Path
) -> None:
    cache = Cache(tmp_path, says=pytest.fail)
    cache.put(KEY, Answer(failure=failure, failure_says="No."))
    assert (cache.get(KEY) is not None) is is_kept


def test_whatever_is_left_of_a_file_it_is_whole_or_told(tmp_path: Path) -> None:
    Cache(tmp_path, says=pytest.fail).put(KEY, ANSWER)
    file = file_of(tmp_path)
    whole = file.read_bytes()
    said: list[str] = []
    cache = Cache(tmp_path, says=said.append)
    for length in range(len(whole) - 1):  # the last byte is the end of the line
        file.write_bytes(whole[:length])
        assert cache.get(KEY) is None
    assert len(said) == len(whole) - 1
    assert said[0] == f"{file}: a kept answer is damaged; asked again"
    cache.put(KEY, ANSWER)
    assert file.read_bytes() == whole


def test_one_byte_that_is_another_is_noticed_wherever_it_is(tmp_path: Path) -> None:
    Cache(tmp_path, says=pytest.fail).put(KEY, ANSWER)
    file = file_of(tmp_path)
    whole = file.read_bytes()
    cache = Cache(tmp_path, says=lambda _: None)
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.get(KEY) in (None, ANSWER)


def test_the_answer_to_another_question_is_not_believed(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path, says=said.append)
    cache.put(KEY, ANSWER)
    other = KEY[:2] + "0" * 62
    file_of(tmp_path).rename(tmp_path / KEY[:2] / f"{other}.json")
    assert cache.get(other) is None
    assert len(said) == 1


def test_what_a_killed_writer_left_is_not_read(tmp_path: Path) -> None:
    cache = Cache(tmp_path, says=pytest.fail)
    cache.put(KEY, ANSWER)
    file = file_of(tmp_path)
    file.rename(file.with_name(f"{file.name}.77"))
    assert cache.get(KEY) is None


def test_fresh_reads_nothing_and_keeps_what_comes(tmp_path: Path) -> None:
    Cache(tmp_path, says=pytest.fail).put(KEY, ANSWER)
    fresh = Cache(tmp_path, says=pytest.fail, fresh=True)
    assert fresh.get(KEY) is None
    fresh.put(KEY, Answer(text="New."))
    assert Cache(tmp_path, says=pytest.fail).get(KEY) == Answer(text="New.")


def test_a_folder_that_takes_nothing_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file", says=lambda _: None)
    with pytest.raises(ModelUnusable, match="answers cannot be kept there"):
        cache.put(KEY, ANSWER)


def test_all_that_a_model_sees_is_in_the_digest_and_nothing_else() -> None:
    def asked(
        *said: Said, system: str = "", offered: tuple[object, ...] = (READ, FIND)
    ) -> Question:
        return Question(messages=said, contracts=offered, system=system)  # type: ignore[arg-type]

    user, other = Said(role="user", text="Go."), Said(role="assistant", text="Go.")
    different = [
        asked(user),
        asked(other),
        asked(user, user),
        asked(user, system="Be brief."),
        asked(user, offered=(FIND, READ)),
        asked(user, offered=(READ,)),
        Question(messages=(user,), contracts=(READ, FIND), strict="off"),
    ]
    digests = Digests()
    assert len({digests.of(one) for one in different}) == len(different)
    assert digests.of(asked(user)) == Digests().of(
        Question(messages=(user,), contracts=(READ, FIND), sample=3)
    )
    assert len({key_of(model, "d", sample) for model in ("a", "b") for sample in (0, 1)}) == 4


def test_a_folder_in_the_place_of_an_answer_is_told_before_anybody_is_asked(tmp_path: Path) -> None:
    (tmp_path / KEY[:2] / f"{KEY}.json").mkdir(parents=True)
    with pytest.raises(ModelUnusable, match="take the folder away"):
        Cache(tmp_path, says=pytest.fail).get(KEY)


def test_what_cannot_be_kept_whole_leaves_no_scrap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ModelUnusable, match="No space left on device"):
        Cache(tmp_path, says=pytest.fail).put(KEY, ANSWER)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
