"""Draws elements from several datasets, according to an index dataset or at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.data import dataset_nest, registry
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter
from tfmini._src.data.element_spec import from_legacy, legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.experimental.random_dataset import RandomNumbers
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


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
            other_shapes = dataset_nest.flatten(legacy_shapes(dataset.element_spec))
            merged = [
                own_part.most_specific_compatible_shape(other_part)
                for own_part, other_part in zip(dataset_nest.flatten(shapes), other_shapes)
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

    element_spec: Any = read_only("The most specific spec compatible with all datasets.", "_spec")


def choose_from_datasets(datasets: Sequence[DatasetV2], choice_dataset: DatasetV2) -> Any:
    """Interleaves several datasets in the order of an index dataset.

    Args:
      datasets: a list of datasets of the same structure.
      choice_dataset: a dataset of int64 scalars, the indices of the datasets to draw from.

    Returns:
      A dataset that ends with `choice_dataset`, or when all datasets are exhausted; exhausted datasets are skipped.

    Raises:
      TypeError: for an unsupported `choice_dataset`, or datasets of different types.
      InvalidArgumentError: at run time, for an index out of range.
    """
    spec = choice_dataset.element_spec
    if not (isinstance(spec, TensorSpec) and spec.is_compatible_with(TensorSpec([], dtypes.int64))):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return DatasetV1Adapter(_DirectedInterleave(choice_dataset, datasets))


def sample_from_datasets(
    datasets: Sequence[DatasetV2], weights: TensorLike | None = None, seed: int | None = None
) -> Any:
    """Interleaves several datasets at random.

    Args:
      datasets: a list of datasets of the same structure.
      weights: the probabilities, a float32 or float64 vector or a dataset of vectors; uniform by default.
      seed: an int64 scalar, combined with the seed of the graph.

    Returns:
      A dataset.

    Raises:
      TypeError: for weights of another dtype, or datasets of different types.
      ValueError: for a mismatched number of weights.
    """
    return DatasetV1Adapter(_sample_indices(datasets, weights, seed))


def _sample_indices(datasets: Sequence[DatasetV2], weights: Any, seed: Any) -> Any:
    count = len(datasets)
    if isinstance(weights, DatasetV2):
        logits_ds = weights.map(lambda *p: ops.log(p, name="logits"))

        def select_dataset_varying_logits(logits: Any, seed: Any) -> Any:
            return _select_index(logits, seed)

        both = registry.base().zip((logits_ds, RandomNumbers(seed).batch(2)))
        return _direct(both, select_dataset_varying_logits, datasets)
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
        return _select_index(logits, seed)

    return _direct(RandomNumbers(seed).batch(2), select_dataset_constant_logits, datasets)


def _select_index(logits: Any, seed: Any) -> Any:
    return ops.squeeze(raw.StatelessMultinomial(logits, 1, seed), axis=[0, 1])


def _direct(source: DatasetV2, select: Callable, datasets: Sequence[DatasetV2]) -> Any:
    selector = registry.create("MapDataset", source, select, use_inter_op_parallelism=False)
    return _DirectedInterleave(selector, datasets)
