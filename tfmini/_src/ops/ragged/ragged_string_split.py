"""Splitting of strings into rows of words or bytes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged


def _ragged_from_sparse(indices: Tensor, values: Tensor, shape: Tensor) -> RaggedTensor:
    return RaggedTensor.from_value_rowids(
        values=values, value_rowids=indices[:, 0], nrows=shape[0], validate=False
    )


@public
def sparse_rows_to_ragged(sparse: Any) -> RaggedTensor:
    """Converts a SparseTensor of string parts to a ragged tensor."""
    return _ragged_from_sparse(sparse.indices, sparse.values, sparse.dense_shape)


@public
def ragged_split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Splits each string at `sep` like Python's `str.split`; the result has an additional ragged dimension."""
    with name_scope(name, "StringSplit", [input]):
        input = ops.tensor_or_ragged(input, dtype=dtypes.string, name="input")
        if is_ragged(input):
            return input.with_flat_values(ragged_split(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return ragged_split(ops.stack([input]), sep, maxsplit)[0]
        if rank not in (1, None):
            return ragged_split(RaggedTensor.from_tensor(input), sep, maxsplit)
        return sparse_rows_to_ragged(ops.sparse_string_split_v2(input, sep, maxsplit))


def bytes_split(input: Any, name: str | None = None) -> Any:
    """Splits each string into bytes.

    Args:
      input: string tensor of known rank, ragged or not.

    Returns:
      A RaggedTensor with an additional dimension; a vector if `input` is a scalar.

    Raises:
      ValueError: if the rank is unknown.

    Example: `tf.strings.bytes_split(["ab", "c"])` is [["a", "b"], ["c"]].
    """
    with name_scope(name, "StringsByteSplit", [input]):
        input = ops.tensor_or_ragged(input, name="input")
        if is_ragged(input):
            return input.with_flat_values(bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return bytes_split(ops.stack([input]))[0]
        if rank == 1:
            return _ragged_from_sparse(*raw.StringSplit(input, delimiter="", skip_empty=False))
        return bytes_split(RaggedTensor.from_tensor(input))
