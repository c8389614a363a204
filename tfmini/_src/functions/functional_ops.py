"""Functions applied to successive rows of tensors in a loop: `map_fn`, `scan`, `foldl` and `foldr`.

Part of this package because variables created by the functions are read once, outside the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)
from tfmini._src.base.shapes import Dimension, TensorShape, dimension_value
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.while_loop import while_loop
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.variables.get_variable import get_variable_scope


@contextmanager
def _variables_read_once() -> Iterator[None]:
    """Context manager in which each variable is read only once, outside the loop."""
    if executing_eagerly():
        yield
        return
    scope = get_variable_scope()
    if scope.caching_device is not None:
        yield
        return
    scope.set_caching_device(lambda op: op.device)
    try:
        yield
    finally:
        scope.set_caching_device(None)


class _ElementStructure:
    """The structure of elements: a nested structure, or a single value."""

    def __init__(self, structure: Any):
        self.structure = structure
        self.is_nested = is_sequence(structure)

    def flat(self, value: Any) -> list:
        return flatten(value) if self.is_nested else [value]

    def pack(self, leaves: list) -> Any:
        return pack_sequence_as(self.structure, leaves) if self.is_nested else leaves[0]


def _set_rows(results: list[Tensor], elems: list[Tensor]) -> None:
    """Sets the number of result rows to the row count of `elems`, all of which must agree."""
    rows = [Dimension(dimension_value(elem.shape.with_rank_at_least(1)[0])) for elem in elems]
    for other in rows[1:]:
        rows[0].merge_with(other)
    for result in results:
        result.set_shape(TensorShape(rows[0]).concatenate(result.shape[1:]))


@public
def map_fn(
    fn: Callable[..., Any],
    elems: TensorLike,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Applies `fn` to each row of `elems` and stacks the results.

    Args:
      fn: a function of a row, or of rows in the structure of `elems`.
      elems: a tensor of rank 1 or more, or a nested structure of tensors with equal numbers of rows.
      dtype: the dtypes of the results of `fn`, in their structure; by default the dtypes of `elems`.
      parallel_iterations: recorded in the graph, otherwise unused: rows are processed sequentially.
      back_prop: whether to support gradients.
      swap_memory: recorded in the graph, otherwise unused.
      infer_shape: whether all results have the same shape.

    Returns:
      The stacked results, with as many rows as `elems`.

    Raises:
      TypeError: if `fn` is not callable, `elems` is sparse, or the results' structure differs from `dtype`.
      ValueError: if `elems` is a scalar.

    Example: `tf.map_fn(lambda x: x * 10 + 1, tf.constant([1, 2]))` is `[11, 21]`.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, "
            "fn(input.values), input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), "
            "input.dense_shape)"
        )
    form = _ElementStructure(elems)
    output = form if dtype is None else _ElementStructure(dtype)
    with name_scope(name, "map", form.flat(elems)), _variables_read_once():
        flat = [ops.convert_to_tensor(elem, name="elem") for elem in form.flat(elems)]
        dtype = dtype or form.pack([elem.dtype for elem in flat])
        shape = flat[0].shape
        if shape.ndims == 0:
            if len(flat) == 1:
                raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
            raise ValueError("elements in elems must be 1+ dimensional Tensors, not scalars")
        count = dimension_value(shape[0]) or ops.shape(flat[0])[0]
        rows = [TensorArray(elem.dtype, count) for elem in flat]
        rows = [array.unstack(elem) for array, elem in zip(rows, flat)]
        first = ops.constant(0)
        results = [
            TensorArray(result, count, infer_shape=infer_shape) for result in output.flat(dtype)
        ]

        def compute(i: Any, results: list) -> tuple:
            values = fn(form.pack([array.read(i) for array in rows]))
            assert_same_structure(dtype or elems, values)
            results = [a.write(i, value) for a, value in zip(results, output.flat(values))]
            return i + 1, results

        _, results = while_loop(
            lambda i, _: i < count,
            compute,
            (first, results),
            parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [array.stack() for array in results]
        _set_rows(stacked, flat)
    return output.pack(stacked)


@public
def scan(
    fn: Callable[..., Any],
    elems: object,
    initializer: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the rows of `elems` with `fn` and stacks all intermediate values; also takes the arguments of `tf.foldl`.

    Args:
      infer_shape: whether all values have the same shape.
      reverse: whether to proceed from the last row to the first.

    Returns:
      The accumulated values, one row per row of `elems`, in the structure of `initializer` (by default that of
      `elems`).

    Raises:
      TypeError: if `fn` is not callable, or returns another structure.

    Example: `tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]))` is [1, 3, 6].
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    form = _ElementStructure(elems)
    result = form if initializer is None else _ElementStructure(initializer)
    with name_scope(name, "scan", form.flat(elems)), _variables_read_once():
        flat = [ops.convert_to_tensor(elem, name="elem") for elem in form.flat(elems)]
        count = dimension_value(flat[0].shape[0])
        if count is None:
            count = ops.shape(flat[0])[0]
        rows = [TensorArray(elem.dtype, count, element_shape=elem.shape[1:]) for elem in flat]
        rows = [array.unstack(elem) for array, elem in zip(rows, flat)]
        if initializer is None:
            values = [array.read(count - 1 if reverse else 0) for array in rows]
        else:
            values = [ops.convert_to_tensor(value) for value in result.flat(initializer)]
        results = [
            TensorArray(
                value.dtype,
                count,
                element_shape=value.shape if infer_shape else None,
                infer_shape=infer_shape,
            )
            for value in values
        ]
        done = 0
        if initializer is None:
            done = 1
            results = [
                array.write(count - 1 if reverse else 0, value)
                for array, value in zip(results, values)
            ]

        def compute(i: Any, values: list, results: list) -> tuple:
            row = form.pack([array.read(i) for array in rows])
            value = fn(result.pack(values), row)
            assert_same_structure(elems if initializer is None else initializer, value)
            values = result.flat(value)
            results = [array.write(i, value) for array, value in zip(results, values)]
            return (i - 1 if reverse else i + 1), values, results

        def is_inside(i: Any, _: Any, __: Any) -> Any:
            return i >= 0 if reverse else i < count

        _, _, results = while_loop(
            is_inside,
            compute,
            (count - 1 - done if reverse else done, values, results),
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [array.stack() for array in results]
        _set_rows(stacked, flat)
    return result.pack(stacked)


@public
def foldl(
    fn: Callable[..., Any],
    elems: TensorLike,
    initializer: str | Callable[..., Any] | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the rows of `elems` with `fn`, from the first to the last.

    Args:
      fn: a function of the accumulated value and a row that returns the next value.
      elems: a tensor of rank 1 or more, or a nested structure of tensors with equal numbers of rows.
      initializer: initial value, a tensor or a nested structure; by default the first row.
      parallel_iterations: recorded in the graph, otherwise unused: rows are processed sequentially.
      back_prop: whether to support gradients.
      swap_memory: recorded in the graph, otherwise unused.

    Returns:
      The value after the last row.

    Raises:
      TypeError: if `fn` is not callable.

    Example: `tf.foldl(lambda a, x: 2 * a + x, tf.constant([1, 0, 1]))` is 5.
    """
    options = (parallel_iterations, back_prop, swap_memory, name)
    return _fold("foldl", False, fn, elems, initializer, *options)


