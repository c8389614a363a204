"""Bipartite matching by distance, and connected components of images: ops of `tf.contrib.image`."""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import like_input, with_rank
from tfmini._src.ops.operands import shape_text, truncate

_PIXELS = (
    *(dtypes.int64, dtypes.int32, dtypes.uint16, dtypes.int16, dtypes.uint8, dtypes.int8),
    *(dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool, dtypes.string),
)


@op(
    "BipartiteMatch",
    "distance_mat: float, num_valid_rows: float "
    "-> row_to_col_match_indices: int32, col_to_row_match_indices: int32",
    through_host=True,
    differentiable=False,
    top_k=-1,
    stateful=True,
)
def bipartite_match_op(xp, distances, num_valid_rows, *, top_k):
    """Greedy matching by ascending distance; ties go to the first in row-major order."""
    if distances.ndim != 2:
        invalid(f"distance_mat should be 2-dimensional, but got {shape_text(distances.shape)}")
    if num_valid_rows.size != 1:
        invalid(
            "num_valid_rows argument should be a tensor with 1 element, "
            f"but got {num_valid_rows.size}"
        )
    count, columns = distances.shape
    valid = truncate(num_valid_rows.reshape(-1)[0])
    if valid > count:
        invalid(
            f"There should be at least {valid} rows in distance_mat, but only got {count} rows."
        )
    valid = count if valid < 0 else valid
    remaining = min(valid, columns) if top_k <= 0 else min(top_k, valid, columns)
    of_rows, of_columns = np.full(count, -1, np.int32), np.full(columns, -1, np.int32)
    for position in np.argsort(distances[:valid], axis=None, kind="stable"):
        if not remaining:
            break
        row, column = divmod(int(position), columns)
        if of_rows[row] < 0 and of_columns[column] < 0:
            of_rows[row], of_columns[column] = column, row
            remaining -= 1
    return of_rows, of_columns


@bipartite_match_op.infer
def _(op) -> list:
    rows, columns = with_rank(op.inputs[0]._dims, 2)
    return [(rows,), (columns,)]


@op(
    "ImageConnectedComponents",
    "image: dtype -> components: int64",
    through_host=True,
    infer=like_input(0),
    differentiable=False,
    dtype=_PIXELS,
)
def image_connected_components_op(xp, images):
    """Labels connected components: a pixel gets the number, from 1 on, of a pixel in its component; 0 stays 0.

    Numbers spread along rows and columns to neighbors; each pixel then adopts the number of the pixel that
    its number identifies, until nothing changes.
    """
    if images.ndim != 3:
        invalid("Input images must have rank 3")
    labels = xp.arange(images.size).reshape(images.shape)
    down, across = images[:, 1:] == images[:, :-1], images[:, :, 1:] == images[:, :, :-1]
    while images.size:
        smaller = labels.copy()
        for connected, first, second in (
            (down, np.s_[:, :-1], np.s_[:, 1:]),
            (across, np.s_[:, :, :-1], np.s_[:, :, 1:]),
        ):
            least = xp.minimum(smaller[first], smaller[second])
            smaller[second] = xp.where(connected, least, smaller[second])
            smaller[first] = xp.where(connected, xp.minimum(smaller[first], least), smaller[first])
        smaller = xp.take(smaller.reshape(-1), smaller)
        if (smaller == labels).all():
            break
        labels = smaller
    background = b"" if images.dtype == object else images.dtype.type(0)
    return xp.where(images == background, 0, labels + 1)
