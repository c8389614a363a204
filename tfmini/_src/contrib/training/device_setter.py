"""Strategies for `tf.train.replica_device_setter`, which choose each variable's parameter server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.operation import Operation


class RandomStrategy:
    """Chooses a parameter server by hashing the variable's name: stable across processes and runs.

    Args:
      num_ps_tasks: number of parameter servers.
      seed: seed of the hash.
    """

    def __init__(self, num_ps_tasks: int, seed: int = 0):
        self._num_tasks = num_ps_tasks
        self._seed = seed

    def __call__(self, op: Operation) -> int:
        """Returns the index of the parameter server for an operation."""
        return (
            int(
                hashlib.md5(f"{op.name}_{self._seed}".encode(), usedforsecurity=False).hexdigest(),
                16,
            )
            % self._num_tasks
        )


class GreedyLoadBalancingStrategy:
    """Chooses the parameter server with the smallest load so far, or the first of several.

    Args:
      num_tasks: number of parameter servers.
      load_fn: function from an operation to its load, e.g. `byte_size_load_fn`.

    Example:
      strategy = tf.contrib.training.GreedyLoadBalancingStrategy(2, tf.contrib.training.byte_size_load_fn)
      setter = tf.train.replica_device_setter(cluster=cluster, ps_strategy=strategy)
    """

    def __init__(self, num_tasks: int, load_fn: Callable[[Any], float]):
        self._load_of = load_fn
        self._loads = np.zeros(num_tasks)

    def __call__(self, op: Operation) -> Any:
        """Returns the index of the parameter server for an operation, and adds the operation's load to that server."""
        task = np.argmin(self._loads)
        self._loads[task] += self._load_of(op)
        return task


def byte_size_load_fn(op: Any) -> int:
    """Returns the size in bytes of an operation's only output, as a load.

    Raises:
      ValueError: if it does not have exactly one output, or the shape is not fully known.
    """
    if len(op.outputs) != 1:
        raise ValueError(f"Op {op} must have a single output")
    (output,) = op.outputs
    shape = output.shape
    if not shape.is_fully_defined():
        shape = TensorShape(op.get_attr("shape"))
    shape.assert_is_fully_defined()
    return shape.num_elements() * output.dtype.size
