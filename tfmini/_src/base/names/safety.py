"""Safe mode: TFMINI_SAFE rejects files that contain code."""

from __future__ import annotations

import os


def is_safe() -> bool:
    """Whether TFMINI_SAFE is set and not 0: rejects bytecode in Keras files and pickles."""
    return os.environ.get("TFMINI_SAFE", "0") not in ("", "0")
