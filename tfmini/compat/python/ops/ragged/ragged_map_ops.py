"""`tensorflow.python.ops.ragged.ragged_map_ops`: `tf.map_fn` for ragged elements and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.ops.ragged.ragged_tensor import (
    RaggedTensor,
    RaggedTensorType,
    match_row_splits_dtypes,
    tensor_or_ragged,
)

__all__ = ["map_fn"]


def map_fn(
    fn: Callable,
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Calls a function with each row of tensors, which may be ragged, and stacks the results.

    Args:
      fn: a function from a structure like `elems`, of rows, to one like `dtype`.
      elems: a tensor, dense or ragged, or a structure of such tensors.
      dtype: for each result a dtype, or a `RaggedTensorType` for ragged results; by default the dtypes of `elems`.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      infer_shape: whether all dense results have the same static shape.

    Returns:
      A structure like `dtype`, of tensors.

    Raises:
      TypeError: if `fn` is not a function, or for sparse tensors.
      ValueError: if a result does not match `dtype`.

    Example: `map_fn(tf.reduce_mean, tf.ragged.constant([[1.0, 2.0, 3.0], [4.0]]))` is `[2.0, 4.0]`.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values)"
            ", input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
        )
    with name_scope(name, "map", flatten(elems)):
        rows = match_row_splits_dtypes(*(tensor_or_ragged(e, name="elem") for e in flatten(elems)))
        element_types = pack_sequence_as(elems, [e.dtype for e in rows]) if dtype is None else dtype
        first = rows[0]
        count = ops.cast(
            first.nrows() if isinstance(first, RaggedTensor) else ops.shape(first)[0], dtypes.int32
        )
        collected = [
            _Collected(element_type, count, infer_shape) for element_type in flatten(element_types)
        ]

        def step(i: Any, arrays: list[list[TensorArray]]) -> Any:
            outputs = fn(pack_sequence_as(elems, [e[i] for e in rows]))
            return i + 1, [
                [array.write(i, part) for array, part in zip(row, results.parts(value))]
                for results, row, value in zip(collected, arrays, flatten(outputs))
            ]

        _, arrays = ops.while_loop(
            lambda i, _: i < count,
            step,
            (ops.constant(0), [results.arrays() for results in collected]),
            parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [results.stacked_input(row) for results, row in zip(collected, arrays)]
        return pack_sequence_as(element_types, stacked)


class _Collected:
    """Arrays that collect the results of all rows at one position of the structure.

    kind: a dtype, or a RaggedTensorType.
    count: the number of rows.
    """

    def __init__(self, element_type: Any, count: Tensor, infer_shape: bool):
        self._kind = element_type
        self._count = count
        self._infer_shape = infer_shape

    def arrays(self) -> list[TensorArray]:
        """Returns one array for a dense result; for a ragged one, arrays of the flat values and all row lengths."""
        element_type = self._kind
        is_ragged = isinstance(element_type, RaggedTensorType)
        types = [element_type]
        if is_ragged:
            types = [
                element_type.dtype,
                *[element_type.row_splits_dtype] * element_type.ragged_rank,
            ]
        return [
            TensorArray(t, size=self._count, infer_shape=self._infer_shape and not is_ragged)
            for t in map(dtypes.as_dtype, types)
        ]

    def parts(self, value: Any) -> list[Tensor]:
        """Returns the elements that the result of a row adds to the arrays."""
        element_type = self._kind
        if not isinstance(element_type, RaggedTensorType):
            return [ops.convert_to_tensor(value)]
        value = tensor_or_ragged(value)
        lengths = value.nested_row_lengths() if isinstance(value, RaggedTensor) else ()
        if element_type.ragged_rank != len(lengths) + 1:
            raise ValueError(
                f"The declared ragged rank ({element_type.ragged_rank}) mismatches the result ({len(lengths) + 1})"
            )
        if element_type.dtype != value.dtype:
            raise ValueError(
                f"The declared dtype ({element_type.dtype}) mismatches the result ({value.dtype})"
            )
        if not lengths:
            return [value, ops.shape(value, out_type=element_type.row_splits_dtype)[0]]
        rows = value.nrows(out_type=element_type.row_splits_dtype)
        return [
            value.flat_values,
            rows,
            *(ops.cast(n, element_type.row_splits_dtype) for n in lengths),
        ]

    def stacked_input(self, arrays: list[TensorArray]) -> Any:
        """Returns the tensor that consists of all rows."""
        if not isinstance(self._kind, RaggedTensorType):
            return arrays[0].stack()
        values, rows, *lengths = arrays
        nested = [rows.stack(), *(length.concat() for length in lengths)]
        return RaggedTensor.from_nested_row_lengths(values.concat(), nested, validate=False)
