"""A variable scope that stores bfloat16 variables in float32."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.public_functions import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


@contextmanager
def bfloat16_scope() -> Iterator[VariableScope]:
    """Variable scope for models that compute in bfloat16; variables are stored as float32 and read as bfloat16.

    Yields:
      The scope, which has the name of the enclosing scope.

    Example:

      with tf.contrib.tpu.bfloat16_scope():
          logits = model(tf.cast(images, tf.bfloat16))
    """
    with variable_scope("", custom_getter=_in_float32) as scope:
        yield scope


def _in_float32(getter: Callable, *args: Any, **kwargs: Any) -> Any:
    if kwargs["dtype"] != dtypes.bfloat16:
        return getter(*args, **kwargs)
    return ops.cast(getter(*args, **{**kwargs, "dtype": dtypes.float32}), dtypes.bfloat16)
