"""Datasets for tests of rewrites: assertions on subsequent transformations, and a choice among equal datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.registry import create
from tfmini._src.data.unary_datasets import UnaryUnchangedStructureDataset
from tfmini._src.ops import ops, raw


def assert_next(transformations: Any) -> Transformation:
    """Returns a transformation that checks the subsequent transformations after all rewrites.

    Args:
      transformations: expected names, a string vector: "Map", "FiniteTake" ...

    Raises:
      InvalidArgumentError: at run time, if the names differ.
    """
    return lambda dataset: _AssertNextDataset(dataset, transformations)


def model() -> Transformation:
    """Returns an identity transformation that marks a dataset for autotuning."""
    return lambda dataset: create("_ModelDataset", dataset, 0, 0)


def non_serializable() -> Transformation:
    """Returns an identity transformation that cannot be serialized to a graph."""
    return lambda dataset: _AssertNextOptionDataset(dataset, raw.NonSerializableDataset)


def optimize(optimizations: Sequence[str] | None = None) -> Transformation:
    """Returns a transformation that applies rewrites by name."""
    return lambda dataset: create("_OptimizeDataset", dataset, optimizations or [], [])


class _AssertNextOptionDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, op: Callable, *args: Any):
        self._add(op, input_dataset, *args)


class _AssertNextDataset(_AssertNextOptionDataset):
    def __init__(self, input_dataset: DatasetV2, transformations: Any):
        if transformations is None:
            raise ValueError("At least one transformation should be specified")
        names = ops.convert_to_tensor(transformations, dtypes.string, name="transformations")
        super().__init__(input_dataset, raw.AssertNextDataset, names)


class ChooseFastestDataset(DatasetV2):
    """Selects one of several datasets with equal elements.

    Args:
      datasets: the datasets.
      num_experiments: number of elements that TensorFlow reads from each dataset before choosing; only recorded in
        the graph.

    Raises:
      InvalidArgumentError: at run time, if types, shapes or numbers of elements differ.
    """

    def __init__(self, datasets: Sequence[DatasetV2], num_experiments: int = 10):
        self._datasets = list(datasets)
        handle = raw.ChooseFastestDataset(
            [dataset._variant_tensor for dataset in self._datasets],
            num_experiments=num_experiments,
            **self._flat_structure,
        )
        super().__init__(handle)

    def _inputs(self) -> list[DatasetV2]:
        return self._datasets

    @property
    def element_spec(self) -> Any:
        """The spec of the elements of the first dataset."""
        return self._datasets[0].element_spec
