"""Grouping by key: into windows, into buckets of similar lengths, or into one result per key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.dataset_spec import DatasetSpec
from tfmini._src.data.element_spec import flat_shapes, flat_types, legacy_shapes
from tfmini._src.data.function_datasets import state_function
from tfmini._src.data.registry import function_attr
from tfmini._src.data.structured_function import MappedFunction
from tfmini._src.data.unary_datasets import RestructuringDataset
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

_KEY = TensorSpec([], dtypes.int64)


class Reducer:
    """Reduces the elements of a group to one result.

    Args:
      init_func: `init_func(key)` returns the initial state.
      reduce_func: `reduce_func(state, element)` returns the next state.
      finalize_func: `finalize_func(state)` returns the result.
    """

    init_func: Callable = read_only("The given `init_func`.")
    reduce_func: Callable = read_only("The given `reduce_func`.")
    finalize_func: Callable = read_only("The given `finalize_func`.")

    def __init__(
        self,
        init_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ):
        self._init_func = init_func
        self._reduce_func = reduce_func
        self._finalize_func = finalize_func


def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Transformation:
    """Reduces the elements of each key to one result; returns the results at the end, in key order.

    Args:
      key_func: a function of an element that returns a scalar int64.
      reducer: a `tf.data.experimental.Reducer`.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: when applied, for an invalid key.
      TypeError: when applied, if the dtypes or classes of the state change.

    Example:
      E = tf.data.experimental
      counts = E.Reducer(lambda _: np.int64(0), lambda n, _: n + 1, lambda n: n)
      dataset.apply(E.group_by_reducer(lambda x: x % 10, counts))
    """
    return lambda dataset: _GroupByReducer(dataset, key_func, reducer)


class _GroupByReducer(RestructuringDataset):
    _name = "tf.data.experimental.group_by_reducer()"

    def __init__(self, input_dataset: DatasetV2, key_func: Callable[..., Any], reducer: Reducer):
        key = MappedFunction(key_func, self._name, input_dataset.element_spec)
        if not _is_key(key.output_structure):
            spec = key.output_structure
            raise ValueError(
                "`key_func` must return a single tf.int64 tensor. "
                f"Got type={_spec_parts(spec, 'dtype')} and shape={_spec_parts(spec, 'shape')}"
            )
        first = MappedFunction(reducer.init_func, self._name, _KEY)
        reduce, state, _ = state_function(
            input_dataset, first.output_structure, reducer.reduce_func, self._name
        )
        reduce.function.add_to_graph(library_graph())
        last = MappedFunction(reducer.finalize_func, self._name, state)
        self._mapped_functions = [key, first, reduce, last]
        spec = last.output_structure
        handle = raw.ExperimentalGroupByReducerDataset(
            input_dataset._variant_tensor,
            *(callee.function.captured_inputs for callee in self._mapped_functions),
            key_func=function_attr(key.function),
            init_func=function_attr(first.function),
            reduce_func=function_attr(reduce.function),
            finalize_func=function_attr(last.function),
            output_types=flat_types(spec),
            output_shapes=flat_shapes(spec),
        )
        super().__init__(input_dataset, spec, handle)

    def _functions(self) -> list:
        return self._mapped_functions


def _is_key(spec: Any) -> bool:
    return isinstance(spec, TensorSpec) and spec.is_compatible_with(_KEY)


def _spec_parts(spec: Any, attribute: str) -> Any:
    return dataset_nest.map_structure(lambda leaf: getattr(leaf, attribute, leaf), spec)


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: TensorLike | None = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Transformation:
    """Groups elements by key into windows, and maps each window to a dataset.

    Args:
      key_func: a function of an element that returns a scalar int64.
      reduce_func: `reduce_func(key, dataset)` returns the dataset that replaces a window.
      window_size: number of elements per window, an int64 scalar; the last window of a key may be smaller.
      window_size_func: a function from a key to the window size, instead of `window_size`.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: unless exactly one of `window_size` and `window_size_func` is given.

    Example: `dataset.apply(tf.data.experimental.group_by_window(lambda x: x % 2, lambda _, d: d.batch(5), 5))`.
    """
    if (window_size is not None and window_size_func) or not (
        window_size is not None or window_size_func
    ):
        raise ValueError("Must pass either window_size or window_size_func.")
    sizes = window_size_func
    if window_size is not None:

        def constant_window_func(unused_key: Any) -> Any:
            return ops.convert_to_tensor(window_size, dtype=dtypes.int64)

        sizes = constant_window_func
    assert sizes is not None
    return lambda dataset: _GroupByWindow(dataset, key_func, reduce_func, sizes)


class _GroupByWindow(RestructuringDataset):
    _name = "tf.data.experimental.group_by_window()"

    def __init__(
        self,
        input_dataset: DatasetV2,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        sizes: Callable[..., Any],
    ):
        input_spec = input_dataset.element_spec

        def key_func_wrapper(*args: Any) -> Any:
            return ops.convert_to_tensor(key_func(*args), dtype=dtypes.int64)

        key = MappedFunction(key_func_wrapper, self._name, input_spec)
        if not _is_key(key.output_structure):
            raise ValueError("`key_func` must return a single tf.int64 scalar tensor.")
        reduce = MappedFunction(reduce_func, self._name, (_KEY, DatasetSpec(input_spec)))
        if not isinstance(reduce.output_structure, DatasetSpec):
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        spec = reduce.output_structure._element_spec

        def window_size_func_wrapper(key: Any) -> Any:
            return ops.convert_to_tensor(sizes(key), dtype=dtypes.int64)

        size = MappedFunction(window_size_func_wrapper, self._name, _KEY)
        if not _is_key(size.output_structure):
            raise ValueError("`window_size_func` must return a single tf.int64 scalar tensor.")
        self._mapped_functions = [key, reduce, size]
        handle = raw.GroupByWindowDataset(
            input_dataset._variant_tensor,
            *(callee.function.captured_inputs for callee in self._mapped_functions),
            key_func=function_attr(key.function),
            reduce_func=function_attr(reduce.function),
            window_size_func=function_attr(size.function),
            output_types=flat_types(spec),
            output_shapes=flat_shapes(spec),
        )
        super().__init__(input_dataset, spec, handle)

    def _functions(self) -> list:
        return self._mapped_functions


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: object = None,
    padding_values: object = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """Batches elements of similar lengths, which reduces padding.

    Args:
      element_length_func: a function of an element that returns its length, a scalar int32.
      bucket_boundaries: exclusive upper bounds of the lengths in all buckets except the last.
      bucket_batch_sizes: batch size of each bucket, one more than boundaries.
      padded_shapes: as in `Dataset.padded_batch`; by default the shapes of the dataset.
      padding_values: as in `Dataset.padded_batch`.
      pad_to_bucket_boundary: whether to pad unknown dimensions to the bucket's boundary minus one instead of
        the batch's maximum; elements must then be shorter than the last boundary.
      no_padding: whether to skip padding; all elements of a batch must then have the same shape, or be
        SparseTensors.
      drop_remainder: whether to drop smaller batches at the end.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: for a mismatched number of batch sizes.

    Example:
      words.apply(tf.data.experimental.bucket_by_sequence_length(lambda w: tf.size(w), [10, 20], [64, 32, 16]))
    """
    with name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        batch_sizes = ops.constant(bucket_batch_sizes, dtype=dtypes.int64)

        def element_to_bucket_id(*args: Any) -> Any:
            length = element_length_func(*args)
            limits = np.iinfo(np.int32)
            low, high = [limits.min, *bucket_boundaries], [*bucket_boundaries, limits.max]
            is_in_bucket = ops.logical_and(ops.less_equal(low, length), ops.less(length, high))
            return ops.reduce_min(ops.where(is_in_bucket))

        def window_size_fn(bucket_id: Any) -> Any:
            return batch_sizes[bucket_id]

        def batching_fn(bucket_id: Any, grouped_dataset: Any) -> Any:
            size = window_size_fn(bucket_id)
            if no_padding:
                return grouped_dataset.batch(size, drop_remainder=drop_remainder)
            fill = None
            if pad_to_bucket_boundary:
                check = ops.assert_less(
                    bucket_id,
                    ops.constant(len(bucket_batch_sizes) - 1, dtype=dtypes.int64),
                    message="When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries).",
                )
                with control_dependencies([check]):
                    boundaries = ops.constant(bucket_boundaries, dtype=dtypes.int64)
                    fill = boundaries[bucket_id] - 1
            shapes = padded_shapes or legacy_shapes(grouped_dataset.element_spec)
            filled = dataset_nest.map_structure(lambda shape: _fill_dims(shape, fill), shapes)
            return grouped_dataset.padded_batch(
                size, filled, padding_values, drop_remainder=drop_remainder
            )

        def _apply_fn(dataset: DatasetV2) -> Any:
            return dataset.apply(
                group_by_window(element_to_bucket_id, batching_fn, window_size_func=window_size_fn)
            )

        return _apply_fn


def _fill_dims(shape: Any, fill: Any) -> list:
    dims = [dimension_value(dim) for dim in TensorShape(shape)]
    return [fill if dim is None else dim for dim in dims]
