"""Whether files may bring code: TFMINI_SAFE refuses it."""

from __future__ import annotations

import os


def is_safe() -> bool:
    """Whether TFMINI_SAFE is set, but to 0: byte code in Keras files and pickles in arrays are refused."""
    return os.environ.get("TFMINI_SAFE", "0") not in ("", "0")
