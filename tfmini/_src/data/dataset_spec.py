"""TypeSpec of elements that are datasets."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.data import registry
from tfmini._src.graph.type_spec import BatchableTypeSpec, TensorSpec, TypeSpec
from tfmini._src.ops import ops


class DatasetSpec(BatchableTypeSpec):
    """The type of a dataset.

    Args:
      element_spec: the TypeSpecs of its elements.
      dataset_shape: the shape of the handle, which is not a scalar for several datasets.
    """

    def __init__(self, element_spec: object, dataset_shape: ShapeLike = ()):
        self._element_spec = element_spec
        self._dataset_shape = TensorShape(dataset_shape)

    @property
    def value_type(self) -> Any:
        """The class of the datasets created from a handle."""
        return registry._dataset_classes["_VariantDataset"]

    @property
    def _flat_tensor_specs(self) -> list:
        return [self._component_specs]

    @property
    def _component_specs(self) -> TensorSpec:
        return TensorSpec(self._dataset_shape, dtypes.variant)

    def _serialize(self) -> tuple:
        return self._element_spec, self._dataset_shape

    def _to_components(self, value: Any) -> Any:
        return ops.convert_to_tensor(map_structure(lambda dataset: dataset._variant_tensor, value))

    def _to_batched_tensor_list(self, value: Any) -> list:
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return [self._to_components(value)]

    def _from_components(self, components: Any) -> Any:
        if self._dataset_shape.ndims == 0:
            return registry.create("_VariantDataset", components, self._element_spec)
        return NestedDatasets(components, self)

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """Returns the spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def _batch(self, batch_size: Any) -> DatasetSpec:
        shape = TensorShape([batch_size]).concatenate(self._dataset_shape)
        return DatasetSpec(self._element_spec, shape)

    def _unbatch(self) -> DatasetSpec:
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self


class NestedDatasets:
    """Several datasets in one variant tensor."""

    def __init__(self, variant_tensor: Any, spec: TypeSpec):
        self._variant_tensor = variant_tensor
        self._type_spec = spec
