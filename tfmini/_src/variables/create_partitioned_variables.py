"""`tf.create_partitioned_variables`, which partitions a variable by explicit slicing instead of a partitioner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.scopes import name_scope
from tfmini._src.variables.get_variable import get_variable_scope, variable_store
from tfmini._src.variables.store import Request
from tfmini._src.variables.variable_scope import variable_scope


@deprecated(None, "Use `tf.get_variable` with a partitioner set.")
def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: str | Callable[..., Any] | None,
    dtype: DTypeLike = dtypes.float32,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    name: str | None = None,
    reuse: bool | None = None,
) -> list[Any]:
    """Returns the partitions of a variable of `shape`, split into `slicing[i]` parts along dimension i.

    Args:
      shape: shape of the full variable.
      slicing: number of partitions per dimension; only one may exceed 1.
      initializer: a Tensor of the full shape, or an initializer.
      dtype, trainable, collections: see `tf.get_variable`.
      name: variable scope of the partitions, made unique; by default "PartitionedVariable".
      reuse: see `tf.variable_scope`.

    Returns:
      A list of the variables, in order.

    Raises:
      ValueError: if `slicing` does not match the shape.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            "The 'shape' and 'slicing' of a partitioned Variable must have the length: "
            f"shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        scope = get_variable_scope()
        if scope.custom_getter is not None:
            raise ValueError(
                "Private access to _get_partitioned_variable is not allowed when a custom getter "
                "is "
                f"set.  Current custom getter: {scope.custom_getter}.  It is likely that you're "
                "using "
                "create_partitioned_variables.  If so, consider instead using get_variable with a "
                "non-empty partitioner parameter instead."
            )
        request = Request(
            scope.name,
            shape,
            scope.dtype if dtype is None else dtype,
            scope.initializer if initializer is None else initializer,
            scope.regularizer,
            scope.reuse,
            trainable,
            collections,
            scope.caching_device,
            lambda **unused: slicing,
            use_resource=scope.use_resource,
            constraint=scope.constraint,
        )
        with name_scope(None):
            return list(variable_store().get_partitioned(request))
