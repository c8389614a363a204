"""`Dataset`, the base class, with a method for each kind of dataset."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.read_only import read_only
from tfmini._src.data import dataset_nest, registry
from tfmini._src.data.dataset_spec import DatasetSpec
from tfmini._src.data.element_spec import flat_shapes, flat_types, legacy_shapes, legacy_types
from tfmini._src.data.options import Options
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.trackable import Trackable

AnyDataset = TypeVar("AnyDataset", bound="DatasetV2")

AUTOTUNE = -1


class DatasetV2(Trackable):
    """Base class of all datasets; `tf.data.Dataset` is its subclass `DatasetV1`.

    Args:
      variant_tensor: the handle, a scalar tensor of dtype variant.
    """

    _variant_tensor: Any = read_only(attribute="_variant")

    def __init__(self, variant_tensor: Tensor):
        self._variant = variant_tensor
        self._variant_tracker = self._track_trackable(Trackable(), "_variant_tracker")
        self._graph = get_default_graph()

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def _to_components(self) -> Tensor:
        handle: Tensor = self._variant_tensor
        return handle

    def _inputs(self) -> list[DatasetV2]:
        """Returns the input datasets."""
        raise NotImplementedError("Dataset._inputs")

    def _functions(self) -> list[Any]:
        """Returns the functions called per element."""
        return []

    @property
    def element_spec(self) -> Any:
        """The TypeSpecs of an element's components, in the structure of an element."""
        raise NotImplementedError("Dataset.element_spec")

    @property
    def _flat_structure(self) -> dict[str, Any]:
        return {
            "output_shapes": flat_shapes(self.element_spec),
            "output_types": flat_types(self.element_spec),
        }

    def __repr__(self) -> str:
        shapes = str(dataset_nest.map_structure(str, legacy_shapes(self.element_spec)))
        types = str(dataset_nest.map_structure(repr, legacy_types(self.element_spec)))
        name = type(self).__name__
        return f"<{name} shapes: {shapes}, types: {types}>".replace("'", "")

    def __iter__(self) -> Any:
        if executing_eagerly() or get_default_graph().building_function:
            return registry.create("OwnedIterator", self)
        raise add_hint(
            RuntimeError(
                "__iter__() is only supported inside of tf.function or when eager execution is enabled."
            ),
            "in graph mode, build `element = tf.data.make_one_shot_iterator(dataset).get_next()` once, then call "
            "session.run(element) until it raises tf.errors.OutOfRangeError.",
        )

    def _wrap(self, dataset: DatasetV2) -> Any:
        """Wraps a dataset returned by a method of this class."""
        return dataset

    # Options -------------------------------------------------------------------------------------

    def options(self) -> Options:
        """Returns the merged options of this dataset and its inputs."""
        options = Options()
        for dataset in self._inputs():
            options = options.merge(dataset.options())
        return options

    def with_options(self: AnyDataset, options: Options) -> AnyDataset:
        """Sets additional options.

        Raises:
          ValueError: if an option is already set to a different value.
        """
        return self._wrap(registry.create("_OptionsDataset", self, options))

    def _has_captured_ref(self) -> bool:
        if executing_eagerly():
            return False
        for function in self._functions():
            if any(_depends_on_reference(t) for t in function.function.captured_inputs):
                return True
        return any(dataset._has_captured_ref() for dataset in self._inputs())

    def _apply_options(self) -> DatasetV2:
        """Returns the dataset with its options applied, for an iterator."""
        options = self.options()
        dataset: Any = self
        threading = options.experimental_threading
        if threading is not None and threading.max_intra_op_parallelism is not None:
            dataset = registry.create(
                "_MaxIntraOpParallelismDataset", dataset, threading.max_intra_op_parallelism
            )
        if threading is not None and threading.private_threadpool_size is not None:
            dataset = registry.create(
                "_PrivateThreadPoolDataset", dataset, threading.private_threadpool_size
            )
        rewrites = options._static_optimizations()
        if rewrites and self._has_captured_ref():
            warnings.warn(
                "tf.data static optimizations are not compatible with tf.Variable. The following optimizations will be "
                f"disabled: {', '.join(rewrites)}. To enable optimizations, use resource variables instead by calling "
                "`tf.enable_resource_variables()` at the start of the program.",
                stacklevel=2,
            )
        elif rewrites:
            configs = options._static_optimization_configs()
            dataset = registry.create("_OptimizeDataset", dataset, rewrites, configs)
        tuning = options.experimental_optimization
        if tuning.autotune is not False:
            settings = tuning.autotune_algorithm or 0, tuning.autotune_cpu_budget or 0
            dataset = registry.create("_ModelDataset", dataset, *settings)
        stats = options.experimental_stats
        if stats is not None and stats.aggregator is not None:
            statistics = stats.aggregator, stats.prefix, stats.counter_prefix
            dataset = registry.create("_SetStatsAggregatorDataset", dataset, *statistics)
        return dataset

    # Sources -------------------------------------------------------------------------------------

    @staticmethod
    def from_tensors(tensors: object) -> DatasetV2:
        """Returns a dataset with a single element.

        Args:
          tensors: the element: a tensor, SparseTensor, dataset or value convertible to a tensor, or a tuple or dict of
            these.
        """
        return registry.create("TensorDataset", tensors)

    @staticmethod
    def from_tensor_slices(tensors: object) -> DatasetV2:
        """Returns a dataset of the rows of tensors.

        Args:
          tensors: a tensor or SparseTensor of rank 1 or more, or a tuple or dict of these, all with the same
            number of rows. Arrays become constants of the graph.

        Raises:
          ValueError: for a scalar, or different numbers of rows.
          InvalidArgumentError: at run time, for different numbers of rows.

        Example: `tf.data.Dataset.from_tensor_slices({"x": images, "y": labels})`.
        """
        return registry.create("TensorSliceDataset", tensors)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: object,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
    ) -> DatasetV2:
        """Returns a dataset of the elements yielded by a Python generator.

        Args:
          generator: function of the values of `args` that returns an iterable; called once per pass.
          output_types: component dtypes, in the structure of an element.
          output_shapes: static component shapes; by default unknown.
          args: tensors, passed to the generator as arrays.

        Raises:
          TypeError: if `generator` is not callable.
          InvalidArgumentError: at run time, for an element of a different structure, dtype or shape, and for
            TypeError or ValueError raised by the generator.
        """
        return registry.create("from_generator", generator, output_types, output_shapes, args)

    @staticmethod
    def range(*args: Any) -> DatasetV2:
        """Returns a dataset of int64 scalars; the arguments are as in Python's `range`, numbers or scalar tensors.

        Raises:
          ValueError: for fewer than one or more than three arguments.
        """
        return registry.create("RangeDataset", *args)

    @staticmethod
    def zip(datasets: Any) -> DatasetV2:
        """Zips datasets: each element combines one element of each dataset, until the shortest dataset ends.

        Args:
          datasets: a possibly nested tuple or dict of datasets, which determines the structure of elements.

        Raises:
          TypeError: if a leaf is not a dataset.
        """
        return registry.create("ZipDataset", datasets)

    @staticmethod
    def list_files(file_pattern: Any, shuffle: bool | None = None, seed: Any = None) -> DatasetV2:
        """Returns a dataset of the file paths that match patterns.

        Args:
          file_pattern: one or more patterns, as strings or a tensor.
          shuffle: whether to shuffle (the default) rather than sort by name.
          seed: seed of the shuffle.

        Raises:
          InvalidArgumentError: at run time, if no file matches.
        """
        with name_scope("list_files"):
            patterns = ops.convert_to_tensor(file_pattern, dtypes.string, name="file_pattern")
            files = raw.MatchingFiles(patterns)
            has_files = ops.greater(ops.shape(files)[0], 0, name="match_not_empty")
            text = ops.add(
                "No files matched pattern: ",
                ops.reduce_join(patterns, separator=", "),
                name="message",
            )
            check = ops.Assert(has_files, [text], summarize=1, name="assert_not_empty")
            with control_dependencies([check]):
                files = ops.identity(files)
            dataset = registry.base().from_tensor_slices(files)
            if shuffle is None or shuffle:
                size = ops.maximum(ops.shape(files, out_type=dtypes.int64)[0], 1)
                dataset = dataset.shuffle(size, seed=seed)
            return dataset

    # Transformations -----------------------------------------------------------------------------

    def concatenate(self: AnyDataset, dataset: DatasetV2) -> AnyDataset:
        """Appends another dataset of the same structure; raises TypeError if types or classes differ."""
        return self._wrap(registry.create("ConcatenateDataset", self, dataset))

    def prefetch(self: AnyDataset, buffer_size: TensorLike) -> AnyDataset:
        """Prefetches up to `buffer_size` elements in a background thread.

        Args:
          buffer_size: an int64 scalar; `tf.data.experimental.AUTOTUNE` or None to choose it automatically.
        """
        return self._wrap(registry.create("PrefetchDataset", self, buffer_size))

    def repeat(self: AnyDataset, count: TensorLike | None = None) -> AnyDataset:
        """Repeats the elements `count` times, an int64 scalar; None or -1 for no limit."""
        return self._wrap(registry.create("RepeatDataset", self, count))

    def enumerate(self: AnyDataset, start: Any = 0) -> AnyDataset:
        """Returns pairs (index, element), with int64 indices from `start`."""
        base = registry.base()
        return base.zip((base.range(start, np.iinfo(np.int64).max), self))

    def shuffle(
        self: AnyDataset,
        buffer_size: TensorLike,
        seed: TensorLike | None = None,
        reshuffle_each_iteration: bool | None = None,
    ) -> AnyDataset:
        """Shuffles elements by drawing each at random from a buffer of the next `buffer_size` elements.

        Args:
          buffer_size: an int64 scalar; a full shuffle requires the number of elements in the dataset.
          seed: an int64 scalar, combined with the seed of the graph.
          reshuffle_each_iteration: whether each iteration has a new order.
        """
        return self._wrap(
            registry.create("ShuffleDataset", self, buffer_size, seed, reshuffle_each_iteration)
        )

    def cache(self: AnyDataset, filename: TensorLike = "") -> AnyDataset:
        """Caches the elements in memory or files during the first complete pass, for later passes.

        Args:
          filename: path prefix of the cache files; "" caches in memory.
        """
        return self._wrap(registry.create("CacheDataset", self, filename))

    def take(self: AnyDataset, count: TensorLike) -> AnyDataset:
        """Returns the first `count` elements, an int64 scalar; -1 for all."""
        return self._wrap(registry.create("TakeDataset", self, count))

    def skip(self: AnyDataset, count: TensorLike) -> AnyDataset:
        """Skips the first `count` elements, an int64 scalar; -1 skips all."""
        return self._wrap(registry.create("SkipDataset", self, count))

    def shard(self: AnyDataset, num_shards: TensorLike, index: TensorLike) -> AnyDataset:
        """Returns the elements whose position modulo `num_shards` is `index`.

        Raises:
          InvalidArgumentError: at run time, if `num_shards` or `index` is out of range.
        """
        return self._wrap(registry.create("ShardDataset", self, num_shards, index))

    def batch(
        self: AnyDataset, batch_size: TensorLike, drop_remainder: TensorLike = False
    ) -> AnyDataset:
        """Stacks elements into batches along a new first axis.

        Args:
          batch_size: number of elements per batch, an int64 scalar.
          drop_remainder: whether to drop a smaller last batch.

        Raises:
          InvalidArgumentError: at run time, if element shapes differ.
        """
        return self._wrap(registry.create("BatchDataset", self, batch_size, drop_remainder))

    def padded_batch(
        self: AnyDataset,
        batch_size: TensorLike,
        padded_shapes: object,
        padding_values: object = None,
        drop_remainder: TensorLike = False,
    ) -> AnyDataset:
        """Batches elements after padding them to the same shape.

        Args:
          batch_size: number of elements per batch, an int64 scalar.
          padded_shapes: padded shape of each component; unknown dimensions become the batch's maximum.
          padding_values: a scalar per component; by default 0 or "".
          drop_remainder: whether to drop a smaller last batch.

        Raises:
          ValueError: for incompatible shapes or values.
          DataLossError: at run time, for a larger element.
        """
        return self._wrap(
            registry.create(
                "PaddedBatchDataset",
                self,
                batch_size,
                padded_shapes,
                padding_values,
                drop_remainder,
            )
        )

    def map(
        self: AnyDataset, map_func: Callable[..., Any], num_parallel_calls: TensorLike | None = None
    ) -> AnyDataset:
        """Applies `map_func` to each element, in order.

        Args:
          map_func: a function of an element, or of its components if it is a tuple; traced once.
          num_parallel_calls: number of elements processed in parallel, an int32 scalar.

        Raises:
          TypeError: if `map_func` returns an unsupported type.
        """
        if num_parallel_calls is None:
            mapped = registry.create("MapDataset", self, map_func, preserve_cardinality=True)
        else:
            mapped = registry.create(
                "ParallelMapDataset",
                self,
                map_func,
                num_parallel_calls,
                preserve_cardinality=True,
            )
        return self._wrap(mapped)

    def flat_map(self: AnyDataset, map_func: Callable[..., Any]) -> AnyDataset:
        """Maps each element to a dataset and concatenates the results.

        Raises:
          TypeError: if `map_func` does not return a dataset.
        """
        return self._wrap(registry.create("FlatMapDataset", self, map_func))

    def interleave(
        self: AnyDataset,
        map_func: Callable[..., Any],
        cycle_length: TensorLike = AUTOTUNE,
        block_length: TensorLike = 1,
        num_parallel_calls: TensorLike | None = None,
    ) -> AnyDataset:
        """Maps each element to a dataset and interleaves the results.

        Args:
          map_func: a function from an element to a dataset.
          cycle_length: number of datasets open concurrently; -1 for the number of processors.
          block_length: number of consecutive elements per dataset.
          num_parallel_calls: number of datasets read in parallel, in threads.

        Raises:
          TypeError: if `map_func` does not return a dataset.
        """
        if num_parallel_calls is None:
            result = registry.create(
                "InterleaveDataset", self, map_func, cycle_length, block_length
            )
        else:
            result = registry.create(
                "ParallelInterleaveDataset",
                self,
                map_func,
                cycle_length,
                block_length,
                num_parallel_calls,
            )
        return self._wrap(result)

    def filter(self: AnyDataset, predicate: Callable[..., Any]) -> AnyDataset:
        """Keeps the elements for which a predicate, a scalar bool, is true.

        Raises:
          ValueError: if `predicate` does not return a scalar bool.
        """
        return self._wrap(registry.create("FilterDataset", self, predicate))

    def apply(self, transformation_func: Callable[..., Any]) -> Any:
        """Applies a transformation function to this dataset.

        Raises:
          TypeError: if the function does not return a dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        return self._wrap(dataset)

    def window(
        self: AnyDataset,
        size: TensorLike,
        shift: TensorLike | None = None,
        stride: TensorLike = 1,
        drop_remainder: TensorLike = False,
    ) -> AnyDataset:
        """Groups consecutive elements into windows, which are datasets (one per component).

        Args:
          size: number of elements per window.
          shift: distance between the starts of windows; by default `size`.
          stride: distance between the elements of a window.
          drop_remainder: whether to drop smaller windows at the end.
        """
        shift = size if shift is None else shift
        return self._wrap(
            registry.create("WindowDataset", self, size, shift, stride, drop_remainder)
        )

    def reduce(self, initial_state: object, reduce_func: Callable[..., Any]) -> Any:
        """Folds the elements: returns the final state of `reduce_func(state, element)`, starting from `initial_state`.

        Returns:
          Tensors, in the structure of the state.

        Raises:
          TypeError: if `reduce_func` changes the structure or dtypes of the state.
        """
        return registry.create("reduce", self, initial_state, reduce_func)

    def unbatch(self: AnyDataset) -> AnyDataset:
        """Splits elements into rows, each of which becomes an element.

        Raises:
          ValueError: if a component is a scalar, or components have different numbers of rows.
        """
        return registry.create("unbatch", self)


# The argument of `Dataset.apply`.
Transformation = Callable[[DatasetV2], Any]


def _depends_on_reference(tensor: Any) -> bool:
    return tensor.dtype._is_ref_dtype or any(map(_depends_on_reference, tensor.op.inputs))
