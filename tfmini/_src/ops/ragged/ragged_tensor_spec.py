"""`RaggedTensorSpec`: the type of a ragged tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes, tf2
from tfmini._src.base.shapes import TensorShape, as_shape, dimension_at_index, dimension_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import (
    BatchableTypeSpec,
    TensorSpec,
    register_type_spec_from_value_converter,
)
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue
from tfmini._src.ops.ragged.row_partition import is_ragged

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DTypeLike
    from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor


class RaggedTensorSpec(BatchableTypeSpec):
    """The type of a RaggedTensor.

    Args:
      shape: the shape, with None for ragged dimensions; None for any shape.
      dtype: the dtype of the values.
      ragged_rank: the number of ragged dimensions; by default all dimensions but the first.
      row_splits_dtype: int32 or int64.

    Raises:
      ValueError: if both `ragged_rank` and the rank are unknown, or `ragged_rank` is not less than the rank.
    """

    _value_noun = "ragged tensor"

    def __init__(
        self,
        shape: Any = None,
        dtype: DTypeLike = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
    ):
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @property
    def value_type(self) -> type:
        """`tf.RaggedTensor`, or `tf.Tensor` if there are no ragged dimensions."""
        return ops.ragged_tensor_class() if self._ragged_rank > 0 else Tensor

    @classmethod
    def from_value(cls, value: RaggedTensor) -> RaggedTensorSpec:
        """Returns the spec of a RaggedTensor or RaggedTensorValue."""
        return cls(value.shape, value.values.dtype, value.ragged_rank, value.row_splits.dtype)

    def _serialize(self) -> tuple:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self) -> list:
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        inner = TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1 :])
        rows = dimension_at_index(self._shape, 0)
        splits = TensorSpec([None], self._row_splits_dtype)
        return [
            TensorSpec(inner, self._dtype),
            TensorSpec([None if rows is None else rows + 1], self._row_splits_dtype),
            *[splits] * (self._ragged_rank - 1),
        ]

    def _to_components(self, value: Any) -> list:
        return [value.flat_values, *value.nested_row_splits] if is_ragged(value) else [value]

    def _from_components(self, components: Any) -> Any:
        result, *splits = components
        if not tf2.enabled() and all(isinstance(part, np.ndarray) for part in components):
            for row_splits in reversed(splits):
                result = RaggedTensorValue(result, row_splits)
            return result
        if isinstance(result, np.ndarray):
            result, *splits = map(ops.convert_to_tensor, components)
        for row_splits in reversed(splits):
            result = ops.ragged_tensor_class()(result, row_splits, internal=True)
        return result

    @property
    def _flat_tensor_specs(self) -> list:
        return [TensorSpec(None, dtypes.variant)]  # shape unknown: a batch has several variants

    def _to_tensor_list(self, value: Any) -> list:
        return [value._to_variant(batched_input=False)]

    def _to_batched_tensor_list(self, value: Any) -> list:
        return [value._to_variant(batched_input=True)]

    def _from_compatible_tensor_list(self, tensor_list: Any) -> Any:
        if self._ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be non-negative; got {self._ragged_rank}.")
        result = ops.ragged_tensor_class()._from_variant(
            tensor_list[0], dtype=self._dtype, output_ragged_rank=self._ragged_rank
        )
        if self._shape.ndims is not None:
            rows = dimension_value(self._shape[0])
            if rows is not None:
                result.row_splits.set_shape([rows + 1])
            inner = self._shape[1 + self._ragged_rank :]
            result.flat_values.set_shape(TensorShape([None]).concatenate(inner))
        return result

    def _batch(self, batch_size: Any) -> RaggedTensorSpec:
        shape = TensorShape([batch_size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1)

    def _unbatch(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1)

    def _to_legacy_output_classes(self) -> RaggedTensorSpec:
        return self


register_type_spec_from_value_converter(RaggedTensorValue, RaggedTensorSpec.from_value)
