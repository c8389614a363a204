"""Op that initializes a variable to zero if uninitialized."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.variables.resource_variable import is_resource_variable


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Tensor:
    """Initializes a variable to zeros.

    Args:
      ref: a numeric variable.
      use_locking: accepted for compatibility; assignments always lock.

    Returns:
      The variable after initialization: its reference, or the handle of a resource variable.

    Raises:
      TypeError: if `ref` is not a variable.
      InvalidArgumentError (at run time): if a reference variable has a value; a resource variable keeps it.

    Example: `session.run(tf.contrib.framework.zero_initializer(v))`.
    """
    if is_resource_variable(ref):
        return raw.ZeroVarInitializer(ref.handle, shape=ref.shape, dtype=ref.dtype, name=name)
    return raw.ZeroInitializer(ref, name=name)
