"""Batches rows of different lengths as SparseTensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import legacy_types
from tfmini._src.data.unary_datasets import RestructuringDataset, shape_vector
from tfmini._src.graph.composite_values import SparseTensorSpec
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import raw


def dense_to_sparse_batch(
    batch_size: TensorLike, row_shape: ShapeLike
) -> Callable[[DatasetV2], Any]:
    """Batches elements of different shapes as SparseTensors.

    Args:
      batch_size: number of elements per batch, an int64 scalar.
      row_shape: the dense shape of a row, a TensorShape or an int64 vector; unknown dimensions become the
        maximum in the batch.

    Returns:
      A transformation for `Dataset.apply`, for elements of one tensor each.

    Raises:
      TypeError: when applied to another dataset.
      InvalidArgumentError: at run time, for an element of another rank.
      DataLossError: at run time, for a larger element.
    """
    return lambda dataset: _DenseToSparseBatch(dataset, batch_size, row_shape)


class _DenseToSparseBatch(RestructuringDataset):
    def __init__(self, input_dataset: DatasetV2, batch_size: Any, row_shape: Any):
        types = legacy_types(input_dataset.element_spec)
        if not isinstance(types, DType):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component, whereas the input has "
                f"{types!r}."
            )
        self._spec = SparseTensorSpec(TensorShape([None]).concatenate(row_shape), types)
        self._add(raw.DenseToSparseBatchDataset, input_dataset, batch_size, shape_vector(row_shape))
