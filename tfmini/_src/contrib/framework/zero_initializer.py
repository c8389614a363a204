"""An op that sets a variable to zero unless it has a value."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.variables.resource_variable import is_resource_variable


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Tensor:
    """Gives a variable zeros as its first value.

    Args:
      ref: a variable of numbers.
      use_locking: other updates wait; an assignment always has them wait.
      name: of the operation.

    Returns:
      The variable itself, once it has the value: its reference, or the handle of a resource variable.

    Raises:
      TypeError: if `ref` is not a variable.
      InvalidArgumentError: when run, if a reference variable has a value; a resource variable keeps it.

    Example: `session.run(tf.contrib.framework.zero_initializer(v))`.
    """
    if is_resource_variable(ref):
        return raw.ZeroVarInitializer(ref.handle, shape=ref.shape, dtype=ref.dtype, name=name)
    return raw.ZeroInitializer(ref, name=name)
