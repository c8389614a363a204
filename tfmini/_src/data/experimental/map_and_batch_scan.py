"""Transformations that `Dataset.apply` takes: functions that give a function from dataset to dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.data import dataset_nest, registry
from tfmini._src.data.batch_shuffle_repeat import (
    Restructured,
    UnaryUnchangedStructureDataset,
    boolean,
    int64,
)
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import flat_shapes, flat_types, normalized, spec_of, to_tensors
from tfmini._src.data.map_filter_interleave import WithFunction, state_function
from tfmini._src.data.registry import attr_of
from tfmini._src.data.seeds import seed_tensors
from tfmini._src.data.text_line_tf_record import OldParallelInterleaveDataset
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops import ops, raw

_Applied = Callable[[DatasetV2], Any]


def scan(initial_state: Any, scan_func: Callable) -> _Applied:
    """Carries a state through the elements.

    Args:
      initial_state: the state before the first element.
      scan_func: `scan_func(state, element)` gives a pair of the next state and what stands in the element's place.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      TypeError: when applied, if the function gives no pair, or another kind of state.

    Example: `dataset.apply(tf.data.experimental.scan(np.int64(0), lambda s, x: (s + x, s + x)))` has running sums.
    """
    return lambda dataset: _Scan(dataset, initial_state, scan_func)


class _Scan(Restructured):
    def __init__(self, input_dataset: DatasetV2, initial_state: Any, scan_func: Callable):
        state = normalized(initial_state)
        name = "tf.data.experimental.scan()"
        self._function, spec, element = state_function(
            input_dataset, spec_of(state), scan_func, name, is_pair=True
        )
        self._function.function.add_to_graph(get_default_graph())
        handle = raw.ScanDataset(
            input_dataset._variant_tensor,
            to_tensors(spec, state),
            self._function.function.captured_inputs,
            f=attr_of(self._function.function),
            preserve_cardinality=True,
            output_shapes=flat_shapes(element),
            output_types=flat_types(element),
        )
        super().__init__(input_dataset, element, handle)

    def _functions(self) -> list:
        return [self._function]


@deprecated(
    None,
    "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by `tf.data.Dataset.repeat(count)`. Static tf.data "
    "optimizations will take care of using the fused implementation.",
)
def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> _Applied:
    """Shuffles and repeats, with one buffer for all epochs: `dataset.shuffle(...).repeat(...)`.

    Args:
      buffer_size, seed: as those of `Dataset.shuffle`.
      count: as that of `Dataset.repeat`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: _ShuffleAndRepeat(dataset, buffer_size, count, seed)


class _ShuffleAndRepeat(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, buffer_size: Any, count: Any, seed: Any):
        size = int64(buffer_size, "buffer_size")
        times = int64(-1 if count is None else count, "count")
        seeds = seed_tensors(seed)
        self._add(raw.ShuffleAndRepeatDataset, input_dataset, size, *seeds, times)


@deprecated(
    None,
    "Use `tf.data.Dataset.map(map_func, num_parallel_calls)` followed by `tf.data.Dataset.batch(batch_size, "
    "drop_remainder)`. Static tf.data optimizations will take care of using the fused implementation.",
)
def map_and_batch(
    map_func: Callable,
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> _Applied:
    """Maps and batches: `dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)`.

    Args:
      map_func: as that of `Dataset.map`.
      batch_size, drop_remainder: as those of `Dataset.batch`.
      num_parallel_batches: how many batches are worked on at once.
      num_parallel_calls: how many elements are, in place of that.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: if both numbers are given.
    """
    calls = _calls(batch_size, num_parallel_batches, num_parallel_calls)
    return lambda dataset: _MapAndBatch(dataset, map_func, batch_size, calls, drop_remainder)


def _calls(batch_size: Any, batches: Any, calls: Any) -> Any:
    if calls is None:
        return batch_size * (1 if batches is None else batches)
    if batches is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive."
        )
    return calls


