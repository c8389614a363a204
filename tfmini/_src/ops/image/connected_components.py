"""Connected components of images: an op of `tf.contrib.image`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import copy_input_shape

_PIXELS = (
    *(dtypes.int64, dtypes.int32, dtypes.uint16, dtypes.int16, dtypes.uint8, dtypes.int8),
    *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool, dtypes.string),
)


@op(
    "ImageConnectedComponents",
    "image: dtype -> components: int64",
    through_host=True,
    infer=copy_input_shape(0),
    differentiable=False,
    dtype=_PIXELS,
)
def image_connected_components_op(xp, images):
    """Labels connected components: pixels get the number (from 1) of their component's first pixel; 0 stays 0.

    Runs of equal pixels in rows are connected to runs in the next row.
    """
    if images.ndim != 3:
        invalid("Input images must have rank 3")
    if not images.size:
        return xp.zeros(images.shape, "i8")
    is_background = images == (b"" if images.dtype == object else images.dtype.type(0))
    starts = xp.ones(images.shape, bool)
    starts[:, :, 1:] = images[:, :, 1:] != images[:, :, :-1]
    first = xp.flatnonzero(starts)  # pixel of each run
    run = (xp.cumsum(starts) - 1).reshape(images.shape)
    connected = (images[:, 1:] == images[:, :-1]) & ~is_background[:, 1:]
    labels = _smallest_connected(xp, len(first), run[:, :-1][connected], run[:, 1:][connected])
    return xp.where(is_background, 0, first[labels][run] + 1)


def _smallest_connected(xp: Any, count: int, above: Any, below: Any) -> Any:
    """Returns, for each of `count` runs, the smallest run in its component, from pairs of adjacent runs.

    The roots of larger components are attached to smaller roots, until all pairs have the same root, as in Y. Shiloach
    and U. Vishkin, "An O(log n) parallel connectivity algorithm", 1982.
    """
    labels = xp.arange(count)
    while True:
        above_root, below_root = labels[above], labels[below]
        differs = above_root != below_root
        if not differs.any():
            return labels
        above, below = above[differs], below[differs]
        above_root, below_root = above_root[differs], below_root[differs]
        larger = xp.maximum(above_root, below_root)
        xp.minimum.at(labels, larger, xp.minimum(above_root, below_root))
        while True:
            roots = labels[labels]
            if (roots == labels).all():
                break
            labels = roots
