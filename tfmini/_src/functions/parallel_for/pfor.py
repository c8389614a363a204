"""`pfor`, `for_loop` and `tf.vectorized_map`: apply a function to several indices, or to each row of tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.flags.flag_values import FLAGS
from tfmini._src.base.flags.tensorflow_flags import FALLS_BACK
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.parallel_for import (  # noqa: F401  importing them fills the converter table
    array_converters,
    bias_converters,
    exit_converter,
    math_converters,
    random_converters,
    tensor_array_converters,
)
from tfmini._src.functions.parallel_for.conversion import Conversion, Value
from tfmini._src.functions.parallel_for.converters import loop_over
from tfmini._src.functions.tf_function import defun
from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.while_loop import while_loop
from tfmini._src.ops.lists.tensor_array import TensorArray

PFOR_CONFIG_ARG = "pfor_config"


class PForConfig:
    """Cross-iteration operations for a function called by `pfor`: sums, means and stacks of its tensors."""

    def __init__(self) -> None:
        self._iters: Any = None
        self._reductions: dict[Tensor, Tensor] = {}

    def reduce_concat(self, x: Tensor) -> Tensor:
        """Returns the values of a tensor in all iterations, stacked."""
        for placeholder, reduced in self._reductions.items():
            if reduced is x:
                return placeholder
        size = constant_value(ops.convert_to_tensor(self._iters))
        shape = TensorShape([None if size is None else int(size)]).concatenate(x.shape)
        with control_dependencies([x]):
            placeholder = ops.placeholder(x.dtype, shape)
        self._reductions[placeholder] = x
        return placeholder

    def reduce_mean(self, x: Tensor) -> Tensor:
        """Returns the mean of a tensor over the iterations."""
        return ops.reduce_mean(self.reduce_concat(x), 0)

    def reduce_sum(self, x: Tensor) -> Tensor:
        """Returns the sum of a tensor over the iterations."""
        return ops.reduce_sum(self.reduce_concat(x), 0)


def for_loop(
    loop_fn: Callable, loop_fn_dtypes: Any, iters: Any, parallel_iterations: int | None = None
) -> Any:
    """Calls a function for each index in a `tf.while_loop` and stacks the results.

    Args:
      loop_fn: takes the index, an int32 scalar; returns a nested structure of tensors.
      loop_fn_dtypes: the dtypes of its results, in their structure.
      iters: number of iterations.
      parallel_iterations: number of parallel iterations of the loop.

    Returns:
      The structure, each tensor with a new leading dimension.
    """
    expected = flatten(loop_fn_dtypes)
    missing: list[bool] = []

    def body(index: Any, *rows: Any) -> Any:
        outputs = flatten(loop_fn(index))
        if len(outputs) != len(expected):
            raise ValueError(
                f"Number of expected outputs, {len(expected)}, does not match the number of actual outputs, "
                f"{len(outputs)}, from loop_fn"
            )
        missing[:] = [output is None for output in outputs]
        result = [
            row if output is None else row.write(index, ops.expand_dims(output, 0))
            for row, output in zip(rows, outputs)
        ]
        return (index + 1, *result)

    rows = [TensorArray(dtype.base_dtype, iters) for dtype in expected]
    result = while_loop(
        lambda index, *_: index < iters,
        body,
        [0, *rows],
        parallel_iterations=10 if parallel_iterations is None else parallel_iterations,
    )[1:]
    results = [None if is_none else row.concat() for row, is_none in zip(result, missing)]
    return pack_sequence_as(loop_fn_dtypes, results) if results else None


def pfor(loop_fn: Callable, iters: Any, parallel_iterations: int | None = None) -> Any:
    """Vectorized `for_loop`: ops compute all iterations at once.

    Iterations must be independent; conditions must not differ between them.

    Args:
      loop_fn: takes the iteration index, an int32 scalar, and optionally a `pfor_config`; returns a nested structure of
        tensors and of operations without outputs.
      iters: number of iterations.
      parallel_iterations: number of iterations to vectorize at once, more than one; by default all.

    Returns:
      The structure, each tensor with a new leading dimension.

    Raises:
      ValueError: for an op without a converter, or too few `parallel_iterations`.

    Example: `pfor(lambda i: tf.gather(x, i) ** 2, 10)`.
    """

    def compute() -> Any:
        return _pfor(loop_fn, iters, parallel_iterations)

    return defun(compute)() if executing_eagerly() else compute()


def vectorized_map(fn: Callable[..., Any], elems: TensorLike) -> Any:
    """Vectorized `tf.map_fn`: ops compute all rows at once.

    Args:
      fn: takes a row of `elems`, in their structure; returns a nested structure of tensors.
      elems: a tensor or a nested structure of tensors with rows as their first dimension.

    Returns:
      The structure that `fn` returns, each tensor with rows as its first dimension.

    Raises:
      ValueError: for an op without a converter.

    Example: `tf.vectorized_map(lambda a: tf.tensordot(a, a, 0), tf.ones([2, 1]))` is [[[1.0]], [[1.0]]].
    """
    elems = map_structure(ops.convert_to_tensor, elems)

    def row(index: Tensor) -> Any:
        return fn(map_structure(lambda tensor: ops.gather(tensor, index), elems))

    return pfor(row, ops.shape(flatten(elems)[0])[0])


def _takes_config(loop_fn: Any) -> bool:
    if isinstance(loop_fn, functools.partial):
        inner = inspect.signature(loop_fn.func).parameters
        return PFOR_CONFIG_ARG in inner and PFOR_CONFIG_ARG not in loop_fn.keywords
    return PFOR_CONFIG_ARG in inspect.signature(loop_fn).parameters


def _pfor(loop_fn: Callable, iters: Any, chunk_size: int | None) -> Any:
    takes_config = _takes_config(loop_fn)
    graph = get_default_graph()
    op_count = len(graph.get_operations())
    with name_scope("loop_body"):
        index = ops.placeholder(dtypes.int32, shape=[])
        config = PForConfig()
        config._iters = iters
        outputs = loop_fn(index, **({PFOR_CONFIG_ARG: config} if takes_config else {}))
    results = [_as_result(output) for output in flatten(outputs)]
    operations = graph.get_operations()[op_count:]
    iters = ops.convert_to_tensor(iters)
    if chunk_size is not None:
        if chunk_size < 1:
            raise ValueError("parallel_iterations must be None or a positive integer")
        if chunk_size == 1:
            raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
        size = constant_value(iters)
        if size is None or size >= chunk_size:
            if config._reductions:
                raise ValueError(
                    "Setting parallel_iterations currently unsupported if reductions across iterations are performed."
                )
            result = _run_in_chunks(
                loop_fn, index, operations, results, iters, chunk_size, takes_config
            )
            return pack_sequence_as(outputs, result)
    with name_scope("pfor"):
        result = _convert_results(index, iters, operations, results, config._reductions)
        return pack_sequence_as(outputs, result)


def _convert_results(
    index: Tensor,
    iters: Any,
    operations: list[Operation],
    results: list[Any],
    reductions: dict[Tensor, Tensor] | None = None,
) -> list[Any]:
    indices = ops.range(iters)
    fallback = loop_over if FLAGS[FALLS_BACK].value else None
    conversion = Conversion(
        ops.reshape(iters, [1]),
        indices,
        operations,
        {index: Value(indices, True)},
        fallback,
        reductions,
    )
    return [conversion.convert(result) for result in results]


def _as_result(value: Any) -> Any:
    if value is None or isinstance(value, Operation | Tensor | SparseTensor):
        return value
    if isinstance(value, IndexedSlices):
        logs.warning(
            "Converting %s to a dense representation may make it slow. Alternatively, output the indices and values of "
            "the IndexedSlices separately, and handle the vectorized outputs directly.",
            value,
        )
    return ops.convert_to_tensor(value)


def _run_in_chunks(
    loop_fn: Callable,
    index: Tensor,
    operations: list[Operation],
    results: list[Any],
    iters: Tensor,
    chunk_size: int,
    takes_config: bool,
) -> list[Any]:
    """Vectorizes the iterations that do not fill a chunk, then the chunks one by one, in a loop."""
    chunks, remainder = iters // chunk_size, iters % chunk_size
    with name_scope("pfor_untiled"):
        first = _convert_results(index, remainder, operations, results)

    def chunk(j: Tensor) -> Any:
        offset = j * chunk_size + remainder

        def compute_chunk(i: Tensor, pfor_config: Any = None) -> Any:
            options = {PFOR_CONFIG_ARG: pfor_config} if takes_config else {}
            return flatten(loop_fn(i + offset, **options))

        def compute_without_config(i: Tensor) -> Any:
            return compute_chunk(i)

        return _pfor(compute_chunk if takes_config else compute_without_config, chunk_size, None)

    with name_scope("pfor_tiled"):
        result_dtypes = [ops.convert_to_tensor(leaf).dtype for leaf in results]
        result = for_loop(chunk, result_dtypes, chunks, parallel_iterations=1)
        chunked = [_merge_chunks(leaf) for leaf in result]
    with name_scope("pfor"):
        size = constant_value(iters)
        if size is not None and size % chunk_size == 0:
            return chunked
        joined = ops.cond(
            ops.equal(remainder, 0),
            lambda: chunked,
            lambda: [ops.concat(pair, 0) for pair in zip(first, chunked)],
        )
        return flatten(joined)


def _merge_chunks(tensor: Tensor) -> Tensor:
    sizes = ops.shape(tensor)
    reshaped: Tensor = ops.reshape(tensor, ops.concat([[sizes[0] * sizes[1]], sizes[2:]], 0))
    return reshaped
