"""Weighted alternating least squares: masked matrix products and the normal equations of rows."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op
from tfmini._src.ops.operands import check_ranks

_WEIGHTS = (
    "To specify the weights for observed entries, either (1) entry_weights must be set or (2) input_weights and "
    "factor_weights must be set, but not both."
)


@op(
    "MaskedMatmul",
    "a: float, b: float, mask_indices: int64, transpose_a: bool, transpose_b: bool -> prod_values: float",
    through_host=True,
)
def masked_matmul_op(xp, a, b, mask_indices, transpose_a, transpose_b):
    """Returns the elements of a matrix product at the [row, column] pairs in `mask_indices`."""
    check_ranks(2, a=a, b=b, mask_indices=mask_indices)
    check_ranks(0, transpose_a=transpose_a, transpose_b=transpose_b)
    if mask_indices.shape[1] != 2:
        invalid(
            "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of non-zero elements."
        )
    left, right = a.T if transpose_a else a, b if transpose_b else b.T
    if left.shape[1] != right.shape[1]:
        shapes = [f"[{','.join(map(str, s))}]" for s in (left.shape, right.shape[::-1])]
        invalid(
            f"Matrix shapes are incompatible: a has shape {shapes[0]}, while b has shape {shapes[1]}."
        )
    _check_bounds(mask_indices, len(left), len(right))
    return np.einsum("ij,ij->i", left[mask_indices[:, 0]], right[mask_indices[:, 1]])


def _check_bounds(indices: np.ndarray, *sizes: int) -> None:
    for axis, (name, size) in enumerate(zip(("row", "column"), sizes)):
        wrong = np.flatnonzero((indices[:, axis] < 0) | (indices[:, axis] >= size))
        if len(wrong):
            index = int(wrong[0])
            invalid(
                f"In mask_indices[{index}, :], the {name} index {indices[index, axis]} is out of bounds [0, {size})."
            )


@op(
    "WALSComputePartialLhsAndRhs",
    "factors: float, factor_weights: float, unobserved_weights: float, input_weights: float, input_indices: int64, "
    "input_values: float, entry_weights: float, input_block_size: int64, input_is_transpose: bool "
    "-> partial_lhs: float, partial_rhs: float",
    through_host=True,
)
def wals_compute_partial_lhs_and_rhs_op(
    xp,
    factors,
    factor_weights,
    unobserved_weights,
    input_weights,
    input_indices,
    input_values,
    entry_weights,
    input_block_size,
    input_is_transpose,
):
    """Returns the sums over the observed columns of each row of w f fᵀ and of (w₀ + w) v f.

    Hu, Koren and Volinsky, "Collaborative filtering for implicit feedback datasets" (ICDM 2008).
    """
    check_ranks(2, factors=factors)
    check_ranks(1, factor_weights=factor_weights)
    check_ranks(0, unobserved_weights=unobserved_weights)
    check_ranks(1, input_weights=input_weights)
    check_ranks(2, input_indices=input_indices)
    check_ranks(1, end="", input_values=input_values)
    check_ranks(1, end="", entry_weights=entry_weights)
    check_ranks(0, input_block_size=input_block_size, input_is_transpose=input_is_transpose)
    if input_indices.shape[1] != 2:
        invalid("Input input_indices should have shape (?, 2).")
    if len(input_indices) != len(input_values):
        invalid(
            "Input input_values' length should match the first dimension of Input input_indices "
        )
    exact_rank = len(entry_weights) == len(input_values) and not (
        len(input_weights) or len(factor_weights)
    )
    uses_factors = (
        not len(entry_weights) and len(input_weights) and len(factor_weights) == len(factors)
    )
    if not (exact_rank or uses_factors):
        invalid(_WEIGHTS)
    count = int(input_block_size)
    if count < 0:
        invalid(f"Input input_block_size should not be negative: {count}.")
    order = (1, 0) if input_is_transpose else (0, 1)
    rows, columns = input_indices[:, order[0]], input_indices[:, order[1]]
    _check_entries(rows, count if exact_rank else min(count, len(input_weights)))
    _check_entries(columns, len(factors))
    weights = entry_weights if exact_rank else input_weights[rows] * factor_weights[columns]
    if (weights < 0).any():
        invalid("Weights of observed entries should not be negative.")
    return _sums(
        factors, rows, columns, weights, (unobserved_weights + weights) * input_values, count
    )


def _check_entries(indices: np.ndarray, size: int) -> None:
    wrong = indices[(indices < 0) | (indices >= size)]
    if len(wrong):
        invalid(f"Index {wrong[0]} of input_indices is out of bounds [0, {size}).")


def _sums(
    factors: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    weights: np.ndarray,
    values: np.ndarray,
    count: int,
) -> tuple[np.ndarray, np.ndarray]:
    size = factors.shape[1]
    lhs, rhs = np.zeros((count, size, size), np.float32), np.zeros((count, size), np.float32)
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(count + 1))
    for row in range(count):
        entries = order[starts[row] : starts[row + 1]]
        if len(entries):
            fixed = factors[columns[entries]]
            lhs[row] = (fixed * weights[entries, None]).T @ fixed
            rhs[row] = values[entries] @ fixed
    return lhs, rhs
