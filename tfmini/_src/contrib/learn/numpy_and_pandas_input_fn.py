"""`tf.estimator.inputs`' functions as `tf.contrib.learn.io` has them: they shuffle unless told otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.models.estimator.inputs import numpy_input_fn as numpy_arrays
from tfmini._src.models.estimator.inputs import pandas_input_fn as data_frames


@deprecated(None, "Use tf.compat.v1.estimator.inputs.numpy_input_fn.")
def numpy_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable:
    """An input function of arrays; same arguments and errors as `tf.estimator.inputs.numpy_input_fn`."""
    return numpy_arrays.numpy_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )


@deprecated(None, "Please use tf.compat.v1.estimator.inputs.pandas_input_fn")
def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable:
    """An input function of a data frame; arguments and errors of `tf.estimator.inputs.pandas_input_fn`."""
    return data_frames.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )
