"""Datasets that take each element from one of several, at random or as another says, and transformations that leave
elements out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data import dataset_nest, registry
from tfmini._src.data.batch_shuffle_repeat import UnaryUnchangedStructureDataset
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tfmini._src.data.element_spec import from_legacy, legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.experimental.random_and_sql_dataset import RandomNumbers
from tfmini._src.data.registry import attr_of
from tfmini._src.data.structured_function import MappedFunction
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw

_Applied = Callable[[DatasetV2], Any]


class _DirectedInterleave(DatasetV1):
    def __init__(self, selector: DatasetV2, datasets: Sequence[DatasetV2]):
        self._selector = selector
        self._datasets = list(datasets)
        first = self._datasets[0].element_spec
        types, classes = legacy_types(first), legacy_classes(first)
        for dataset in self._datasets[1:]:
            spec = dataset.element_spec
            if legacy_types(spec) != types or legacy_classes(spec) != classes:
                raise TypeError("All datasets must have the same type and class.")
        shapes = legacy_shapes(first)
        for dataset in self._datasets[1:]:
            others = dataset_nest.flatten(legacy_shapes(dataset.element_spec))
            merged = [
                mine.most_specific_compatible_shape(theirs)
                for mine, theirs in zip(dataset_nest.flatten(shapes), others)
            ]
            shapes = dataset_nest.pack_sequence_as(shapes, merged)
        self._spec = from_legacy(types, shapes, classes)
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return raw.DirectedInterleaveDataset(
            self._selector._variant_tensor,
            [dataset._variant_tensor for dataset in self._datasets],
            **self._flat_structure,
        )

    def _inputs(self) -> list:
        return [self._selector, *self._datasets]

    @property
    def element_spec(self) -> Any:
        """Spec of the datasets' elements, with the dimensions that all have."""
        return self._spec


def choose_from_datasets(datasets: Sequence[DatasetV2], choice_dataset: DatasetV2) -> Any:
    """The elements of several datasets in an order that another gives.

    Args:
      datasets: a list of datasets of one structure.
      choice_dataset: a dataset of int64 scalars, each the number of the dataset whose next element follows.

    Returns:
      A dataset, which ends with the choices, or with the last of the datasets; one that is over is passed over.

    Raises:
      TypeError: for choices of another kind, or datasets of other types. InvalidArgumentError: when it runs, for a
        number that no dataset has.
    """
    spec = choice_dataset.element_spec
    if not (isinstance(spec, TensorSpec) and spec.is_compatible_with(TensorSpec([], dtypes.int64))):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return DatasetV1Adapter(_DirectedInterleave(choice_dataset, datasets))


def sample_from_datasets(
    datasets: Sequence[DatasetV2], weights: Any = None, seed: Any = None
) -> Any:
    """The elements of several datasets in random order.

    Args:
      datasets: a list of datasets of one structure.
      weights: the probability of each dataset, a vector of float32 or float64, or a dataset of such; by default all
        are as likely.
      seed: an int64 scalar, combined with the seed of the graph.

    Returns:
      A dataset.

    Raises:
      TypeError: for weights of another dtype, datasets of other types. ValueError: for another number of weights.
    """
    return DatasetV1Adapter(_sampled(datasets, weights, seed))


def _sampled(datasets: Sequence[DatasetV2], weights: Any, seed: Any) -> Any:
    count = len(datasets)
    if isinstance(weights, DatasetV2):
        logits_ds = weights.map(lambda *p: ops.log(p, name="logits"))

        def select_dataset_varying_logits(logits: Any, seed: Any) -> Any:
            return _selected(logits, seed)

        both = registry.base().zip((logits_ds, RandomNumbers(seed).batch(2)))
        return _directed(both, select_dataset_varying_logits, datasets)
    logits: Any
    if weights is None:
        logits = [[1.0] * count]
    else:
        weights = ops.convert_to_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError(
                "`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements."
            )
        if not weights.shape.is_compatible_with([count]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits = ops.expand_dims(ops.log(weights, name="logits"), 0)
    if count == 1:
        return datasets[0]

    def select_dataset_constant_logits(seed: Any) -> Any:
        return _selected(logits, seed)

    return _directed(RandomNumbers(seed).batch(2), select_dataset_constant_logits, datasets)


def _selected(logits: Any, seed: Any) -> Any:
    return ops.squeeze(raw.StatelessMultinomial(logits, 1, seed), axis=[0, 1])


def _directed(source: DatasetV2, select: Callable, datasets: Sequence[DatasetV2]) -> Any:
    selector = registry.made("MapDataset", source, select, use_inter_op_parallelism=False)
    return _DirectedInterleave(selector, datasets)


def take_while(predicate: Callable) -> _Applied:
    """The elements before the first for which `predicate` is False.

    Args:
      predicate: a function of an element that gives a scalar bool.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: when applied, if it gives something else.
    """
    return lambda dataset: _TakeWhile(dataset, predicate)


class _TakeWhile(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, predicate: Callable):
        name = "tf.data.experimental.take_while()"
        self._predicate = MappedFunction(predicate, name, input_dataset.element_spec)
        given = self._predicate.output_structure
        if not (
            isinstance(given, TensorSpec) and given.is_compatible_with(TensorSpec([], dtypes.bool))
        ):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        function = self._predicate.function
        self._add(
            raw.TakeWhileDataset,
            input_dataset,
            function.captured_inputs,
            predicate=attr_of(function),
        )

    def _functions(self) -> list:
        return [self._predicate]


def unique() -> _Applied:
    """Each distinct value once, at its first occurrence.

    Returns:
      A transformation for `Dataset.apply`, of datasets whose elements are one int32, int64 or string tensor each.

    Raises:
      TypeError: when applied to another dataset.
    """
    return _Unique


class _Unique(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2):
        known = (dtypes.int32, dtypes.int64, dtypes.string)
        if legacy_types(input_dataset.element_spec) not in known:
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or "
                "`tf.string` component."
            )
        self._add(raw.UniqueDataset, input_dataset)


def ignore_errors() -> _Applied:
    """The elements that can be made: those whose making fails are left out.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return _IgnoreErrors


class _IgnoreErrors(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2):
        self._add(raw.IgnoreErrorsDataset, input_dataset)
