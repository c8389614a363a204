"""A process's collective operations on arrays in host memory, independent of the transport."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from tfmini._src.distribute.horovod.buffer_pool import ArrayPool


class HostReductions(ABC):
    """Collective operations of one process; all processes run them with the same names, equally often.

    If arrays do not match across processes, operations raise InvalidArgumentError on all of them.

    Attributes:
      rank, size: this process's rank, and the number of processes.
      memory: the memory pool for large results.
    """

    rank: int
    size: int

    def __init__(self) -> None:
        self.memory = ArrayPool()

    def sum(self, name: str, values: np.ndarray) -> np.ndarray:
        """Returns the sum of an array over all processes; `values` must not be modified afterwards."""
        return self.sum_all(name, [values.reshape(-1)], [values.shape])[0].reshape(values.shape)

    @abstractmethod
    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Returns the sums of flat arrays of one dtype over all processes; `values` must not be modified afterwards.

        shapes: shapes of the tensors in the arrays.
        """

    @abstractmethod
    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        """Concatenates all processes' arrays along the first axis."""

    @abstractmethod
    def tell(self, name: str, text: bytes) -> list[bytes]:
        """Exchanges short texts; returns the texts of all processes that have not joined, by rank."""

    @abstractmethod
    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        """Returns the array of the process `root`."""

    @abstractmethod
    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Sends `parts[rank]` to each process; returns the concatenated parts that all processes sent to this one.

        The parts must not be modified afterwards.
        """

    @abstractmethod
    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        """Returns the Adasum of a float array over all processes; the array must not be modified afterwards."""

    @abstractmethod
    def join(self) -> None:
        """Returns once all processes have called it; until then, the others' sums proceed without this process."""

    @abstractmethod
    def watch(self, on_lost: Callable[[BaseException], None]) -> None:
        """Calls `on_lost(error)`, on any thread, when another process exits or fails."""

    @abstractmethod
    def fail(self) -> None:
        """Notifies the other, watching processes that this one can run no further operations."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connections to the other processes."""
