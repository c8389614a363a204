"""Placeholders named after the tensors they replace."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

PREFIX = "geph"


def finalize_scope(scope: str) -> str:
    """Returns a scope with a trailing "/"."""
    return scope + "/" if scope and not scope.endswith("/") else scope


def placeholder_name(
    t: TensorLike | None = None, scope: str | None = None, prefix: str = PREFIX
) -> str:
    """Returns the name of a tensor's placeholder: "scope/geph__NAME_0".

    Args:
      t: the tensor, or None.
      scope: the scope; by default the tensor's own.
      prefix: prefix of the name.

    Raises:
      TypeError: if `t` is not a tensor.
    """
    if t is None:
        return finalize_scope(scope or "") + prefix
    if not isinstance(t, Tensor):
        raise TypeError(f"Expected a tf.Tenfor, got: {type(t)}")
    scope_path, slash, name = t.op.name.rpartition("/")
    if not name.startswith(prefix + "__"):
        name = f"{prefix}__{name}_{t.value_index}"
    return (scope_path + slash if scope is None else finalize_scope(scope)) + name


def make_placeholder_from_tensor(t: Tensor, scope: str | None = None, prefix: str = PREFIX) -> Any:
    """Returns a placeholder with a tensor's dtype and shape, named by `placeholder_name`."""
    return ops.placeholder(t.dtype, t.get_shape(), placeholder_name(t, scope, prefix))


def make_placeholder_from_dtype_and_shape(
    dtype: DTypeLike,
    shape: TensorLike | None = None,
    scope: str | None = None,
    prefix: str = PREFIX,
) -> Any:
    """Returns a placeholder with the given dtype and shape, named "scope/geph"."""
    return ops.placeholder(dtype, shape, placeholder_name(None, scope, prefix))
