"""A dataset of file paths that match patterns."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.source_datasets import KnownSpecDataset
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


class MatchingFilesDataset(KnownSpecDataset):
    """The file paths that match one or more patterns (strings or a tensor), in the order of patterns."""

    def __init__(self, patterns: Any):
        texts = ops.convert_to_tensor(patterns, dtype=dtypes.string, name="patterns")
        super().__init__(raw.MatchingFilesDataset(texts), TensorSpec([], dtypes.string))
