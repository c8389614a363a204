"""TF32 (float32 with a 10-bit mantissa): whether matrix products use it, and the log message about it."""

from __future__ import annotations

import os

from tfmini._src.base import runtime_log
from tfmini._src.devices.cuda.discovery import PhysicalGpu

_FIRST_GENERATION = 8  # Ampere (compute capability 8.0)
_is_logged = False


def is_on() -> bool:
    """Whether float32 products and convolutions are computed in TF32: TFMINI_TF32 is 1."""
    return os.environ.get("TFMINI_TF32") == "1"


def log_unused_tf32(physical: PhysicalGpu) -> None:
    """Logs once per process that TF32 is available but not used, unless TFMINI_TF32 is set."""
    global _is_logged
    if _is_logged:
        return
    _is_logged = True
    if (
        "TFMINI_TF32" in os.environ
        or int(physical.compute_capability.partition(".")[0]) < _FIRST_GENERATION
    ):
        return
    runtime_log.log(
        runtime_log.INFO,
        b"Products and convolutions of float32 are computed in full precision. TFMINI_TF32=1 lets tensor cores compute "
        b"them in TF32: faster, with 10 bits of mantissa in place of 23. TFMINI_TF32=0 hides this line.",
    )
