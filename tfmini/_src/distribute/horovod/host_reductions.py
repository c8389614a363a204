"""Collective operations of one process on arrays in host memory, whatever connects it with the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from tfmini._src.distribute.horovod.buffer_pool import KeptMemory


class HostReductions(ABC):
    """Collective operations of one process; all processes run them with the same names, equally often.

    Where arrays do not fit those of the other processes, each operation raises an InvalidArgumentError on all of them.

    Attributes:
      rank, size: of this process, and the number of all.
      memory: of large results.
    """

    rank: int
    size: int

    def __init__(self) -> None:
        self.memory = KeptMemory()

    def sum(self, name: str, values: np.ndarray) -> np.ndarray:
        """Sum of an array over all processes; `values` must not be modified afterwards."""
        return self.sum_all(name, [values.reshape(-1)], [values.shape])[0].reshape(values.shape)

    @abstractmethod
    def sum_all(
        self, name: str, values: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Sums of flat arrays of one dtype over all processes; `values` must not be modified afterwards.

        shapes: those of the tensors that are in them.
        """

    @abstractmethod
    def gather(self, name: str, value: np.ndarray) -> np.ndarray:
        """Arrays of all processes, concatenated along the first axis."""

    @abstractmethod
    def tell(self, name: str, text: bytes) -> list[bytes]:
        """The short texts of all processes that have not joined, by rank."""

    @abstractmethod
    def broadcast(self, name: str, value: np.ndarray, root: int) -> np.ndarray:
        """The array of the process `root`."""

    @abstractmethod
    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Sends `parts[rank]` to each process; returns what each sent to this one, concatenated.

        The parts must not be modified afterwards.
        """

    @abstractmethod
    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        """Adasum of a float array over all processes; it must not be modified afterwards."""

    @abstractmethod
    def join(self) -> None:
        """Returns once all processes have called it; until then the sums of others go on without this one."""

    @abstractmethod
    def watch(self, lost: Callable[[BaseException], None]) -> None:
        """Calls `lost(error)`, in any thread, when another process exits or fails."""

    @abstractmethod
    def fail(self) -> None:
        """Tells the other processes, which watch, that this one can do no more operations with them."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connections to the other processes."""
