"""Properties are judged by what they find, not by the clock: a busy machine may be slow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
