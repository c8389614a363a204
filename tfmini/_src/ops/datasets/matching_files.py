"""Datasets of file names that match patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import NotFoundError, invalid
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.ops.datasets.dataset_value import (
    Dataset,
    Element,
    Iterator,
    Run,
    dataset_op,
)
from tfmini._src.ops.operands import dense


@dataset_op(
    "MatchingFilesDataset", "patterns: string -> handle: variant", stateful=True, uses_files=True
)
def matching_files_dataset_op(xp, patterns):
    array = dense(patterns)
    if array.ndim > 1:
        invalid("patterns must be a scalar or vector.")
    return MatchingFilesDataset([bytes(pattern) for pattern in np.ravel(array)])


class MatchingFilesDataset(Dataset):
    """Names of the files that match patterns, in the order of the patterns."""

    def __init__(self, patterns: Sequence[bytes]):
        self._patterns = patterns

    def iterate(self, run: Run, path: str) -> Iterator:
        return _Matches(self._patterns)


class _Matches(Iterator):
    is_fresh = False

    def __init__(self, patterns: Sequence[bytes]):
        self._patterns = patterns
        self._found: list[Any] | None = None
        self._position = 0

    def next(self) -> Element | None:
        if self._found is None:
            self._found = [
                path for pattern in self._patterns for path in sorted(match_paths(pattern))
            ]
            if not self._found:
                raise NotFoundError(None, None, "Don't find any matched files")
        if self._position == len(self._found):
            return None
        self._position += 1
        return (self._found[self._position - 1],)

    def save(self) -> Any:
        return self._position

    def restore(self, state: Any) -> None:
        self._position = state
