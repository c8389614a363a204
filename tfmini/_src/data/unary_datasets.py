"""Datasets derived from one input dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, tf2
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_spec import DatasetSpec
from tfmini._src.data.element_spec import (
    flat_shapes,
    from_legacy,
    legacy_classes,
    legacy_shapes,
    legacy_types,
)
from tfmini._src.data.registry import register_dataset
from tfmini._src.data.seeds import seed_tensors
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.static_values import get_static_value, static_shape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


def int64(value: Any, name: str) -> Any:
    """Converts an argument to an int64 tensor."""
    return ops.convert_to_tensor(value, dtype=dtypes.int64, name=name)


def as_bool_tensor(value: Any, name: str) -> Any:
    """Converts an argument to a bool tensor."""
    return ops.convert_to_tensor(value, dtype=dtypes.bool, name=name)


class UnaryDataset(DatasetV2):
    """Base class of datasets with one input dataset."""

    def __init__(self, input_dataset: DatasetV2, variant_tensor: Any):
        self._input_dataset = input_dataset
        super().__init__(variant_tensor)

    def _add(self, op: Callable, source: DatasetV2, *args: Any, **attrs: Any) -> None:
        """Adds the node, whose inputs are the handle of the source and `args`."""
        self._input_dataset = source
        super().__init__(op(source._variant_tensor, *args, **attrs, **self._flat_structure))

    def _inputs(self) -> list:
        return [self._input_dataset]


class UnaryUnchangedStructureDataset(UnaryDataset):
    """Base class of datasets whose elements have the structure of their input."""

    element_spec: Any = read_only(
        "Spec of the input dataset's elements.", "_input_dataset.element_spec"
    )


@register_dataset
class RepeatDataset(UnaryUnchangedStructureDataset):
    """Repeats the elements."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        count = int64(-1 if count is None else count, "count")
        self._add(raw.RepeatDataset, input_dataset, count)


@register_dataset
class TakeDataset(UnaryUnchangedStructureDataset):
    """A dataset of the first `count` elements."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        self._add(raw.TakeDataset, input_dataset, int64(count, "count"))


@register_dataset
class SkipDataset(UnaryUnchangedStructureDataset):
    """Skips the first `count` elements."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        self._add(raw.SkipDataset, input_dataset, int64(count, "count"))


@register_dataset
class ShardDataset(UnaryUnchangedStructureDataset):
    """A dataset of every n-th element."""

    def __init__(self, input_dataset: DatasetV2, num_shards: Any, index: Any):
        arguments = int64(num_shards, "num_shards"), int64(index, "index")
        self._add(raw.ShardDataset, input_dataset, *arguments)


def _shares_resources() -> bool:
    """Whether the iterators of a dataset share a resource and shuffle in different orders, as in TensorFlow 2."""
    return tf2.enabled() and (executing_eagerly() or get_default_graph().building_function)


