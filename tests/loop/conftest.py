"""Settings of generated tests: what they find must not depend on how busy the machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("faultloop", deadline=None)
settings.load_profile("faultloop")
