"""What the kernels of TensorArrays say where they fail, and the shapes that they say it about."""

from __future__ import annotations

from typing import Any

from tfmini import dtypes
from tfmini.errors import InvalidArgumentError, UnimplementedError
from tfmini.graph.inference import Dims
from tfmini.ops.operands import c_name, shape_text


def invalid(problem: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, problem)


def partial_text(dims: Dims) -> str:
    """A partly known shape as error messages print it."""
    if dims is None:
        return "<unknown>"
    return "[" + ",".join("?" if d is None else str(d) for d in dims) + "]"


def is_full(dims: Dims) -> bool:
    return dims is not None and None not in dims


def fits(shape: tuple, dims: Dims) -> bool:
    """Whether a shape is one of those that `dims` says."""
    return dims is None or (
        len(dims) == len(shape) and all(d is None or d == s for d, s in zip(dims, shape))
    )


def check_indices(indices: Any) -> None:
    if indices.ndim != 1:
        shape = shape_text(indices.shape)
        raise invalid(f"Expected indices to be a vector, but received shape: {shape}")


def not_scalar(index: Any) -> InvalidArgumentError:
    shape = shape_text(index.shape)
    return invalid(f"TensorArray index must be scalar, but had shape: {shape}")


def other_dtype(held: dtypes.DType, what: str, dtype: dtypes.DType) -> InvalidArgumentError:
    return invalid(f"TensorArray dtype is {c_name(held)} but Op {what} dtype {c_name(dtype)}.")


def taken(name: str, index: int, how: str) -> InvalidArgumentError:
    return invalid(
        f"TensorArray {name}: Could not write to TensorArray index {index} because it has already been {how}."
    )


def unwritten(name: str, index: int, dims: Dims) -> InvalidArgumentError:
    return invalid(
        f"TensorArray {name}: Could not read from TensorArray index {index}.  Furthermore, the element shape is not "
        f"fully defined: {partial_text(dims)}.  It is possible you are working with a resizeable TensorArray and "
        "stop_gradients is not allowing the gradients to be written.  If you set the full element_shape property on "
        "the forward TensorArray, the proper all-zeros tensor will be returned instead of incurring this error."
    )


def unlike(name: str, index: int, shape: tuple, dims: Dims) -> InvalidArgumentError:
    return invalid(
        f"TensorArray {name}: Could not write to TensorArray index {index} because the value shape is "
        f"{shape_text(shape)} which is incompatible with the TensorArray's inferred element shape: "
        f"{partial_text(dims)} (consider setting infer_shape=False)."
    )


def empty(what: str, dims: Dims, doing: str) -> UnimplementedError:
    return UnimplementedError(
        None,
        None,
        f"TensorArray has size zero, but {what} {partial_text(dims)} is not fully defined. Currently only static "
        f"shapes are supported when {doing} zero-size TensorArrays.",
    )


def merged(known: Dims, dims: Dims) -> Dims:
    """What both shapes say together; InvalidArgumentError if they differ."""
    if known is None or dims is None:
        return dims if known is None else known
    problem = "PartialTensorShape: Incompatible"
    if len(known) != len(dims):
        raise invalid(f"{problem} ranks during merge: {len(known)} vs. {len(dims)}")
    if any(None not in pair and pair[0] != pair[1] for pair in zip(known, dims)):
        both = f"{partial_text(known)} vs. {partial_text(dims)}"
        raise invalid(f"{problem} shapes during merge: {both}")
    return tuple(b if a is None else a for a, b in zip(known, dims))
