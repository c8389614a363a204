"""`tf.data.Dataset`, the base class with methods that create iterators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.data import registry
from tfmini._src.data.dataset import AnyDataset, DatasetV2
from tfmini._src.data.element_spec import legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.iterator import Iterator
from tfmini._src.data.options import Options
from tfmini._src.data.owned_iterator import OwnedIterator
from tfmini._src.functions.defun import Defun
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.seeds import get_seed, set_random_seed
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.ops import raw

if TYPE_CHECKING:
    from tfmini._src.data.iterator_base import IteratorBase
    from tfmini._src.graph.composite_values import SparseTensor


def handle_ops(dataset: DatasetV2) -> list[Any]:
    """Returns the operations that create the handles of `dataset` and its inputs."""
    ops = reachable_from(
        [dataset._variant_tensor.op], lambda op: [tensor.op for tensor in op.inputs]
    )
    return [op for op in ops if op.outputs and op.outputs[0].dtype is dtypes.variant]


@registry.register_dataset
class DatasetV1(DatasetV2):
    """A sequence of elements of the same structure (tensors, or tuples and dicts of tensors), read by an iterator.

    A dataset is a graph node; data is read only when an iterator runs.

    Example:
      dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).repeat().batch(32)
      batch = dataset.make_one_shot_iterator().get_next()
    """

    def __init__(self) -> None:
        super().__init__(self._as_variant_tensor())

    def _as_variant_tensor(self) -> Any:
        raise NotImplementedError("Dataset._as_variant_tensor")

    def _wrap(self, dataset: DatasetV2) -> Any:
        return DatasetV1Adapter(dataset)

    @deprecated(
        None,
        "Use `for ... in dataset:` to iterate over a dataset. If using `tf.estimator`, return the `Dataset` object "
        "directly from your input function. As a last resort, you can use "
        "`tf.compat.v1.data.make_one_shot_iterator(dataset)`.",
    )
    def make_one_shot_iterator(self) -> Iterator:
        """Returns an iterator for a single pass, without explicit initialization.

        Raises:
          ValueError: if the dataset uses stateful resources, such as a variable or a table.
        """
        return self._make_one_shot_iterator()

    def _make_one_shot_iterator(self) -> Any:
        if executing_eagerly():
            return OwnedIterator(self)
        _warn_graph_mismatch(self)
        stateful = set(handle_ops(self))
        graph_seed, op_seed = get_seed(None)

        @Defun(capture_by_value=True, whitelisted_stateful_ops=stateful)
        def _make_dataset() -> Any:
            """Factory function for a dataset."""  # TensorFlow's description, as in the FunctionDef
            if graph_seed is not None and op_seed is not None:
                set_random_seed((graph_seed + 87654321 * op_seed) % (2**63 - 1))
            return self._apply_options()._variant_tensor

        try:
            _make_dataset.add_to_graph(library_graph())
        except ValueError as error:
            if "Cannot capture a stateful node" not in str(error):
                raise
            raise ValueError(
                "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not "
                "support datasets that capture stateful objects, such as a `Variable` or `LookupTable`. In these "
                f"cases, use `Dataset.make_initializable_iterator()`. (Original error: {error})"
            ) from None
        handle = raw.OneShotIterator(
            dataset_factory=registry.function_attr(_make_dataset), **self._flat_structure
        )
        return self._iterator(handle, None)

    def _iterator(self, handle: Any, initializer: Any) -> Iterator:
        spec = self.element_spec
        return Iterator(
            handle, initializer, legacy_types(spec), legacy_shapes(spec), legacy_classes(spec)
        )

    @deprecated(
        None,
        "Use `for ... in dataset:` to iterate over a dataset. If using `tf.estimator`, return the `Dataset` object "
        "directly from your input function. As a last resort, you can use "
        "`tf.compat.v1.data.make_initializable_iterator(dataset)`.",
    )
    def make_initializable_iterator(self, shared_name: str | None = None) -> Iterator:
        """Returns an iterator that starts, or restarts, when its `initializer` runs.

        Args:
          shared_name: name under which the sessions of a server share the iterator.
        """
        return self._make_initializable_iterator(shared_name)

    def _make_initializable_iterator(self, shared_name: str | None = None) -> Iterator:
        if executing_eagerly():
            raise RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager execution is enabled."
            )
        _warn_graph_mismatch(self)
        dataset = self._apply_options()
        handle = raw.IteratorV2(container="", shared_name=shared_name or "", **self._flat_structure)
        with colocate_with(handle):
            initializer = raw.MakeIterator(dataset._variant_tensor, handle)
        return self._iterator(handle, initializer)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(dataset)`.")
    def output_classes(self) -> Any:
        """The classes of components, in the structure of an element."""
        return legacy_classes(self.element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(dataset)`.")
    def output_shapes(self) -> Any:
        """The static shapes of components, in the structure of an element."""
        return legacy_shapes(self.element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(dataset)`.")
    def output_types(self) -> Any:
        """The dtypes of components, in the structure of an element."""
        return legacy_types(self.element_spec)

    @staticmethod
    def from_tensors(tensors: object) -> DatasetV1:
        return DatasetV1Adapter(DatasetV2.from_tensors(tensors))

    @staticmethod
    def from_tensor_slices(tensors: object) -> DatasetV1:
        return DatasetV1Adapter(DatasetV2.from_tensor_slices(tensors))

    @staticmethod
    @deprecated(None, "Use `tf.data.Dataset.from_tensor_slices()`.")
    def from_sparse_tensor_slices(sparse_tensor: SparseTensor) -> DatasetV1:
        """Returns a dataset of the rows of a SparseTensor, each as (indices, values, dense_shape).

        Raises:
          TypeError: if the argument is not a SparseTensor.
        """
        return DatasetV1Adapter(registry.create("SparseTensorSliceDataset", sparse_tensor))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: object,
        output_shapes: object = None,
        args: Sequence[TensorLike] | None = None,
    ) -> DatasetV1:
        return DatasetV1Adapter(
            DatasetV2.from_generator(generator, output_types, output_shapes, args)
        )

    @staticmethod
    def range(*args: Any) -> DatasetV1:
        return DatasetV1Adapter(DatasetV2.range(*args))

    @staticmethod
    def zip(datasets: Any) -> DatasetV1:
        return DatasetV1Adapter(DatasetV2.zip(datasets))

    @staticmethod
    def list_files(
        file_pattern: TensorLike, shuffle: bool | None = None, seed: TensorLike | None = None
    ) -> DatasetV1:
        return DatasetV1Adapter(DatasetV2.list_files(file_pattern, shuffle, seed))

    def map(
        self: AnyDataset, map_func: Callable[..., Any], num_parallel_calls: TensorLike | None = None
    ) -> AnyDataset:
        if num_parallel_calls is None:
            return self._wrap(registry.create("MapDataset", self, map_func))
        return self._wrap(registry.create("ParallelMapDataset", self, map_func, num_parallel_calls))

    @deprecated(None, "Use `tf.data.Dataset.map()")
    def map_with_legacy_function(
        self: AnyDataset, map_func: Callable[..., Any], num_parallel_calls: TensorLike | None = None
    ) -> AnyDataset:
        """Same as `map`, with a function built by `Defun`, whose conditionals are Switch and Merge nodes."""
        settings = {"use_legacy_function": True}
        if num_parallel_calls is None:
            mapped = registry.create("MapDataset", self, map_func, **settings)
        else:
            mapped = registry.create(
                "ParallelMapDataset", self, map_func, num_parallel_calls, **settings
            )
        return self._wrap(mapped)

    @deprecated(None, "Use `tf.data.Dataset.filter()")
    def filter_with_legacy_function(self: AnyDataset, predicate: Callable[..., Any]) -> AnyDataset:
        """Same as `filter`, with a function built by `Defun`."""
        return registry.create("FilterDataset", self, predicate, use_legacy_function=True)


def _warn_graph_mismatch(dataset: DatasetV2) -> None:
    current = get_default_graph()
    pending, visited = [dataset], []
    while pending:
        item = pending.pop(0)
        visited.append(item)
        if item._graph is not current:
            logs.warning(
                f"The graph ({current}) of the iterator is different from the graph ({item._graph}) the dataset: "
                f"{item._variant_tensor} was created in. If you are using the Estimator API, make sure that no part of "
                "the dataset returned by the `input_fn` function is defined outside the `input_fn` function. Please "
                "ensure that all datasets in the pipeline are created in the same graph as the iterator. NOTE: This "
                "warning will become an error in future versions of TensorFlow."
            )
        pending += [source for source in item._inputs() if source not in visited]


class DatasetV1Adapter(DatasetV1):
    """Wraps a dataset as a `DatasetV1`."""

    element_spec: Any = read_only(
        "Spec of the wrapped dataset's elements.", "_dataset.element_spec"
    )

    def __init__(self, dataset: DatasetV2):
        self._dataset = dataset
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return self._dataset._variant_tensor

    def _has_captured_ref(self) -> bool:
        return self._dataset._has_captured_ref()

    def _inputs(self) -> list[DatasetV2]:
        return self._dataset._inputs()

    def _functions(self) -> list[Any]:
        return self._dataset._functions()

    def options(self) -> Options:
        """Returns the options of the wrapped dataset."""
        return self._dataset.options()


def make_one_shot_iterator(dataset: DatasetV2) -> Iterator:
    """Creates an iterator for a single pass, as `dataset.make_one_shot_iterator()` without its deprecation warning."""
    return _with_iterators(dataset)._make_one_shot_iterator()


def make_initializable_iterator(dataset: DatasetV2, shared_name: str | None = None) -> Iterator:
    """Creates an iterator with an `initializer`, like the dataset's method but without its deprecation warning."""
    return _with_iterators(dataset)._make_initializable_iterator(shared_name)


def _with_iterators(dataset: DatasetV2) -> Any:
    return dataset if hasattr(dataset, "_make_one_shot_iterator") else DatasetV1Adapter(dataset)


def get_output_classes(dataset_or_iterator: DatasetV2 | IteratorBase) -> Any:
    """Returns the component classes, in the structure of an element."""
    return legacy_classes(get_structure(dataset_or_iterator))


def get_output_shapes(dataset_or_iterator: DatasetV2 | IteratorBase) -> Any:
    """Returns the static component shapes, in the structure of an element."""
    return legacy_shapes(get_structure(dataset_or_iterator))


def get_output_types(dataset_or_iterator: DatasetV2 | IteratorBase) -> Any:
    """Returns the component dtypes, in the structure of an element."""
    return legacy_types(get_structure(dataset_or_iterator))


def get_structure(dataset_or_iterator: DatasetV2 | IteratorBase) -> Any:
    """Returns the element spec of a dataset or iterator; raises TypeError for other objects."""
    try:
        return dataset_or_iterator.element_spec
    except AttributeError:
        raise TypeError(
            "`dataset_or_iterator` must be a Dataset or Iterator object, but got "
            f"{type(dataset_or_iterator)}."
        ) from None
