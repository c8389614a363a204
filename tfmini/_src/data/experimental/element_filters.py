"""Transformations that drop elements: after a condition fails, duplicates, and failed elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.element_spec import legacy_types
from tfmini._src.data.registry import function_attr
from tfmini._src.data.structured_function import MappedFunction
from tfmini._src.data.unary_datasets import UnaryUnchangedStructureDataset
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import raw


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """Returns the elements up to the first for which `predicate` is False.

    Args:
      predicate: a function of an element that returns a scalar bool.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: when applied, if `predicate` does not return a scalar bool.
    """
    return lambda dataset: _TakeWhile(dataset, predicate)


class _TakeWhile(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, predicate: Callable):
        name = "tf.data.experimental.take_while()"
        self._predicate = MappedFunction(predicate, name, input_dataset.element_spec)
        spec = self._predicate.output_structure
        if not spec.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        function = self._predicate.function
        self._add(
            raw.TakeWhileDataset,
            input_dataset,
            function.captured_inputs,
            predicate=function_attr(function),
        )

    def _functions(self) -> list:
        return [self._predicate]


def unique() -> Transformation:
    """Removes duplicates, keeping the first occurrence of each value.

    Returns:
      A transformation for `Dataset.apply`, for elements of one int32, int64 or string tensor each.

    Raises:
      TypeError: if the dataset has elements of any other type.
    """
    return _Unique


class _Unique(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2):
        supported = (dtypes.int32, dtypes.int64, dtypes.string)
        if legacy_types(input_dataset.element_spec) not in supported:
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or "
                "`tf.string` component."
            )
        self._add(raw.UniqueDataset, input_dataset)


def ignore_errors() -> Transformation:
    """Skips elements whose computation fails.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return _IgnoreErrors


class _IgnoreErrors(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2):
        self._add(raw.IgnoreErrorsDataset, input_dataset)
