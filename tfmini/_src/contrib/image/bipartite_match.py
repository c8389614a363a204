"""Bipartite matching of rows and columns by distance."""

from __future__ import annotations

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import raw


def bipartite_match(
    distance_mat: TensorLike,
    num_valid_rows: TensorLike,
    top_k: int = -1,
    name: str = "bipartite_match",
) -> tuple[Tensor, Tensor]:
    """Matches rows and columns greedily, nearest pairs first, each at most once.

    Args:
      distance_mat: [rows, columns] float32. Ties go to the first in row-major order.
      num_valid_rows: number of rows to match, a float32 with one element; all if negative.
      top_k: maximum number of pairs; unlimited if negative.

    Returns:
      (the column of each row, the row of each column), int32, -1 for none.

    Example:
      of_rows, of_columns = tf.contrib.image.bipartite_match([[0.5, 0.1], [0.2, 0.3]], -1.0)
    """
    return raw.BipartiteMatch(distance_mat, num_valid_rows, top_k=top_k, name=name)
