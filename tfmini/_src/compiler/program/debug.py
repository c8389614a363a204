"""TFMINI_DEBUG: comma-separated words.

`plan` prints each plan's function, with the node of each line, the dtypes and shapes of its results, its device and,
on a GPU, why it is not captured; `gpu` reports GPU activity of a plan's first runs and every hundredth thereafter:
segments, graphs, copies, waits, peak memory; `stages` the Program after each pass that changes it; all to stderr.
`check` validates it after each pass (`validate.py`). `alias` overwrites arrays that a plan has released, floats with
NaN, other numbers with their largest, to expose readers that still hold them (a kernel whose result is an undeclared
view).
"""

from __future__ import annotations

import os

import numpy as np

from tfmini._src.base import logs

_FLAG_NAMES = ("alias", "check", "gpu", "plan", "stages")


def parse_flags(text: str) -> frozenset[str]:
    """Parses the words of TFMINI_DEBUG; warns of unknown ones."""
    flags = frozenset(word.strip() for word in text.split(",") if word.strip())
    for word in sorted(flags.difference(_FLAG_NAMES)):
        logs.warning("TFMINI_DEBUG: unknown word '%s'; known: %s.", word, ", ".join(_FLAG_NAMES))
    return flags


FLAGS = parse_flags(os.environ.get("TFMINI_DEBUG", ""))


def fill(*values: np.ndarray) -> None:
    """Overwrites arrays that must no longer be read."""
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
