"""`tf.scatter_*` and `tf.scatter_nd_*`: scatter updates of reference and resource variables."""

from __future__ import annotations

from typing import Any, Protocol

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops

_ROWS = """{does} the rows of variable `ref` that `indices` names.

    Row `indices[i, ..., j]` of `ref` {becomes} `updates[i, ..., j]`. Where an index repeats, the
    updates are applied one after the other.

    Args:
      ref: a variable, or a ref tensor, of shape [n, ...].
      indices: int32 or int64, any shape, in [0, n).
      updates: a tensor of the variable's dtype and of shape indices.shape + ref.shape[1:], or a scalar.
      use_locking: accepted; a write always excludes others.
      name: the name of the op.

    Returns:
      What holds the new value, as `tf.assign` does.

    Raises, when it runs:
      InvalidArgumentError: for an index outside the variable; nothing is changed.

    Example: `tf.scatter_{name}(v, [0, 2], [[1.0, 1.0], [2.0, 2.0]])`.
    """

_POINTS = """{does} the elements or slices of variable `ref` that `indices` names.

    Args:
      ref: a variable, or a ref tensor, of rank r.
      indices: int32 or int64 [..., k], each last axis a point (k = r) or a slice (k < r) of `ref`.
      updates: a tensor of the variable's dtype and of shape indices.shape[:-1] + ref.shape[k:].
      use_locking: accepted; a write always excludes others.
      name: the name of the op.

    Returns:
      What holds the new value, as `tf.assign` does.

    Raises, when it runs:
      InvalidArgumentError: for an index outside the variable; nothing is changed.

    Example: `tf.scatter_nd_{name}(v, [[4], [3]], [9.0, 10.0])`.
    """


class _Scatter(Protocol):
    """The signature that editors show for the generated functions of this module."""

    def __call__(
        self, ref: Any, indices: Any, updates: Any, use_locking: bool = ..., name: str | None = None
    ) -> Any: ...


def _public(name: str, op_type: str, doc: str, default_locking: bool) -> _Scatter:
    """Returns the public function for a Scatter op and its resource counterpart."""

    def scatter(
        ref: Any,
        indices: Any,
        updates: Any,
        use_locking: bool = default_locking,
        name: str | None = None,
    ) -> Any:
        if ref.dtype._is_ref_dtype:
            ref_op = getattr(raw, op_type)
            return ref_op(ref, indices, updates, use_locking=use_locking, name=name)
        resource_op = getattr(raw, f"Resource{op_type}")
        read = ref._lazy_read  # fails for non-variables, before any node is added
        updates = ops.convert_to_tensor(updates, ref.dtype)
        return read(resource_op(ref.handle, indices, updates, name=name))

    scatter.__name__ = scatter.__qualname__ = name
    scatter.__doc__ = doc
    return public(scatter)


def _format_doc(doc: str, name: str, does: str, becomes: str) -> str:
    return doc.format(name=name, does=does, becomes=becomes)


scatter_update = _public(
    "scatter_update", "ScatterUpdate", _format_doc(_ROWS, "update", "Sets", "becomes"), True
)
scatter_add = _public(
    "scatter_add", "ScatterAdd", _format_doc(_ROWS, "add", "Adds to", "grows by"), False
)
scatter_sub = _public(
    "scatter_sub", "ScatterSub", _format_doc(_ROWS, "sub", "Subtracts from", "shrinks by"), False
)
scatter_mul = _public(
    "scatter_mul", "ScatterMul", _format_doc(_ROWS, "mul", "Multiplies", "is multiplied by"), False
)
scatter_div = _public(
    "scatter_div", "ScatterDiv", _format_doc(_ROWS, "div", "Divides", "is divided by"), False
)
scatter_max = _public(
    "scatter_max", "ScatterMax", _format_doc(_ROWS, "max", "Raises", "is raised to at least"), False
)
scatter_min = _public(
    "scatter_min", "ScatterMin", _format_doc(_ROWS, "min", "Lowers", "is lowered to at most"), False
)
scatter_nd_update = _public(
    "scatter_nd_update", "ScatterNdUpdate", _format_doc(_POINTS, "update", "Sets", ""), True
)
scatter_nd_add = _public(
    "scatter_nd_add", "ScatterNdAdd", _format_doc(_POINTS, "add", "Adds `updates` to", ""), False
)
scatter_nd_sub = _public(
    "scatter_nd_sub",
    "ScatterNdSub",
    _format_doc(_POINTS, "sub", "Subtracts `updates` from", ""),
    False,
)


@public
@deprecated("2018-11-29", "Use the batch_scatter_update method of Variable instead.")
def batch_scatter_update(
    ref: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    use_locking: bool = True,
    name: str | None = None,
) -> Any:
    """Assigns elements of variable `ref` along the last axis of `indices`, batch by batch.

    Args:
      ref: a variable of rank at least b + 1.
      indices: int32 or int64 tensor of rank b + 1; `indices[i, ..., j]` is a position on axis b of `ref[i, ...]`.
      updates: a tensor with the variable's dtype and shape indices.shape + ref.shape[b + 1:].
      use_locking: ignored; writes are always exclusive.
      name: a name scope for the ops.

    Returns:
      The new value, as from `tf.assign`.

    Raises:
      ValueError: if the rank of `indices` is unknown.
    """
    with name_scope(name):
        indices = ops.convert_to_tensor(indices, name="indices")
        shape = ops.shape(indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        points = ops.expand_dims(indices, axis=-1)
        coordinates = []
        for axis in range(rank - 1):
            size = shape[axis]
            broadcast_shape: list[Any] = [1] * (rank + 1)
            broadcast_shape[axis] = size
            batch_indices = ops.reshape(raw.Range(0, size, 1), broadcast_shape)
            if batch_indices.dtype.base_dtype != points.dtype:
                batch_indices = raw.Cast(batch_indices, DstT=points.dtype)
            coordinates.append(batch_indices * ops.ones_like(points))
        coordinates.append(points)
        points = ops.concat(coordinates, axis=-1)
        return scatter_nd_update(ref, points, updates, use_locking=use_locking)
