"""Batches of matrices: powers, products with one matrix, block-diagonal matrices."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import Dimension, TensorShape
from tfmini._src.functions.functional_ops import scan
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def block_diagonal(matrices: Any, dtype: Any = dtypes.float32, name: str = "block_diagonal") -> Any:
    """Returns the block-diagonal matrix [..., sum of n, sum of m] of matrices [..., n, m]."""
    matrices = [ops.convert_to_tensor(matrix, dtype=dtype) for matrix in matrices]
    rows, columns, batch = Dimension(0), Dimension(0), TensorShape(None)
    for matrix in matrices:
        shape = matrix.get_shape().with_rank_at_least(2)
        batch = batch.merge_with(shape[:-2])
        rows += shape[-2]
        columns += shape[-1]
    width = ops.add_n([ops.shape(matrix)[-1] for matrix in matrices])
    blocks: list[Tensor] = []
    column_offset: Any = 0
    for matrix in matrices:
        size = ops.shape(matrix)
        offset, column_offset = column_offset, column_offset + size[-1]
        right = width - column_offset
        unpadded = ops.zeros([ops.rank(matrix) - 1, 2], dtype=dtypes.int32)
        paddings = ops.concat([unpadded, [(offset, right)]], axis=0)
        blocks.append(ops.pad(tensor=matrix, paddings=paddings))
    joined = ops.concat(blocks, -2, name=name)
    joined.set_shape(batch.concatenate((rows, columns)))
    return joined


def power_sums_tensor(array_size: Any, power_matrix: Any, multiplier: Tensor) -> Tensor:
    """Returns S[n], the sum over i < n of A^i B (A^i)^T, for n up to `array_size`: [array_size + 1, rows, rows].

    Args:
      array_size: the largest n.
      power_matrix: A, [rows, rows].
      multiplier: B, [rows, rows].
    """
    array_size = ops.cast(array_size, dtypes.int32)
    power_matrix = ops.convert_to_tensor(power_matrix)
    identity = ops.eye(ops.shape(power_matrix)[0], dtype=power_matrix.dtype)
    identity.set_shape(power_matrix.get_shape())
    powers = scan(
        lambda previous, _: ops.matmul(previous, power_matrix),
        ops.range(array_size - 1),
        initializer=identity,
    )
    first = ops.expand_dims(multiplier, 0)
    products = ops.matmul(batch_times_matrix(powers, multiplier), powers, adjoint_b=True)
    summed = ops.cumsum(ops.concat([first, products], 0))
    return ops.concat([ops.expand_dims(ops.zeros_like(multiplier), 0), summed], 0)


def matrix_to_powers(matrix: Tensor, powers: Tensor) -> Tensor:
    """Returns the powers, [n], of a matrix: [n, rows, rows]."""
    tiled = ops.tile(ops.expand_dims(matrix, 0), [ops.size(powers), 1, 1])
    return batch_matrix_pow(tiled, powers)


def batch_matrix_pow(matrices: Any, powers: Any) -> Tensor:
    """Returns each matrix, [n, rows, rows], raised to its own power, [n], by repeated squaring."""

    def should_continue(matrices: Tensor, powers: Tensor, product: Tensor) -> Tensor:
        return ops.reduce_any(ops.greater(powers, ops.ones_like(powers)))

    def squaring_step(matrices: Tensor, powers: Tensor, product: Tensor) -> tuple:
        is_even = ops.equal(powers % 2, ops.zeros(ops.shape(powers), dtype=dtypes.int32))
        new_product = ops.where(is_even, product, ops.matmul(product, matrices))
        squares = ops.matmul(matrices, matrices)
        is_left = ops.greater(powers, 1)
        halves = powers - powers % 2
        halves //= 2
        product = ops.where(is_left, new_product, product)
        matrices = ops.where(is_left, squares, matrices)
        return matrices, ops.where(is_left, halves, powers), product

    matrices = ops.convert_to_tensor(matrices)
    powers = ops.cast(powers, dtype=dtypes.int32)
    ones = ops.ones([ops.shape(matrices)[1]], dtype=matrices.dtype)
    identity = ops.expand_dims(ops.diag(ones), 0)
    identities = ops.tile(identity, [ops.shape(matrices)[0], 1, 1])
    last, remaining, product = ops.while_loop(
        should_continue, squaring_step, [matrices, powers, identities]
    )
    is_zero = ops.equal(remaining, ops.zeros_like(remaining, dtype=dtypes.int32))
    return ops.where(is_zero, identities, ops.matmul(last, product))


def batch_times_matrix(batch: Any, matrix: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """Returns the products [n, rows, columns] of a batch, [n, rows, inner], with one matrix, [inner, columns].

    Args:
      adj_x: whether to transpose the batch's matrices first.
      adj_y: whether to transpose `matrix` first.
    """
    batch, matrix = ops.convert_to_tensor(batch), ops.convert_to_tensor(matrix)
    assert batch.get_shape().ndims == 3, batch
    assert matrix.get_shape().ndims == 2, matrix
    if adj_x:
        batch = ops.transpose(batch, [0, 2, 1])
    size, rows, _ = batch.get_shape().as_list()
    shape = ops.shape(batch)
    size = shape[0] if size is None else size
    rows = shape[1] if rows is None else rows
    flat = ops.reshape(batch, [-1, shape[2]])
    axis = 0 if adj_y else 1
    columns = matrix.get_shape().as_list()[axis]
    if columns is None:
        columns = ops.shape(matrix)[axis]
    return ops.reshape(ops.matmul(flat, matrix, adjoint_b=adj_y), [size, rows, columns])


def matrix_times_batch(matrix: Any, batch: Any, adj_x: bool = False, adj_y: bool = False) -> Tensor:
    """Returns the products [n, rows, columns] of one matrix, [rows, inner], with a batch, [n, inner, columns].

    Args:
      adj_x: whether to transpose `matrix` first.
      adj_y: whether to transpose the batch's matrices first.
    """
    transposed = batch_times_matrix(batch=batch, matrix=matrix, adj_x=not adj_y, adj_y=not adj_x)
    return ops.transpose(transposed, [0, 2, 1])


def make_toeplitz_matrix(inputs: Tensor, name: str | None = None) -> Tensor:
    """Returns the block Toeplitz matrix [n * size, n * size] of blocks [n, size, size] by diagonal offset."""
    count, size = ops.shape(inputs)[0], ops.shape(inputs)[1]
    length = size * count
    positions = ops.reshape(ops.range(count), shape=[1, -1])
    blocks = ops.gather(inputs, ops.abs(positions - ops.transpose(positions)))
    toeplitz = ops.reshape(ops.transpose(blocks, [0, 2, 1, 3]), [length, length])
    return ops.identity(toeplitz, name=name)
