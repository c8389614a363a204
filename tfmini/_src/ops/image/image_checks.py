"""Argument checks of image functions: ranks and sizes, checked statically if known, else at run time."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

_EMPTY_IMAGE_ERROR = "all dims of 'image.shape' must be > 0"


def is_tensor(value: Any) -> bool:
    """Whether a value is only known at run time: a tensor or a variable."""
    return isinstance(value, Tensor) or hasattr(value, "_as_graph_element")


def require(condition: Any, message: str) -> list[Any]:
    """Raises ValueError unless a condition is true; for a tensor, returns an op that asserts the condition."""
    if is_tensor(condition):
        return [ops.Assert(condition, [message])]
    if not condition:
        raise ValueError(message)
    return []


def image_sizes(image: Any, rank: int) -> list[Any]:
    """Returns the sizes of an image: ints if known, else tensors."""
    shape = image.shape
    if shape.is_fully_defined():
        return shape.as_list()
    static_sizes = shape.with_rank(rank).as_list()
    actual = ops.unstack(ops.shape(image), rank)
    return [dynamic if static is None else static for static, dynamic in zip(static_sizes, actual)]


def checks_of_images(image: Any) -> list[Any]:
    """Returns ops that assert that a tensor is a nonempty image or batch, of rank 3 or more."""
    try:
        if image.shape.ndims is None:
            shape = image.shape.with_rank(3)
        else:
            shape = image.shape.with_rank_at_least(3)
    except ValueError:
        raise ValueError("'image' must be at least three-dimensional.") from None
    if any(size == 0 for size in shape):
        raise ValueError(f"{_EMPTY_IMAGE_ERROR}: {shape}")
    if shape.is_fully_defined():
        return []
    return [
        ops.assert_positive(ops.shape(image), [f"{_EMPTY_IMAGE_ERROR}."]),
        ops.assert_greater_equal(
            ops.rank(image), 3, message="'image' must be at least three-dimensional."
        ),
    ]


def checked_image(image: Any) -> Any:
    """Returns the image with control dependencies on its checks."""
    return ops.with_dependencies(checks_of_images(image), image)


def three_or_four(image: Any) -> ValueError:
    """Returns the ValueError for images whose rank is neither 3 nor 4."""
    return ValueError("'image' must have either 3 or 4 dimensions.")


def as_batch(image: Any) -> tuple[Any, bool]:
    """Returns an image as a batch, and whether it was a single image (assumed for unknown rank)."""
    ndims = image.shape.ndims
    if ndims == 3:
        return ops.expand_dims(image, 0), True
    if ndims is None:
        image = ops.expand_dims(image, 0)
        image.set_shape([None] * 4)
        return image, True
    if ndims != 4:
        raise three_or_four(image)
    return image, False


def restore_rank(batch: Any, was_one: bool) -> Any:
    """Inverse of `as_batch`: returns the batch or its single image."""
    return ops.squeeze(batch, axis=[0]) if was_one else batch


def larger(x: Any, y: Any) -> Any:
    """Returns the larger of two numbers, using an op if one is a tensor."""
    return ops.maximum(x, y) if is_tensor(x) or is_tensor(y) else max(x, y)


def smaller(x: Any, y: Any) -> Any:
    """Returns the smaller of two numbers, using an op if one is a tensor."""
    return ops.minimum(x, y) if is_tensor(x) or is_tensor(y) else min(x, y)
