"""Input functions of `tf.contrib.learn.io`, as in `tf.estimator.inputs`, but shuffling by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.inputs import (
    numpy_input_fn as numpy_arrays,
    pandas_input_fn as data_frames,
)


@deprecated(None, "Use tf.compat.v1.estimator.inputs.numpy_input_fn.")
@arguments_of(numpy_arrays.numpy_input_fn, shuffle=True)
def numpy_input_fn(*args: Any) -> Callable:
    """Returns an input function over arrays; same arguments and errors as `tf.estimator.inputs.numpy_input_fn`."""
    return numpy_arrays.numpy_input_fn(*args)


@deprecated(None, "Please use tf.compat.v1.estimator.inputs.pandas_input_fn")
@arguments_of(data_frames.pandas_input_fn, shuffle=True)
def pandas_input_fn(*args: Any) -> Callable:
    """Returns an input function over a data frame; arguments and errors as in `tf.estimator.inputs.pandas_input_fn`."""
    return data_frames.pandas_input_fn(*args)
