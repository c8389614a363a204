"""`tf.linalg.tridiagonal_matmul` and `tridiagonal_solve`, for diagonals in three formats."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import raw
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _dimension_value(dim: Any) -> int | None:
    return getattr(dim, "value", dim)


def tridiagonal_matmul(
    diagonals: Any, rhs: TensorLike, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """Multiplies tridiagonal matrices by `rhs`.

        tf.linalg.tridiagonal_matmul(tf.constant([[1.0, 1, 0], [2, 2, 2], [0, 1, 1]]), tf.eye(3))

    Args:
      diagonals: "compact": a [..., 3, m] tensor of the superdiagonal, main diagonal and subdiagonal;
        "sequence": these three diagonals, [..., m] each; "matrix": [..., m, m]. The last element of the
        superdiagonal and the first of the subdiagonal are ignored. float32, float64, complex64 or complex128.
      rhs: [..., m, n] tensor of the same dtype.
      diagonals_format: "compact", "sequence" or "matrix".

    Returns:
      [..., m, n] Tensor.

    Raises:
      ValueError: for an unknown format, or shapes that do not match it.
    """
    if diagonals_format == "compact":
        above, diagonal, below = (diagonals[..., i, :] for i in range(3))
    elif diagonals_format == "sequence":
        above, diagonal, below = diagonals
    elif diagonals_format == "matrix":
        size = _known_size(diagonals)
        diagonal = ops.matrix_diag_part(diagonals)
        transposed = ops.transpose(diagonals)
        no_padding = [0, 0]
        positions = [[i + 1, i] for i in range(size - 1)]
        above = ops.transpose(ops.gather_nd(transposed, [*positions, no_padding]))
        positions = [[i - 1, i] for i in range(1, size)]
        below = ops.transpose(ops.gather_nd(transposed, [no_padding, *positions]))
    else:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    above, diagonal, below = (ops.expand_dims(x, -2) for x in (above, diagonal, below))
    return raw.TridiagonalMatMul(above, diagonal, below, rhs, name=name)


def _known_size(matrix: Any) -> int:
    last, other = _dimension_value(matrix.shape[-1]), _dimension_value(matrix.shape[-2])
    if not last or not other:
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    if last != other:
        raise ValueError(
            f"Expected last two dimensions of diagonals to be same, got {last} and {other}"
        )
    return last


def tridiagonal_solve(
    diagonals: TensorLike,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
) -> Tensor:
    """Solves tridiagonal systems of equations in linear time.

        tf.linalg.tridiagonal_solve(tf.constant([[1.0, 1, 0], [2, 2, 2], [0, 1, 1]]), tf.ones([3]))

    Args:
      diagonals: "compact": a [..., 3, m] tensor of the superdiagonal, main diagonal and subdiagonal;
        "sequence": these three diagonals, [..., m] each, or m - 1 for the off-diagonals; "matrix": [..., m, m].
        float32, float64, complex64 or complex128.
      rhs: [..., m] or [..., m, k] tensor of the same dtype.
      diagonals_format: "compact", "sequence" or "matrix".
      transpose_rhs: whether `rhs` and the result are [..., k, m]; ignored for vectors.
      conjugate_rhs: whether to conjugate `rhs`.
      partial_pivoting: whether to pivot rows; unnecessary for diagonally dominant matrices, and slower for large
        batches.

    Returns:
      A Tensor of the shape of `rhs`.

    Raises:
      ValueError: for an unknown format, or shapes that do not match it.
      InvalidArgumentError (when run): if a matrix is singular, or pivoting is necessary but disabled.
    """
    if diagonals_format == "sequence":
        diagonals = _stack_diagonals(diagonals)
    elif diagonals_format == "matrix":
        diagonals = _extract_diagonals(diagonals)
    elif diagonals_format != "compact":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    return _solve(diagonals, rhs, transpose_rhs, conjugate_rhs, partial_pivoting, name)


def _stack_diagonals(diagonals: Any) -> Tensor:
    """Stacks three diagonals into one tensor; pads the off-diagonals to the length of the main diagonal."""
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, diagonal, below = diagonals
    if not all(x.shape[:-1].is_compatible_with(diagonal.shape[:-1]) for x in (below, above)):
        raise ValueError(
            "Tensors representing the three diagonals must have the same shape,except for the last "
            f"dimension, got {below.shape}, {diagonal.shape}, {above.shape}"
        )
    size = _dimension_value(diagonal.shape[-1])
    below = _longer(below, "subdiagonal", [1, 0], size)
    above = _longer(above, "superdiagonal", [0, 1], size)
    return ops.stack((above, diagonal, below), axis=-2)


def _longer(diagonal: Any, name: str, padding: list[int], size: Any) -> Any:
    provided = _dimension_value(diagonal.shape[-1])
    if not provided or provided == size:
        return diagonal
    if provided == size - 1:
        return ops.pad(diagonal, [[0, 0]] * (diagonal.shape.ndims - 1) + [padding])
    raise ValueError(f"Expected {name} to be have length {size} or {size - 1}, got {provided}.")


def _extract_diagonals(matrix: Any) -> Tensor:
    """Extracts the three diagonals of matrices."""
    last, other = _dimension_value(matrix.shape[-1]), _dimension_value(matrix.shape[-2])
    if last and other and last != other:
        raise ValueError(
            f"Expected last two dimensions of diagonals to be same, got {last} and {other}"
        )
    size = last or other
    if not size:
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    no_padding = [0, 0]
    inner = [[[i + 1, i], [i, i], [i - 1, i]] for i in range(1, size - 1)]
    end = [no_padding, [size - 1, size - 1], [size - 2, size - 1]]
    positions = [[[1, 0], [0, 0], no_padding], *inner, end]
    return ops.transpose(ops.gather_nd(ops.transpose(matrix), positions))


def _solve(
    diagonals: Any, rhs: Any, transpose: bool, conjugate: bool, pivoting: bool, name: Any
) -> Tensor:
    rank, sides = len(diagonals.shape), len(rhs.shape)
    if rank < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {rank}")
    if sides not in (rank, rank - 1):
        raise ValueError(f"Expected the rank of rhs to be {rank - 1} or {rank}, got {sides}")
    if diagonals.shape[-2] and diagonals.shape[-2] != 3:
        raise ValueError(f"Expected 3 diagonals got {diagonals.shape[-2]}")
    batch = diagonals.shape[:-2], rhs.shape[: rank - 2]
    if not batch[0].is_compatible_with(batch[1]):
        raise ValueError(f"Batch shapes {batch[0]} and {batch[1]} are incompatible")
    if sides == rank - 1:
        rhs = ops.expand_dims(ops.conj(rhs) if conjugate else rhs, -1)
        return ops.squeeze(_checked_solve(diagonals, rhs, pivoting, name), -1)
    if transpose:
        rhs = ops.matrix_transpose(rhs, conjugate=conjugate)
    elif conjugate:
        rhs = ops.conj(rhs)
    result = _checked_solve(diagonals, rhs, pivoting, name)
    return ops.matrix_transpose(result) if transpose else result


def _checked_solve(diagonals: Any, rhs: Any, pivoting: bool, name: Any) -> Tensor:
    size, rows = diagonals.shape[-1], rhs.shape[-2]
    if size and rows and size != rows:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{size} and {rows}"
        )
    return raw.TridiagonalSolve(diagonals, rhs, partial_pivoting=pivoting, name=name)
