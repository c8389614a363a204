"""Safe mode: TFMINI_SAFE refuses files that contain code."""

from __future__ import annotations

import os


def is_safe() -> bool:
    """Whether TFMINI_SAFE is set, but not to 0: bytecode in Keras files and pickles are refused."""
    return os.environ.get("TFMINI_SAFE", "0") not in ("", "0")
