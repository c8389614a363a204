"""Error messages of the TensorArray kernels."""

from __future__ import annotations

from typing import Any, NoReturn

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.lists.partial_shapes import dims_text
from tfmini._src.ops.operands import c_name, shape_text


def check_indices(indices: Any) -> None:
    if indices.ndim != 1:
        shape = shape_text(indices.shape)
        invalid(f"Expected indices to be a vector, but received shape: {shape}")


def raise_not_scalar(index: Any) -> NoReturn:
    shape = shape_text(index.shape)
    invalid(f"TensorArray index must be scalar, but had shape: {shape}")


def other_dtype(actual: dtypes.DType, op_name: str, dtype: dtypes.DType) -> NoReturn:
    invalid(f"TensorArray dtype is {c_name(actual)} but Op {op_name} dtype {c_name(dtype)}.")


def not_writable(name: str, index: int, access: str) -> NoReturn:
    invalid(
        f"TensorArray {name}: Could not write to TensorArray index {index} because it has already been {access}."
    )


def unwritten_error(name: str, index: int, dims: Dims) -> NoReturn:
    invalid(
        f"TensorArray {name}: Could not read from TensorArray index {index}.  Furthermore, the element shape is not "
        f"fully defined: {dims_text(dims)}.  It is possible you are working with a resizeable TensorArray and "
        "stop_gradients is not allowing the gradients to be written.  If you set the full element_shape property on "
        "the forward TensorArray, the proper all-zeros tensor will be returned instead of incurring this error."
    )


def raise_shape_mismatch(name: str, index: int, shape: tuple, dims: Dims) -> NoReturn:
    invalid(
        f"TensorArray {name}: Could not write to TensorArray index {index} because the value shape is "
        f"{shape_text(shape)} which is incompatible with the TensorArray's inferred element shape: "
        f"{dims_text(dims)} (consider setting infer_shape=False)."
    )


def empty_array_error(subject: str, dims: Dims, action: str) -> UnimplementedError:
    return UnimplementedError(
        None,
        None,
        f"TensorArray has size zero, but {subject} {dims_text(dims)} is not fully defined. Currently only static "
        f"shapes are supported when {action} zero-size TensorArrays.",
    )
