"""`--model` names an embedded model or an endpoint, and what it names is not loaded yet."""

from __future__ import annotations

import subprocess
import sys

import pytest

from faultloop.scenarios.wordings.models import DEFAULT
from faultloop.scenarios.wordings.models.choosing import model_of
from faultloop.scenarios.wordings.models.port import ModelUnusable


def test_the_default_is_offline_and_free() -> None:
    model = model_of(DEFAULT)
    assert (model.name, model.deterministic, model.worth_keeping) == (DEFAULT, True, False)


def test_an_endpoint_is_what_its_address_says() -> None:
    model = model_of("openai_chat:m@http://h:1/v1", environment={})
    assert (model.name, model.deterministic) == ("openai_chat:m@http://h:1/v1", False)


@pytest.mark.parametrize("text", ["embedded:nothing", "nothing", ""])
def test_what_is_no_model_is_a_sentence(text: str) -> None:
    with pytest.raises(ModelUnusable, match=r"\w"):
        model_of(text)


def test_choosing_loads_no_runtime_of_models() -> None:
    code = (
        "import sys\n"
        "from faultloop.scenarios.wordings.models.choosing import model_of\n"
        "model_of('embedded:minilm')\n"
        "assert not {'onnxruntime', 'xllamacpp'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