@deprecated(None, "Use `tf.data.experimental.map_and_batch()")
def map_and_batch_with_legacy_function(
    map_func: Callable,
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> _Applied:
    """`map_and_batch` with a function that is built as `Defun` builds functions: conditions are Switches and Merges.

    Args:
      map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls: as those of `map_and_batch`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    calls = _calls(batch_size, num_parallel_batches, num_parallel_calls)
    return lambda dataset: _MapAndBatch(dataset, map_func, batch_size, calls, drop_remainder, True)


class _MapAndBatch(WithFunction):
    _name = "tf.data.experimental.map_and_batch()"

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable,
        batch_size: Any,
        num_parallel_calls: Any,
        drop_remainder: Any,
        use_legacy_function: bool = False,
    ):
        self._build(input_dataset, map_func, use_legacy_function)
        size = int64(batch_size, "batch_size")
        calls = int64(num_parallel_calls, "num_parallel_calls")
        drops = boolean(drop_remainder, "drop_remainder")
        known = constant_value(size) if constant_value(drops) else None
        self._spec = dataset_nest.map_structure(lambda leaf: leaf._batch(known), self._spec)
        handle = raw.MapAndBatchDataset(
            input_dataset._variant_tensor,
            self._captured(),
            size,
            calls,
            drops,
            f=self._attr(),
            preserve_cardinality=True,
            **self._flat_structure,
        )
        super().__init__(input_dataset, handle)


@deprecated(
    None,
    "Use `tf.data.Dataset.interleave(map_func, cycle_length, block_length, "
    "num_parallel_calls=tf.data.experimental.AUTOTUNE)` instead. If sloppy execution is desired, use "
    "`tf.data.Options.experimental_determinstic`.",
)
def parallel_interleave(
    map_func: Callable,
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: Any = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> _Applied:
    """Reads several of the datasets that `map_func` gives in threads, their elements in turn.

    Args:
      map_func: a function that gives a dataset for an element.
      cycle_length: how many datasets are open at once.
      block_length: how many elements in a row come of one.
      sloppy: whether the order may be another; here it is kept.
      buffer_output_elements: how many elements of each are made ahead.
      prefetch_input_elements: how many datasets TensorFlow opens ahead; noted in the graph.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: OldParallelInterleaveDataset(
        dataset,
        map_func,
        cycle_length,
        block_length,
        sloppy,
        buffer_output_elements,
        prefetch_input_elements,
    )


@deprecated(None, "Use `tf.data.Dataset.unbatch()`.")
def unbatch() -> _Applied:
    """The rows of elements: `dataset.unbatch()`, as a transformation for `Dataset.apply`."""
    return lambda dataset: dataset.unbatch()


@deprecated(None, "Use `tf.data.Dataset.enumerate()")
def enumerate_dataset(start: Any = 0) -> _Applied:
    """Pairs of a number and an element: `dataset.enumerate(start)`, as a transformation for `Dataset.apply`."""
    return lambda dataset: dataset.enumerate(start)


def counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    """A dataset of `start`, `start + step` and so on, without end.

    Args:
      start, step: scalars.
      dtype: that of the elements.
    """
    with name_scope("counter"):
        first = ops.convert_to_tensor(start, dtype=dtype, name="start")
        by = ops.convert_to_tensor(step, dtype=dtype, name="step")
        endless = registry.base().from_tensors(0).repeat(None)
        counted = endless.apply(scan(first, lambda state, _: (state + by, state)))
    return DatasetV1Adapter(counted)


counter.__name__ = "Counter"


def from_variant(variant: Any, structure: Any) -> Any:
    """The dataset of a handle.

    Args:
      variant: a scalar tensor of dtype variant.
      structure: the TypeSpecs of an element's components, in its structure.
    """
    return registry.made("_VariantDataset", variant, structure)


def to_variant(dataset: DatasetV2) -> Any:
    """The handle of a dataset, a scalar tensor of dtype variant."""
    return dataset._variant_tensor
