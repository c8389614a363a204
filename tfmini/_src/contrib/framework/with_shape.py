"""Tensor checks, static or at run time: shapes, scalar integers, axes of size 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.assert_type import assert_scalar
from tfmini._src.ops.checks.asserts import Assert

_SWITCH_NOTICE = (
    "Please switch to remove_squeezable_dimensions from tf.confusion_matrix. Note that the order of the inputs "
    "and outputs of labels and predictions have also been switched."
)


def with_same_shape(expected_tensor: Tensor, tensor: Tensor) -> Tensor:
    """Checks that `tensor` has the shape of `expected_tensor`; see `with_shape`."""
    with name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        static = expected_tensor.get_shape()
        if static.is_fully_defined():
            expected: Any = static.as_list()
        else:
            expected = ops.shape(expected_tensor, name="expected_shape")
        return with_shape(expected, tensor)


def with_shape(expected_shape: TensorLike, tensor: Tensor) -> Tensor:
    """Checks the shape of a tensor and returns the tensor.

    Args:
      expected_shape: a list, int32 array or tensor of sizes; -1 for any size.
      tensor: the tensor to check.

    Returns:
      The tensor itself if its static shape suffices, else a tensor that depends on the check.

    Raises:
      ValueError: if the static shape differs, or `expected_shape` is not an int32 vector.
      InvalidArgumentError (at run time): if the shape differs.
    """
    if isinstance(tensor, SparseTensor):
        raise ValueError("SparseTensor not supported.")
    expected = _as_vector(expected_shape, tensor)
    actual = tensor.get_shape()
    if is_tensor(expected) or not actual.is_fully_defined():
        with name_scope(f"{tensor.op.name}/", values=[tensor]):
            if not is_tensor(expected) and len(expected) < 1:
                return ops.reshape(tensor, [])
            with control_dependencies([_assert_shape(expected, tensor)]):
                result = ops.identity(tensor)
            if not is_tensor(expected):
                result.set_shape(expected)
            return result
    if not actual.is_compatible_with(expected):
        if len(expected) < 1 and actual.is_compatible_with([1]):
            with name_scope(f"{tensor.op.name}/", values=[tensor]):
                return ops.reshape(tensor, [])
        raise ValueError(
            f"Invalid shape for tensor {tensor.name}, expected {expected}, got {actual}."
        )
    return tensor


def _as_vector(shape: Any, tensor: Tensor) -> Any:
    """Returns a shape as an int32 vector, unless it is a tensor or TensorShape."""
    if isinstance(shape, list | tuple):
        array = np.asarray(shape)
        shape = array.astype(np.int32) if array.dtype == np.int64 or not shape else array
    if isinstance(shape, np.ndarray) and shape.ndim > 1:
        raise ValueError(
            f"Invalid rank {shape.ndim} for shape {shape} expected of tensor {tensor.name}."
        )
    is_integer = True
    if is_tensor(shape):
        is_integer = shape.dtype.base_dtype == dtypes.int32
    elif isinstance(shape, np.ndarray):
        is_integer = shape.dtype == np.int32
    if not is_integer:
        raise ValueError(
            f"Invalid dtype {shape.dtype} for shape {shape} expected of tensor {tensor.name}."
        )
    return shape


def _assert_shape(expected: Any, tensor: Tensor) -> Any:
    """Returns an operation that fails if the tensor has another shape."""
    with name_scope("assert_shape", values=[tensor]) as scope:
        actual = ops.shape(tensor, name="actual")
        if isinstance(expected, TensorShape) and not expected.is_fully_defined():
            expected = [size if size else -1 for size in expected.as_list()]
        words = [f"Wrong shape for {tensor.name} [expected] [actual].", expected, actual]
        return Assert(_is_shape(expected, tensor, actual), words, name=scope)


def _is_shape(expected: Any, tensor: Tensor, actual: Tensor) -> Tensor:
    """Whether rank and sizes match."""
    with name_scope("is_shape", values=[tensor]) as scope:
        count = ops.size(expected)
        with name_scope("is_rank", values=[tensor]) as rank_scope:
            required = ops.convert_to_tensor(count, name="expected")
            rank = ops.rank(tensor, name="actual")
            is_rank = ops.equal(required, rank, name=rank_scope)
        with name_scope("shape_tensor_equal", values=[expected, actual]) as equal_scope:
            sizes = ops.logical_or(
                ops.equal(expected, -1),
                ops.equal(expected, actual, "equal"),
                name="exclude_partial_shape",
            )
            is_same = ops.reduce_all(sizes, name=equal_scope)
        return ops.logical_and(is_rank, is_same, name=scope)


def assert_scalar_int(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Checks statically that `tensor` is an integer scalar, and returns it.

    Raises:
      ValueError: for any other shape or dtype.
    """
    with name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = ops.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(
                f"Expected integer type for {tensor.name}, received type: {tensor.dtype}."
            )
        return assert_scalar(tensor, name=scope)


@deprecated(None, _SWITCH_NOTICE)
def remove_squeezable_dimensions(
    predictions: TensorLike, labels: TensorLike, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Drops the last dimension of predictions or labels if their ranks differ by 1; returns both.

    Example: predictions [2, 3, 1] and labels [2, 3] become two of shape [2, 3].
    """
    labels, predictions = ops.remove_squeezable_dimensions(labels, predictions, name=name)
    return predictions, labels