@register_dataset
class ShuffleDataset(UnaryUnchangedStructureDataset):
    """Shuffles the elements."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = None,
    ):
        size = int64(buffer_size, "buffer_size")
        seeds = seed_tensors(seed)
        reshuffles = True if reshuffle_each_iteration is None else reshuffle_each_iteration
        if _shares_resources() and reshuffles:
            self._seed_generator, _ = raw.AnonymousRandomSeedGenerator(*seeds)
            self._add(raw.ShuffleDatasetV2, input_dataset, size, self._seed_generator)
            return
        self._add(
            raw.ShuffleDataset, input_dataset, size, *seeds, reshuffle_each_iteration=reshuffles
        )


@register_dataset
class PrefetchDataset(UnaryUnchangedStructureDataset):
    """Prefetches the elements."""

    def __init__(self, input_dataset: DatasetV2, buffer_size: Any, slack_period: Any = None):
        size = int64(-1 if buffer_size is None else buffer_size, "buffer_size")
        slack = {} if slack_period is None else {"slack_period": slack_period}
        self._add(raw.PrefetchDataset, input_dataset, size, **slack)


@register_dataset
class CacheDataset(UnaryUnchangedStructureDataset):
    """Caches the elements."""

    def __init__(self, input_dataset: DatasetV2, filename: Any):
        name = ops.convert_to_tensor(filename, dtype=dtypes.string, name="filename")
        if _shares_resources():
            self._cache, _ = raw.AnonymousMemoryCache()
            self._add(raw.CacheDatasetV2, input_dataset, name, self._cache)
        else:
            self._add(raw.CacheDataset, input_dataset, name)


@register_dataset
class _OptimizeDataset(UnaryUnchangedStructureDataset):
    """Applies graph rewrites to the input dataset."""

    def __init__(self, input_dataset: DatasetV2, optimizations: list, configs: list):
        names = ops.convert_to_tensor(optimizations, dtype=dtypes.string, name="optimizations")
        self._add(raw.OptimizeDataset, input_dataset, names, optimization_configs=configs)


@register_dataset
class _ModelDataset(UnaryUnchangedStructureDataset):
    """Records element times for autotuning."""

    def __init__(self, input_dataset: DatasetV2, algorithm: int, cpu_budget: int):
        self._add(raw.ModelDataset, input_dataset, algorithm=algorithm, cpu_budget=cpu_budget)


@register_dataset
class _SetStatsAggregatorDataset(UnaryUnchangedStructureDataset):
    """Reports statistics of the input pipeline to an aggregator."""

    def __init__(self, input_dataset: DatasetV2, aggregator: Any, prefix: str, counter_prefix: str):
        self._add(
            raw.SetStatsAggregatorDataset,
            input_dataset,
            aggregator._resource,
            prefix,
            counter_prefix,
        )


@register_dataset
class _MaxIntraOpParallelismDataset(UnaryUnchangedStructureDataset):
    """Limits the number of threads per op."""

    def __init__(self, input_dataset: DatasetV2, max_threads: int):
        count = int64(max_threads, "max_intra_op_parallelism")
        self._add(raw.MaxIntraOpParallelismDataset, input_dataset, count)


@register_dataset
class _PrivateThreadPoolDataset(UnaryUnchangedStructureDataset):
    """Processes the elements in a private thread pool."""

    def __init__(self, input_dataset: DatasetV2, num_threads: int):
        count = int64(num_threads, "num_threads")
        self._add(raw.PrivateThreadPoolDataset, input_dataset, count)


@register_dataset
class _OptionsDataset(UnaryUnchangedStructureDataset):
    """Sets options."""

    def __init__(self, input_dataset: DatasetV2, options: Any):
        self._options = input_dataset.options().merge(options)
        super().__init__(input_dataset, input_dataset._variant_tensor)

    def options(self) -> Any:
        """Returns the options of the input, updated with the new ones."""
        return self._options


class RestructuringDataset(UnaryDataset):
    """Base class of datasets that change the structure of elements."""

    element_spec: Any = read_only("The TypeSpecs of an element.", "_spec")

    def __init__(self, input_dataset: DatasetV2, spec: Any, variant_tensor: Any):
        self._spec = spec
        super().__init__(input_dataset, variant_tensor)


@register_dataset
class BatchDataset(RestructuringDataset):
    """Batches the elements."""

    def __init__(self, input_dataset: DatasetV2, batch_size: Any, drop_remainder: Any):
        size = int64(batch_size, "batch_size")
        drops_remainder = as_bool_tensor(drop_remainder, "drop_remainder")
        static_size = get_static_value(size) if get_static_value(drops_remainder) else None
        self._spec = dataset_nest.map_structure(
            lambda leaf: leaf._batch(static_size), input_dataset.element_spec
        )
        self._add(raw.BatchDatasetV2, input_dataset, size, drops_remainder)


@register_dataset
class PaddedBatchDataset(RestructuringDataset):
    """Pads and batches the elements."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        batch_size: Any,
        padded_shapes: Any,
        padding_values: Any,
        drop_remainder: Any,
    ):
        inputs = input_dataset.element_spec
        types, shapes, classes = legacy_types(inputs), legacy_shapes(inputs), legacy_classes(inputs)
        if any(leaf_class is SparseTensor for leaf_class in dataset_nest.flatten(classes)):
            raise TypeError("Batching of padded sparse tensors is not currently supported")
        size = int64(batch_size, "batch_size")
        if padding_values is None:
            padding_values = dataset_nest.map_structure(_zero, types)
        targets = dataset_nest.flatten_up_to(shapes, padded_shapes)
        pairs = zip(dataset_nest.flatten(shapes), targets)
        sizes = [_shape_tensor(padded, shape) for shape, padded in pairs]
        values = dataset_nest.flatten(
            dataset_nest.map_structure_up_to(shapes, _padding_tensor, padding_values, types)
        )
        drops_remainder = as_bool_tensor(drop_remainder, "drop_remainder")
        static_size = get_static_value(size) if get_static_value(drops_remainder) else None
        batched = [TensorShape([static_size]).concatenate(static_shape(s)) for s in sizes]
        spec = from_legacy(types, dataset_nest.pack_sequence_as(shapes, batched), classes)
        handle = raw.PaddedBatchDatasetV2(
            input_dataset._variant_tensor,
            size,
            sizes,
            values,
            drops_remainder,
            output_shapes=flat_shapes(spec),
        )
        super().__init__(input_dataset, spec, handle)


