"""What TFMINI_DEBUG asks for: words with commas between.

`plan` prints each plan's function, `stages` the Program after each stage, both to stderr. `alias` fills what a plan is
done with, so that whoever still holds it (a kernel whose result is a view that it did not declare) is found out:
floats with NaN, other numbers with their largest.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

FLAGS = set(os.environ.get("TFMINI_DEBUG", "").split(","))


def fill(*values: Any) -> None:
    """Overwrites arrays that nobody may read any more."""
    for value in values:
        if not isinstance(value, np.ndarray) or not value.flags.writeable or not value.size:
            continue
        if value.dtype.kind in "fc":
            value.fill(np.nan)
        elif value.dtype.kind == "b":
            np.logical_not(value, out=value)
        elif value.dtype.kind in "iu":
            value.fill(np.iinfo(value.dtype).max)
        elif value.dtype == object:
            value.fill(b"filled by TFMINI_DEBUG=alias")
