"""Python objects exchanged between processes: pickled, as byte arrays."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.distribute.horovod.ops import reductions


def broadcast_object(
    obj: Any, root_rank: int = 0, session: Any = None, name: str | None = None
) -> Any:
    """Returns the object of the process `root_rank`; every process must call it.

    Requires no session and adds nothing to the graph. Unpickling can execute code: exchange objects only among
    processes that trust each other.

    Args:
      obj: a picklable object; ignored on other processes.
      root_rank: rank of the sending process.
      session: unused.
      name: the operation's name, equal on all processes.

    Raises:
      ValueError: for an unknown rank.

    Example: `resume_from = hvd.broadcast_object(resume_from)`.
    """
    group = reductions()
    size = 1 if group is None else group.size
    if not 0 <= root_rank < size:
        raise ValueError(f"root_rank is {root_rank}, but there are {size} processes")
    if group is None:
        return obj
    is_root = group.rank == root_rank
    text = _pickle(obj) if is_root else np.zeros(0, np.uint8)
    received = group.gather(f"broadcast_object {name}", text)
    return obj if is_root else pickle.loads(received.data)


def broadcast_object_fn(
    root_rank: int = 0, session: Any = None, name: str | None = None
) -> Callable[[Any], Any]:
    """Returns a function of one argument that calls `broadcast_object`."""
    return lambda obj: broadcast_object(obj, root_rank, session, name)


def allgather_object(obj: Any, session: Any = None, name: str | None = None) -> list[Any]:
    """Returns the objects of all processes, by rank; every process must call it. Arguments as in `broadcast_object`.

    Example: `losses = hvd.allgather_object(loss)`.
    """
    group = reductions()
    if group is None:
        return [obj]
    received = io.BytesIO(group.gather(f"allgather_object {name}", _pickle(obj)).data)
    return [pickle.load(received) for _ in range(group.size)]


def _pickle(obj: Any) -> np.ndarray:
    return np.frombuffer(pickle.dumps(obj), np.uint8)
