"""Datasets as tensors of dtype variant."""

from __future__ import annotations

from typing import Any

from tfmini._src.data import registry
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.graph.tensor import Tensor


def from_variant(variant: Tensor, structure: object) -> Any:
    """Creates a dataset from its handle.

    Args:
      variant: a scalar tensor of dtype variant.
      structure: the TypeSpecs of an element's components, in the structure of an element.
    """
    return registry.create("_VariantDataset", variant, structure)


def to_variant(dataset: DatasetV2) -> Any:
    """Returns the handle of a dataset, a scalar tensor of dtype variant."""
    return dataset._variant_tensor
