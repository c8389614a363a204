"""A dataset of matching file names."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.from_tensors_range_zip import KnownSpecDataset
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops, raw


class MatchingFilesDataset(KnownSpecDataset):
    """The names of the files that match patterns, in pattern order.

    Args:
      patterns: a pattern or several, strings or a tensor.
    """

    def __init__(self, patterns: Any):
        texts = ops.convert_to_tensor(patterns, dtype=dtypes.string, name="patterns")
        super().__init__(raw.MatchingFilesDataset(texts), TensorSpec([], dtypes.string))
