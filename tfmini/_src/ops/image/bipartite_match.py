"""Bipartite matching by distance: an op of `tf.contrib.image`."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import with_rank
from tfmini._src.ops.operands import shape_text, truncate


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
    """Matches rows and columns greedily by ascending distance; on ties, the first in row-major order wins."""
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
    row_matches, column_matches = np.full(count, -1, np.int32), np.full(columns, -1, np.int32)
    for position in np.argsort(distances[:valid], axis=None, kind="stable"):
        if not remaining:
            break
        row, column = divmod(int(position), columns)
        if row_matches[row] < 0 and column_matches[column] < 0:
            row_matches[row], column_matches[column] = column, row
            remaining -= 1
    return row_matches, column_matches


@bipartite_match_op.infer
def _(op) -> list:
    rows, columns = with_rank(op.inputs[0]._dims, 2)
    return [(rows,), (columns,)]
