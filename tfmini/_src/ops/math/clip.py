"""Clipping of values and of the norms of tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import NUMBERS


@op("ClipByValue", "t: T, clip_value_min: T, clip_value_max: T -> output: T", T=NUMBERS)
def clip_by_value_op(xp, t, low, high):
    if any(bound.shape not in ((), t.shape) for bound in (low, high)):
        invalid(
            "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
            f"input shape: {shape_text(t.shape)}clip_value_min shape: {shape_text(low.shape)}"
            f"clip_value_max shape: {shape_text(high.shape)}",
        )
    return xp.maximum(xp.minimum(t, high), low)


clip_by_value_op.infer(same_shape)


def _dense_values(t: Any) -> Any:
    return t.values if isinstance(t, IndexedSlices) else t


def _wrap_like(t: Any, values: Tensor) -> Any:
    """Wraps `values` as IndexedSlices if `t` is one."""
    return (
        IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values
    )


@public
def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Any:
    """Clips each element of `t` to a range.

    Args:
      t: a real Tensor or IndexedSlices.
      clip_value_min, clip_value_max: the bounds, tensors that broadcast to the shape of `t`.

    Raises:
      ValueError: if broadcasting with the bounds would enlarge `t`.

    Example: `tf.clip_by_value([-2.0, 0.5, 3.0], -1.0, 1.0)` is `[-1.0, 0.5, 1.0]`.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as name:
        values = ops.convert_to_tensor(_dense_values(t), name="t")
        low = ops.minimum(values, clip_value_max)
        values.shape.merge_with(low.shape)
        clipped = ops.maximum(low, clip_value_min, name=name)
        values.shape.merge_with(clipped.shape)
        return _wrap_like(t, clipped)


@public
def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: TensorLike | None = None, name: str | None = None
) -> Any:
    """Scales `t` down to a Euclidean norm of at most `clip_norm`.

    Args:
      t: a float Tensor or IndexedSlices.
      clip_norm: the maximum norm, a positive scalar.
      axes: the axes over which each norm is computed; all by default.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as name:
        values = ops.convert_to_tensor(_dense_values(t), name="t")
        squares = ops.reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        # The square root is not differentiable at 0.
        safe = ops.where(positive, squares, ops.ones_like(squares))
        norm = ops.where(positive, ops.sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.merge_with(scaled.shape)
        clipped = ops.identity(scaled / ops.maximum(norm, clip_norm), name=name)
        return _wrap_like(t, clipped)


def _checked_list(t_list: Any) -> list:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    return list(t_list)


def _all_values(t_list: list) -> list:
    return [
        None if t is None else ops.convert_to_tensor(_dense_values(t), name=f"t_{i}")
        for i, t in enumerate(t_list)
    ]


@public
def global_norm(t_list: Iterable[Any], name: str | None = None) -> Tensor:
    """Returns the Euclidean norm of all elements of a list of tensors.

    Args:
      t_list: a sequence of float Tensors, IndexedSlices and None, which is ignored.

    Returns:
      A scalar Tensor.

    Raises:
      TypeError: if `t_list` is not a sequence.
    """
    t_list = _checked_list(t_list)
    with name_scope(name, "global_norm", t_list) as name:
        halves = []
        for values in _all_values(t_list):
            if values is not None:
                with colocate_with(values):
                    halves.append(raw.L2Loss(values))
        half = ops.reduce_sum(ops.stack(halves))
        return ops.sqrt(half * ops.constant(2.0, dtype=half.dtype), name="global_norm")


@public
def clip_by_global_norm(
    t_list: Iterable[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """Scales a list of tensors down by a common factor to a global norm of at most `clip_norm`.

    Args:
      t_list: a sequence of float Tensors, IndexedSlices and None.
      clip_norm: the maximum norm, a positive scalar.
      use_norm: the global norm, if already computed.

    Returns:
      The scaled list, where None stays None and tensors are NaN if the norm is not finite, and the original norm.

    Raises:
      TypeError: if `t_list` is not a sequence.
    """
    t_list = _checked_list(t_list)
    if use_norm is None:
        use_norm = ops.global_norm(t_list, name)
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as name:
        dtype = use_norm.dtype
        shrink = ops.minimum(1.0 / use_norm, ops.constant(1.0, dtype=dtype) / clip_norm)
        finite_scale = clip_norm * shrink
        is_finite = ops.is_finite(use_norm)
        scale = ops.where(is_finite, finite_scale, ops.constant(float("nan"), dtype=dtype))
        clipped: list[Any] = []
        for i, (t, values) in enumerate(zip(t_list, _all_values(t_list))):
            if values is None:
                clipped.append(None)
                continue
            with colocate_with(values):
                clipped.append(_wrap_like(t, ops.identity(values * scale, name=f"{name}_{i}")))
    return clipped, use_norm


@public
@deprecated(
    None,
    "clip_by_average_norm is deprecated in TensorFlow 2.0. Please use clip_by_norm(t, clip_norm * "
    "tf.cast(tf.size(t), tf.float32), name) instead.",
)
def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: str | None = None) -> Tensor:
    """Scales `t` down so that its Euclidean norm divided by the number of its elements is at most `clip_norm`."""
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as name:
        t = ops.convert_to_tensor(t, name="t")
        count = ops.cast(ops.size(t), dtypes.float32)
        inverse = ops.rsqrt(ops.reduce_sum(t * t, ops.range(ops.rank(t))))
        scaled = t * clip_norm
        factor = ops.minimum(inverse * count, ops.constant(1.0) / clip_norm)
        return ops.identity(scaled * factor, name=name)