def _zero(dtype: dtypes.DType) -> Any:
    if dtype.base_dtype is dtypes.string:
        return ""
    if dtype.base_dtype is dtypes.variant:
        raise TypeError(
            "Unable to create padding for field of type 'variant' because t.base_type == dtypes.variant == "
            f"{dtype.base_dtype}."
        )
    return np.zeros_like(dtype.as_numpy_dtype())


def shape_vector(shape: Any, title: str = "The given shape", whose: str = "the") -> Tensor:
    """Converts a TensorShape, a value convertible to one, or a tensor to an int64 vector, -1 for unknown dimensions.

    Args:
      shape: the shape.
      title, whose: its description in errors.
    """
    try:
        static = TensorShape(shape)
        return ops.convert_to_tensor(
            [-1 if dim is None else dim for dim in static.as_list()], dtype=dtypes.int64
        )
    except (TypeError, ValueError):
        tensor = ops.convert_to_tensor(shape, preferred_dtype=dtypes.int64)
        wrong = f"{title} {shape} must be a 1-D tensor of tf.int64 values, but {whose}"
        if tensor.shape.dims is not None and len(tensor.shape.dims) != 1:
            raise ValueError(f"{wrong} shape was {tensor.shape}.") from None
        if tensor.dtype != dtypes.int64:
            raise TypeError(f"{wrong} element type was {tensor.dtype.name}.") from None
        return tensor


def _shape_tensor(padded: Any, shape: TensorShape) -> Tensor:
    """Returns a padded shape as an int64 vector, with -1 for unknown dimensions."""
    tensor = shape_vector(padded, "Padded shape", "its")
    static = static_shape(tensor)
    if not _can_pad(static, shape):
        raise ValueError(
            f"The padded shape {static} is not compatible with the corresponding input component shape {shape}."
        )
    return tensor


def _can_pad(padded: TensorShape, shape: TensorShape) -> bool:
    if padded.dims is None or shape.dims is None:
        return True
    if len(padded.dims) != len(shape.dims):
        return False
    pairs = zip(padded.as_list(), shape.as_list())
    return all(None in pair or pair[0] >= pair[1] for pair in pairs)


def _padding_tensor(value: Any, dtype: dtypes.DType) -> Any:
    tensor = ops.convert_to_tensor(value, name="padding_value")
    if not tensor.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {tensor}")
    if tensor.dtype != dtype:
        raise TypeError(f"Padding value tensor ({tensor}) does not match output type: {dtype}")
    return tensor


@register_dataset
class WindowDataset(RestructuringDataset):
    """Groups consecutive elements into datasets."""

    def __init__(
        self, input_dataset: DatasetV2, size: Any, shift: Any, stride: Any, drop_remainder: Any
    ):
        settings = int64(size, "size"), int64(shift, "shift"), int64(stride, "stride")
        drops_remainder = as_bool_tensor(drop_remainder, "drop_remainder")
        self._spec = dataset_nest.map_structure(DatasetSpec, input_dataset.element_spec)
        self._add(raw.WindowDataset, input_dataset, *settings, drops_remainder)
