"""Unicode scripts of characters.

The file `unicode_scripts.txt` lists, in order, the first code point of each run of characters of one script
and the ICU number of the script.
"""

from __future__ import annotations

import functools
import os

import numpy as np

from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike

_TABLE = os.path.join(os.path.dirname(__file__), "unicode_scripts.txt")
_POINTS = 0x110000


@functools.cache
def _runs() -> tuple[np.ndarray, np.ndarray]:
    """Returns the first code point of each run and its script."""
    with open(_TABLE, encoding="ascii") as file:
        rows = [line.split() for line in file]
    starts = np.array([int(start, 16) for start, _ in rows])
    return starts, np.array([int(script) for _, script in rows], np.int32)


@op("UnicodeScript", "input: int32 -> output: int32", infer=same_shape)
def unicode_script_op(xp, points):
    starts, scripts = _runs()
    script = scripts[np.searchsorted(starts, points, "right") - 1]
    return np.where((points >= 0) & (points < _POINTS), script, np.int32(-1))


@public
def unicode_script(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the ICU script codes of characters; for example, 25 is Latin, 8 Cyrillic, 17 Han, and 0 common.

    Args:
      input: int32 tensor of code points.

    Returns:
      An int32 Tensor of the same shape; -1 for invalid code points.

    Example: `tf.strings.unicode_script([ord("a"), ord("ж"), ord(" ")])` is `[25, 8, 0]`.
    """
    return raw.UnicodeScript(input, name=name)
