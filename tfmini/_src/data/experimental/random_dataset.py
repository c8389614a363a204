"""Datasets of random numbers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset_v1 import DatasetV1Adapter
from tfmini._src.data.element_spec import flat_shapes, flat_types
from tfmini._src.data.seeds import seed_tensors
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import raw


class RandomNumbers(KnownSpecDataset):
    """A dataset of random numbers without iterator methods."""

    def __init__(self, seed: Any = None):
        spec = TensorSpec([], dtypes.int64)
        seeds = seed_tensors(seed)
        handle = raw.RandomDataset(
            *seeds, output_types=flat_types(spec), output_shapes=flat_shapes(spec)
        )
        super().__init__(handle, spec)


class RandomDatasetV1(DatasetV1Adapter):
    """An infinite dataset of random int64 scalars below 2**32.

    Args:
      seed: an int64 scalar, combined with the seed of the graph, for reproducible numbers.
    """

    def __init__(self, seed: int | None = None):
        super().__init__(RandomNumbers(seed))
