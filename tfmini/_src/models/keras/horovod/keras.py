"""Horovod's Keras interface: `horovod.tensorflow.keras` or `horovod.keras` under the runner.

hvd.init()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam(0.001 * hvd.size())), "mse")
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
model.fit(x, y, callbacks=callbacks)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.distribute.horovod import basics, collectives
from tfmini._src.distribute.horovod.basics import *  # noqa: F403
from tfmini._src.distribute.horovod.collectives import Average, Sum
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.distributed_optimizer import (
    DistributedOptimizer as _distributed_optimizer,
)
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.models.keras import models
from tfmini._src.models.keras.horovod import callbacks, elastic
from tfmini._src.models.keras.optimizers.optimizer_by_name import OPTIMIZERS
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.ops import ops

__all__ = [
    *basics.__all__,
    "Average",
    "Compression",
    "DistributedOptimizer",
    "Sum",
    "allgather",
    "allreduce",
    "broadcast",
    "broadcast_global_variables",
    "callbacks",
    "elastic",
    "load_model",
]


def DistributedOptimizer(
    optimizer: Any,
    name: str | None = None,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    sparse_as_dense: bool = False,
    gradient_predivide_factor: float = 1.0,
    op: int = Average,
    backward_passes_per_step: int = 1,
    average_aggregated_gradients: bool = False,
    num_groups: int = 0,
    groups: Any = None,
) -> Any:
    """Wraps a Keras optimizer to average gradients over all processes.

    Args:
      optimizer: a `tf.keras.optimizers` optimizer.
      name: scope name of the operations.
      device_dense, device_sparse: devices of the reductions.
      compression: `hvd.Compression.fp16` sends floats as float16.
      sparse_as_dense: whether to reduce sparse gradients as dense ones.
      gradient_predivide_factor: part of the averaging divisor to apply before the sum instead of after.
      op: `hvd.Average`, or `hvd.Sum`.
      backward_passes_per_step: number of batches to accumulate gradients over before reducing and applying
        them.
      average_aggregated_gradients: whether to average over accumulated batches instead of summing.
      num_groups, groups: ignored: dense gradients of one dtype are always fused.

    Raises:
      ValueError: for another `op`, or an object that is not a Keras optimizer.
    """
    arguments = locals()
    if op not in (Average, Sum):
        raise ValueError("op currently only supports Average and Sum")
    return _distributed_optimizer(**arguments)


def _evaluate(tensor: Any) -> Any:
    return tensor if executing_eagerly() else get_session().run(tensor)


def broadcast_global_variables(root_rank: int) -> Any:
    """Sets all global variables to their values on the process `root_rank`."""
    return _evaluate(collectives.broadcast_global_variables(root_rank))


def allreduce(
    value: Any,
    name: str | None = None,
    average: bool | None = None,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
    op: int | None = None,
    compression: Any = Compression.none,
) -> Any:
    """Returns the mean or sum of an array over all processes; arguments are as in `horovod.tensorflow.allreduce`."""
    return _evaluate(
        collectives.allreduce(
            ops.constant(value, name=name or "Const"),
            average,
            compression=compression,
            op=op,
            prescale_factor=prescale_factor,
            postscale_factor=postscale_factor,
        )
    )


def allgather(value: Any, name: str | None = None) -> Any:
    """Concatenates the arrays of all processes along the first axis."""
    return _evaluate(collectives.allgather(ops.constant(value, name=name or "Const")))


def broadcast(value: Any, root_rank: int, name: str | None = None) -> Any:
    """Returns the array of the process `root_rank`."""
    return _evaluate(collectives.broadcast(ops.constant(value, name=name or "Const"), root_rank))


def load_model(
    filepath: Any,
    custom_optimizers: Sequence[type] | None = None,
    custom_objects: Mapping[str, Any] | None = None,
    compression: Any = Compression.none,
) -> Any:
    """Loads a model with its optimizer wrapped in `DistributedOptimizer`, including optimizer state.

    Args:
      filepath: as in `tf.keras.models.load_model`.
      custom_optimizers: custom optimizer classes.
      custom_objects: other custom classes and functions, by name.
      compression: as in `DistributedOptimizer`.
    """

    def wrap(cls: Any) -> Any:
        return lambda **config: DistributedOptimizer(
            cls.from_config(config), compression=compression
        )

    custom = {name: wrap(cls) for name, cls in OPTIMIZERS.items()}
    custom.update({cls.__name__: wrap(cls) for cls in custom_optimizers or ()})
    return models.load_model(filepath, custom_objects={**custom, **(custom_objects or {})})
