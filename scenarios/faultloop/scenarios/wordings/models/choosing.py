"""`--model TEXT` to a model: `embedded:NAME`, or an endpoint's address (see `address`).

Embedded models bring dependencies that most runs do not need, so nothing of them is imported before
one is chosen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from faultloop.scenarios.wordings.models.address import address_of
from faultloop.scenarios.wordings.models.endpoint import AS_IT_IS, Endpoint, Settings
from faultloop.scenarios.wordings.models.port import Model

EMBEDDED = "embedded:"


def model_of(
    text: str, settings: Settings = AS_IT_IS, environment: Mapping[str, str] = os.environ
) -> Model:
    """The model that is meant. Raises ModelUnusable: there is none such, or it cannot be had."""
    if text.startswith(EMBEDDED):
        from faultloop.scenarios.wordings.models.embedded import embedded_model

        return embedded_model(text)
    return Endpoint(text, address_of(text, environment), settings, environment)
