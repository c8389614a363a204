"""`PrivateThreadPool`, whose threads run the functions of a dataset."""

from __future__ import annotations

import itertools
from typing import Any

from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.unary_datasets import UnaryUnchangedStructureDataset
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import raw

_numbers = itertools.count()


class PrivateThreadPool:
    """A pool of threads for the functions of datasets.

    Args:
      num_threads: number of threads.
      display_name: name of the threads; only recorded in the graph.
      max_intra_op_parallelism: number of threads per op; only recorded in the graph.
    """

    def __init__(
        self,
        num_threads: int,
        display_name: str | None = None,
        max_intra_op_parallelism: int | None = 1,
    ):
        shared = f"privatethreadpool{next(_numbers)}" if executing_eagerly() else ""
        self._resource = raw.ThreadPoolHandle(
            num_threads=num_threads,
            max_intra_op_parallelism=max_intra_op_parallelism,
            display_name=display_name or "",
            shared_name=shared,
        )


class _ThreadPoolDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, thread_pool: PrivateThreadPool):
        self._add(raw.ThreadPoolDataset, input_dataset, thread_pool._resource)


def override_threadpool(dataset: DatasetV2, thread_pool: PrivateThreadPool) -> Any:
    """Runs the functions of a dataset on the threads of a pool."""
    return _ThreadPoolDataset(dataset, thread_pool)
