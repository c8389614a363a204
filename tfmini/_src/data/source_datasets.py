"""Source datasets (tensors, ranges, handles) and combinations of several datasets."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, dimension_value
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import (
    flat_shapes,
    from_legacy,
    infer_spec,
    legacy_classes,
    legacy_shapes,
    legacy_types,
    normalize_element,
    to_rows,
    to_tensors,
)
from tfmini._src.data.registry import register_dataset
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


class KnownSpecDataset(DatasetV2):
    """Base class of datasets whose element spec is set at construction."""

    element_spec: Any = read_only("The TypeSpecs of an element.", "_spec")

    def __init__(self, variant_tensor: Tensor, spec: object):
        self._spec = spec
        super().__init__(variant_tensor)

    def _inputs(self) -> list:
        return []


@register_dataset
class _VariantDataset(KnownSpecDataset):
    """A dataset created from its handle."""


@register_dataset
class TensorDataset(KnownSpecDataset):
    """A dataset with a single element."""

    def __init__(self, element: Any):
        element = normalize_element(element)
        spec = infer_spec(element)
        tensors = to_tensors(spec, element)
        super().__init__(raw.TensorDataset(tensors, output_shapes=flat_shapes(spec)), spec)


@register_dataset
class TensorSliceDataset(KnownSpecDataset):
    """A dataset of the rows of an element."""

    def __init__(self, element: Any):
        element = normalize_element(element)
        batched = infer_spec(element)
        tensors = to_rows(batched, element)
        spec = dataset_nest.map_structure(lambda leaf: leaf._unbatch(), batched)
        rows = Dimension(dimension_value(tensors[0].shape[0]))
        for tensor in tensors[1:]:
            rows.assert_is_compatible_with(Dimension(dimension_value(tensor.shape[0])))
        super().__init__(raw.TensorSliceDataset(tensors, output_shapes=flat_shapes(spec)), spec)


@register_dataset
class SparseTensorSliceDataset(KnownSpecDataset):
    """A dataset of the rows of a SparseTensor."""

    def __init__(self, sparse_tensor: Any):
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(
                f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}."
            )
        axes = sparse_tensor.indices.shape[1] - 1
        rank = axes.merge_with(sparse_tensor.dense_shape.shape[0] - 1)
        spec = (
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], sparse_tensor.dtype),
            TensorSpec([rank], dtypes.int64),
        )
        parts = sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape
        super().__init__(raw.SparseTensorSliceDataset(*parts), spec)


@register_dataset
class RangeDataset(KnownSpecDataset):
    """A dataset of integers, like Python's `range`."""

    def __init__(self, *args: Any):
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop = (0, args[0]) if len(args) == 1 else args[:2]
        step = args[2] if len(args) == 3 else 1
        bounds = (start, "start"), (stop, "stop"), (step, "step")
        endpoints = [ops.convert_to_tensor(v, dtype=dtypes.int64, name=name) for v, name in bounds]
        handle = raw.RangeDataset(*endpoints, output_types=[dtypes.int64], output_shapes=[()])
        super().__init__(handle, TensorSpec([], dtypes.int64))


@register_dataset
class ZipDataset(KnownSpecDataset):
    """Zips several datasets."""

    def __init__(self, datasets: Any):
        flat = dataset_nest.flatten(datasets)
        for dataset in flat:
            if not isinstance(dataset, DatasetV2):
                text = "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects."
                if isinstance(dataset, list):
                    text += " Nested structures do not support Python lists; please use a tuple instead."
                raise TypeError(text)
        self._datasets = flat
        self._spec = dataset_nest.pack_sequence_as(datasets, [d.element_spec for d in flat])
        handle = raw.ZipDataset([d._variant_tensor for d in flat], **self._flat_structure)
        super().__init__(handle, self._spec)

    def _inputs(self) -> list:
        return self._datasets


@register_dataset
class ConcatenateDataset(KnownSpecDataset):
    """Concatenates two datasets."""

    def __init__(self, input_dataset: Any, dataset_to_concatenate: Any):
        self._datasets = [input_dataset, dataset_to_concatenate]
        specs = [dataset.element_spec for dataset in self._datasets]
        for property_suffix, getter in (("types", legacy_types), ("classes", legacy_classes)):
            first, second = map(getter, specs)
            if first != second:
                raise TypeError(
                    f"Two datasets to concatenate have different {property_suffix} {first} and {second}"
                )
        first, second = map(legacy_shapes, specs)
        pairs = zip(dataset_nest.flatten(first), dataset_nest.flatten(second))
        shapes = dataset_nest.pack_sequence_as(
            first, [a.most_specific_compatible_shape(b) for a, b in pairs]
        )
        self._spec = from_legacy(legacy_types(specs[0]), shapes, legacy_classes(specs[0]))
        handles = [dataset._variant_tensor for dataset in self._datasets]
        super().__init__(raw.ConcatenateDataset(*handles, **self._flat_structure), self._spec)

    def _inputs(self) -> list:
        return self._datasets
