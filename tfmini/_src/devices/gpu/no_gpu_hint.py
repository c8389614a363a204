"""The hint below an error for want of a GPU: why there is none, and what to do."""

from __future__ import annotations

from typing import TypeVar

from tfmini._src.base.error_hints import with_hint
from tfmini._src.devices.gpu.discovery import why_no_card

_Error = TypeVar("_Error", bound=BaseException)
_LEFT_OUT = "The ConfigProto leaves them out: device_count={'GPU': 0}."


def with_reason(error: _Error, cure: str = "") -> _Error:
    """The error, with the hint; `cure`: a sentence."""
    why = why_no_card() or _LEFT_OUT
    parts = ("No GPU is available.", why, cure, "`tfmini devices` lists the devices.")
    return with_hint(error, " ".join(filter(None, parts)))
