"""`tensorflow.python.ops.distributions.util`: checks, and values and shapes that are static if possible."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks, parameters

__all__ = [
    "assert_integer_form",
    "dimension_size",
    "embed_check_integer_casting_closed",
    "get_logits_and_probs",
    "maybe_get_static_value",
    "parent_frame_arguments",
    "prefer_static_broadcast_shape",
    "prefer_static_rank",
    "prefer_static_shape",
    "prefer_static_value",
    "rotate_transpose",
    "same_dynamic_shape",
]


def assert_integer_form(x: Any, message: str | None = None, int_dtype: Any = None) -> Any:
    """Checks that floats are whole numbers, by a cast to `int_dtype` and back."""
    x = convert_to_tensor(x, name="x")
    return checks.assert_integer_form(x, message or f"{x} has non-integer components", int_dtype)


def embed_check_integer_casting_closed(
    x: Any, target_dtype: Any, assert_nonnegative: bool = True
) -> Tensor:
    """Returns the tensor with a check that a cast to the dtype does not change its whole numbers."""
    if assert_nonnegative:
        return checks.check_cast(x, target_dtype)
    x = convert_to_tensor(x, name="x")
    message = f"Elements must be {target_dtype.name}-equivalent."
    if x.dtype.is_integer and not x.dtype.is_unsigned and target_dtype.is_unsigned:
        check = ops.assert_non_negative(x, message="Elements cannot be smaller than 0.")
        x = ops.with_dependencies([check], x)
    back = ops.cast(ops.cast(x, target_dtype), x.dtype)
    return ops.with_dependencies([ops.assert_equal(x, back, message=message)], x)


def get_logits_and_probs(
    logits: Any = None,
    probs: Any = None,
    multidimensional: bool = False,
    validate_args: bool = False,
    name: str = "get_logits_and_probs",
    dtype: Any = None,
) -> tuple[Tensor, Tensor]:
    """Returns logits and probabilities, one computed from the other; over classes if `multidimensional`."""
    return parameters.logits_and_probs(logits, probs, validate_args, name, multidimensional, dtype)


def maybe_get_static_value(x: Any, dtype: Any = None) -> Any:
    """Returns the value of a tensor if statically known, else None; as an array of NumPy dtype `dtype` if specified."""
    value = None if x is None else ops.get_static_value(x)
    return value if value is None or dtype is None else np.array(value, dtype)


def prefer_static_value(x: Any) -> Any:
    """Returns the value of a tensor if statically known, else the tensor."""
    value = ops.get_static_value(x)
    return x if value is None else value


def prefer_static_rank(x: Any) -> Any:
    """Returns the rank of a tensor, as a NumPy array if statically known."""
    return prefer_static_value(ops.rank(x))


def prefer_static_shape(x: Any) -> Any:
    """Returns the shape of a tensor, as a NumPy array if statically known."""
    return prefer_static_value(ops.shape(x))


def prefer_static_broadcast_shape(
    shape1: Any, shape2: Any, name: str = "prefer_static_broadcast_shape"
) -> Any:
    """Returns the shape of a broadcast, as a TensorShape if both shapes are known, else as a tensor.

    Raises:
      ValueError: for a partially known TensorShape together with a tensor, or for incompatible shapes.
    """
    with name_scope(name, values=[shape1, shape2]):
        shapes = [
            shape
            if isinstance(shape, TensorShape)
            else convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
            for shape in (shape1, shape2)
        ]
        values = [
            shape if isinstance(shape, TensorShape) else ops.get_static_value(shape)
            for shape in shapes
        ]
        if all(value is not None for value in values):
            return ops.broadcast_static_shape(*map(TensorShape, values))
        for shape in shapes:
            if isinstance(shape, TensorShape) and not shape.is_fully_defined():
                raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
        return ops.broadcast_dynamic_shape(
            *(
                convert_to_tensor(shape.as_list(), dtype=dtypes.int32)
                if isinstance(shape, TensorShape)
                else shape
                for shape in shapes
            )
        )


def dimension_size(x: Tensor, axis: int) -> Any:
    """Returns the size of an axis, as an int if statically known, else as a tensor."""
    size = x.shape.with_rank_at_least(abs(axis)).as_list()[axis]
    return ops.shape(x)[axis] if size is None else size


def same_dynamic_shape(a: Any, b: Any) -> Tensor:
    """Returns whether two tensors have the same shape, as a bool scalar."""
    first, second = (ops.shape(convert_to_tensor(x)) for x in (a, b))
    agree: Tensor = ops.cond(
        ops.equal(ops.size(first), ops.size(second)),
        lambda: ops.reduce_all(
            ops.equal(ops.concat([first, second], 0), ops.concat([second, first], 0))
        ),
        lambda: ops.constant(False),
    )
    return agree


def rotate_transpose(x: Any, shift: Any, name: str = "rotate_transpose") -> Tensor:
    """Rotates the axes of the tensor by `shift` to the right, moving the last axes to the front; left if negative."""
    with name_scope(name, values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        shift = convert_to_tensor(shift, name="shift")
        ops.assert_integer(shift)
        static = ops.get_static_value(shift)
        rank = x.shape.ndims
        if rank is not None and static is not None:
            return ops.transpose(x, np.roll(np.arange(rank), static)) if rank > 1 else x
        axes = ops.range(ops.rank(x))
        start = ops.floormod(-shift, ops.rank(x))
        moved: Tensor = ops.transpose(x, ops.concat([axes[start:], axes[:start]], 0))
        return moved


def parent_frame_arguments() -> dict[str, Any]:
    """Returns the arguments of the calling function with their current values, including `**kwargs` but not `*args`."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    names, _, keywords, values = inspect.getargvalues(frame.f_back)
    return {**{name: values[name] for name in names}, **values.get(keywords or "", {})}
