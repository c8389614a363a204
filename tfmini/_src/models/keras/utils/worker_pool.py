"""Process pools that create batches, and their termination."""

from __future__ import annotations

import gc
from collections.abc import Callable
from multiprocessing.pool import Pool
from typing import Any
from weakref import WeakSet

_pools: WeakSet[Pool] = WeakSet()


def process_pool(workers: int, start: Callable, arguments: tuple) -> Pool:
    """Returns a pool of `workers` processes, each of which first calls `start(*arguments)`."""
    pool = Pool(workers, start, arguments)
    _pools.add(pool)
    return pool


def terminate_keras_multiprocessing_pools(
    grace_period: float = 0.1, use_sigkill: bool = False
) -> list[str]:
    """Terminates the processes that create batches for `fit` and related methods, so that programs can exit.

    Args:
      grace_period: seconds to wait for each process.
      use_sigkill: whether to kill unresponsive processes.

    Returns:
      A list of messages, one per remaining process or pool.

    Example: `print(tf.keras.experimental.terminate_keras_multiprocessing_pools())`.
    """
    problems = []
    for process in _end_all():
        process.join(grace_period)
        if process.is_alive() and use_sigkill:
            process.kill()
            process.join(grace_period)
        if process.is_alive():
            description = f"{process.name}, pid={process.pid}, hash={hash(process)}"
            problems.append("worker still alive: " + description)
    gc.collect()
    return problems + [f"pool still exists: {pool}, hash={hash(pool)}" for pool in _pools]


def _end_all() -> list[Any]:
    """Terminates all pools; returns their processes."""
    processes: list[Any] = []
    for pool in list(_pools):
        processes += pool._pool  # type: ignore[attr-defined]
        pool.close()
        pool.terminate()
    return processes
