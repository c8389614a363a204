"""Merging of sparse ids and values into one sparse tensor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.sparse.sparse_index_ops import sparse_reorder
from tfmini._src.ops.sparse.sparse_indices import as_sparse


@public
@deprecated(None, "No similar op available at this time.")
def sparse_merge(
    sp_ids: TensorLike,
    sp_values: SparseTensor | Sequence[SparseTensor],
    vocab_size: TensorLike,
    name: str | None = None,
    already_sorted: bool = False,
) -> SparseTensor:
    """Merges ids and values into a SparseTensor whose last axis (or axes) is indexed by id.

    Args:
      sp_ids: integer SparseTensor [..., n], the ids of each row, or a list of such tensors for several new axes.
      sp_values: SparseTensor with the same indices.
      vocab_size: the number of ids, an int or scalar tensor, or a list of numbers for a list of ids.
      already_sorted: whether the result is already sorted.

    Returns:
      SparseTensor [..., vocab_size].

    Raises:
      TypeError: if `vocab_size` is not an integer, or `sp_ids` is neither a SparseTensor nor a list.
      ValueError: if the lists differ in length.
    """
    return merge_sparse(sp_ids, sp_values, vocab_size, name, already_sorted)


@public
def merge_sparse(
    sp_ids: Any,
    sp_values: Any,
    vocab_size: Any,
    name: str | None = None,
    already_sorted: bool = False,
) -> SparseTensor:
    """Same as `sparse_merge`, without the deprecation warning."""
    if isinstance(sp_ids, SparseTensorValue | SparseTensor):
        sp_ids = [sp_ids]
        if not isinstance(vocab_size, Tensor | Integral):
            raise TypeError(
                f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}"
            )
        vocab_size = [vocab_size]
    else:
        if not isinstance(sp_ids, Iterable):
            raise TypeError(
                f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}"
            )
        problem = "vocab_size has to be a list of Tensors or Python ints. Found"
        if not isinstance(vocab_size, Iterable):
            raise TypeError(f"{problem} {type(vocab_size)}")
        for size in vocab_size:
            if not isinstance(size, Tensor | Integral):
                raise TypeError(f"{problem} {type(size)}")
    if len(sp_ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        sp_ids = [as_sparse(ids) for ids in sp_ids]
        sp_values = as_sparse(sp_values)
        columns = []
        for ids in sp_ids:
            column = ids.values
            if ids.dtype != dtypes.int64:
                column = ops.cast(column, dtypes.int64)
            columns.append(ops.expand_dims(column, axis=1))
        sizes = [ops.cast(size, dtypes.int64) for size in vocab_size]
        indices = ops.concat([sp_ids[0].indices[:, :-1], *columns], 1)
        shape = ops.concat([sp_ids[0].dense_shape[:-1], sizes], 0)
        result = SparseTensor(indices, sp_values.values, shape)
        if already_sorted:
            return result
        ordered = sparse_reorder(result)
        return SparseTensor(ordered.indices, ordered.values, shape)