@public
@arguments_of(foldl)
def foldr(*args: Any) -> Any:
    """Folds the rows of `elems` with `fn`, from the last to the first; takes the arguments of `foldl`.

    Example: `tf.foldr(lambda a, x: 2 * a + x, tf.constant([1, 1, 0]))` is 3.
    """
    return _fold("foldr", True, *args)


def _fold(
    scope: str, backward: bool, fn: Callable, elems: Any, initializer: Any, *options: Any
) -> Any:
    parallel_iterations, back_prop, swap_memory, name = options
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with name_scope(name, scope, [elems]), _variables_read_once():
        rows, count = _unstack_elems(elems)
        value, start, stop = initializer, count, 0
        if initializer is None:
            start, stop = count - 1 if backward else count, 1
            first = start if backward else 0
            value = map_structure(lambda array: array.read(first), rows)
        if not backward:
            start = ops.constant(stop)

        def compute(i: Any, value: Any) -> list:
            position = i - 1 if backward else i
            row = map_structure(lambda array: array.read(position), rows)
            value = fn(value, row)
            return [position if backward else i + 1, value]

        return while_loop(
            lambda i, _: i > 0 if backward else i < count,
            compute,
            [start, value],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )[1]


def _unstack_elems(elems: Any) -> tuple[Any, Any]:
    """Returns TensorArrays of the rows of `elems`, in its structure, and the number of rows."""
    flat = [ops.convert_to_tensor(elem, name="elem") for elem in flatten(elems)]
    count = dimension_value(flat[0].shape[0]) or ops.shape(flat[0])[0]
    return map_structure(lambda e: TensorArray(e.dtype, count).unstack(e), elems), count
