"""The shard count of a TPU program; None unless set, as TPUs are unsupported."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.read_only import read_only


class TpuContext(threading.local):
    """The shard count of the thread; None outside of `tpu_shard_context`."""

    number_of_shards: int | None = read_only(
        "The number of shards; None outside of `tpu_shard_context`."
    )

    def __init__(self) -> None:
        self._number_of_shards: int | None = None

    def set_number_of_shards(self, number_of_shards: int | None) -> None:
        """Sets the number of shards."""
        self._number_of_shards = number_of_shards


_context = TpuContext()


def get_tpu_context() -> TpuContext:
    """Returns the shard count context of the program."""
    return _context


@contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """Context manager that sets the number of shards.

    Raises:
      NotImplementedError: if nested.
    """
    if _context.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    _context.set_number_of_shards(number_of_shards)
    try:
        yield
    finally:
        _context.set_number_of_shards(None)
