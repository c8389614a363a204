"""Static shape inference: helpers for shape rules, and constant folding for them.

A static shape is a tuple of int or None (None itself: unknown rank). A rule is `rule(op)`, which returns the shape of
the output, or a list of shapes. It reads an input's value with `input_value(op, i)` or `input_dims(op, i)`, and
raises InferenceError; the graph adds the node and its input shapes to the message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base.dtypes import variant
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, format_shape

Dims = tuple[int | None, ...] | None
ShapeRule: TypeAlias = Callable[[Operation], "Dims | list[Dims]"]
text = format_shape  # formats a shape for errors


class InferenceError(Exception):
    """A contradiction found by a shape rule; re-raised as a ValueError that names the node."""


def same_shape(op: Operation) -> Dims:
    """Returns the shape of the first input; outputs that forward a list have its element dtype and shape."""
    tensor = op.inputs[0]
    if tensor._dtype is variant and hasattr(tensor, "_handle_data"):
        for output in op.outputs:
            output._handle_data = tensor._handle_data
    return tensor._dims


def scalar(op: Operation) -> Dims:
    return ()


def unknown(op: Operation) -> Dims:
    return None


def copy_input_shape(index: int, rank: int | None = None) -> Callable[[Operation], Dims]:
    """Returns a rule whose output has the shape of input `index`, which must have `rank` dimensions if given."""

    def rule(op: Operation) -> Dims:
        dims = op.inputs[index]._dims
        return dims if rank is None else with_rank(dims, rank)

    return rule


def merge_dim(a: int | None, b: int | None) -> int | None:
    if a is None or a == b:
        return b
    if b is None:
        return a
    raise InferenceError(f"Dimensions must be equal, but are {a} and {b}")


def merge(a: Dims, b: Dims) -> Dims:
    """Merges two shapes; raises InferenceError if they contradict."""
    if a is None:
        return b
    if b is None:
        return a
    if len(a) != len(b):
        raise InferenceError(f"Shapes must be equal rank, but are {len(a)} and {len(b)}")
    for i, (m, n) in enumerate(zip(a, b)):
        if m is not None and n is not None and m != n:
            raise InferenceError(
                f"Dimension {i} in both shapes must be equal, but are {m} and {n}. "
                f"Shapes are {text(a)} and {text(b)}."
            )
    return tuple([n if m is None else m for m, n in zip(a, b)])


def unknown_dims(rank: int) -> tuple[None, ...]:
    """Returns a shape of `rank` unknown sizes; the rank is capped at `MAX_AXES` to guard against malformed graphs."""
    return (None,) * min(rank, MAX_AXES)


def with_rank(dims: Dims, rank: int) -> tuple[int | None, ...]:
    """Returns `dims` checked to have `rank` dimensions; all unknown if the rank was unknown."""
    if dims is None:
        return unknown_dims(rank)
    if len(dims) != rank:
        raise InferenceError(f"Shape must be rank {rank} but is rank {len(dims)}")
    return dims


def with_rank_at_least(dims: Dims, rank: int) -> Dims:
    if dims is not None and len(dims) < rank:
        raise InferenceError(f"Shape must be at least rank {rank} but is rank {len(dims)}")
    return dims


def with_rank_at_most(dims: Dims, rank: int) -> Dims:
    if dims is not None and len(dims) > rank:
        raise InferenceError(f"Shape must be at most rank {rank} but is rank {len(dims)}")
    return dims


def checked_ranks(*ranks: int | None, result: ShapeRule | Dims | list[Dims]) -> ShapeRule:
    """Returns a rule that checks input ranks in order (None: any); `result` is its output shapes, or their rule."""

    def rule(op: Operation) -> Dims | list[Dims]:
        for tensor, rank in zip(op.inputs, ranks):
            if rank is not None:
                with_rank(tensor._dims, rank)
        return result(op) if callable(result) else result

    return rule


def broadcast_dims(a: Dims, b: Dims) -> Dims:
    """Returns the output shape of a broadcasting binary op."""
    if a == b and a is not None and None not in a:
        return a
    if a is None or b is None:
        return None
    result: list[int | None] = []
    rank = max(len(a), len(b))
    for m, n in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b):
        if m is None or n is None:
            # One dim is unknown: a known dim above 1 determines the result; 1 and unknown give unknown.
            size = n if m is None else m
            result.append(size if size is not None and size > 1 else None)
        elif m == n or n == 1:
            result.append(m)
        elif m == 1:
            result.append(n)
        else:
            raise InferenceError(f"Dimensions must be equal, but are {m} and {n}")
    return tuple(result)


def broadcast(op: Operation) -> Dims:
    """Returns the shape rule of binary elementwise ops."""
    return broadcast_dims(op.inputs[0]._dims, op.inputs[1]._dims)


def reduce_dims(dims: Dims, axes: Sequence[int], keep_dims: bool) -> Dims:
    """Returns `dims` reduced over `axes` (all in 0..rank-1)."""
    if dims is None:
        return None
    if keep_dims:
        return tuple(1 if i in axes else d for i, d in enumerate(dims))
    return tuple(d for i, d in enumerate(dims) if i not in axes)


# Size limit for constant folding at graph construction.
_MAX_FOLDED = 10_000
# Upper bound on tensor ranks, as a guard against malformed graphs that claim more.
MAX_AXES = 10_000


def input_value(op: Operation, index: int) -> np.ndarray | None:
    """Returns the constant value of input `index`, or None; included in the message of a subsequent InferenceError."""
    value = _value_for_rule(op.inputs[index])
    if value is not None:
        note_value(op, index, value)
    return value


def size_input(op: Operation, index: int) -> int | None:
    """Returns scalar input `index` as a dimension, None if unknown; raises InferenceError if it is negative."""
    value = input_value(op, index)
    if value is None:
        return None
    if value.ndim:
        raise InferenceError(f"Input must be scalar but has rank {value.ndim}")
    if value < 0:
        raise InferenceError(
            f"Dimension size, given by scalar input {index}, must be non-negative but is {int(value)}"
        )
    return int(value)


def size_from_input(size: int) -> int | None:
    """Returns a size read from an input; None if it is unknown or negative, which fails at run time."""
    return None if size < 0 else int(size)


def input_dims(op: Operation, index: int) -> Dims:
    """Returns input `index`, a shape vector, as a static shape: known if constant, with -1 for unknown."""
    tensor = op.inputs[index]
    with_rank(tensor._dims, 1)
    dims = constant_dims(tensor)
    if dims is not None:
        note_value(op, index, dims, is_shape=True)
    return dims


def note_value(op: Operation, index: int, value: np.ndarray | Dims, is_shape: bool = False) -> None:
    """Records an input value read by a rule, for the error message."""
    op._consulted = [*(getattr(op, "_consulted", None) or ()), (index, value, is_shape)]


def constant_value(tensor: Tensor) -> np.ndarray | None:
    """Folds `tensor` to a constant if the graph alone determines its value; else returns None."""
    constant: np.ndarray | None = getattr(tensor, "_constant", None)
    if constant is not None:
        return constant
    if _depends_on_runtime(tensor):
        return None
    value = _constant_value(tensor)
    if value is not None:
        tensor._constant = value
        tensor._decides_shapes = True
    return value


def decides_shapes(tensor: Tensor) -> bool:
    """Whether a shape rule has read the value of `tensor`, or part of it."""
    return getattr(tensor, "_decides_shapes", False)


def is_decided(tensor: Tensor) -> bool:
    """Whether the graph alone may determine the value of `tensor`, or a shape rule has read part of it."""
    return decides_shapes(tensor) or not _depends_on_runtime(tensor)


_KNOWN_FROM_SHAPES = frozenset(["Shape", "Size", "Rank", "Switch"])


def _value_for_rule(tensor: Tensor) -> np.ndarray | None:
    """Same as `constant_value`, restricted as in TensorFlow's shape functions.

    A static shape determines only values computed from a Shape, Size or Rank, not these themselves.
    """
    op = tensor.op
    if op.opdef.name == "Enter":
        # Only values passed directly into a loop, not values computed from them.
        tensor._decides_shapes = True
        return constant_value(op.inputs[0])
    if op.opdef.depends_only_on_shapes and any(
        constant_value(source) is None for source in op.inputs
    ):
        return None
    return constant_value(tensor)


_NEVER_CONSTANT = ("Placeholder", "PlaceholderWithDefault", "Merge", "Enter", "Exit")


def _is_runtime_only(op: Operation) -> bool:
    """Whether a node's value is known only at run time."""
    opdef = op.opdef
    if opdef.name == "Const":
        return False
    return opdef.stateful or opdef.takes_context or not op.inputs or opdef.name in _NEVER_CONSTANT


def _depends_on_runtime(tensor: Tensor) -> bool:
    """Whether `tensor` depends on values known only at run time; iterative, as graphs may be deep.

    Does not follow shape queries, or a Switch, whose predicate may be known.
    """
    waiting = [tensor]
    while waiting:
        last = waiting[-1]
        op = last.op
        answer: bool | None = getattr(last, "_runtime_only", None)
        if answer is None:
            if op.opdef.name in _KNOWN_FROM_SHAPES:
                answer = False
            elif _is_runtime_only(op):
                answer = True
            else:
                runtime_only = [getattr(source, "_runtime_only", None) for source in op.inputs]
                answer = True if True in runtime_only else None if None in runtime_only else False
                if answer is None:
                    waiting.append(op.inputs[runtime_only.index(None)])
                    continue
            last._runtime_only = answer
        waiting.pop()
    return tensor._runtime_only


def _constant_value(tensor: Tensor) -> np.ndarray | None:
    op = tensor.op
    op_type = op.opdef.name
    if op_type == "Const":
        literal = op.attrs["value"]
        return None if literal.is_spread and literal.size > _MAX_FOLDED else literal.array
    if op_type in ("Shape", "ShapeN", "Size", "Rank"):
        dims: Any = op.inputs[tensor.value_index]._dims
        if dims is not None and (op_type == "Rank" or None not in dims):
            if op_type == "Rank":
                dims = len(dims)
            elif op_type == "Size":
                dims = int(np.prod(dims))
            return np.asarray(dims, tensor.dtype.as_numpy_dtype)
    if op_type == "Switch":
        indices = constant_value(op.inputs[1])
        if indices is None or bool(indices) != bool(tensor.value_index):
            return None
        return constant_value(op.inputs[0])
    if _is_runtime_only(op):
        return None
    dims = tensor._dims
    if dims is not None and None not in dims and np.prod(dims, dtype=float) > _MAX_FOLDED:
        return None
    inputs = []
    for source in op.inputs:
        if source.dtype._is_ref_dtype:
            return None
        value = constant_value(source)
        if value is None:
            return None
        inputs.append(value)
    return _run_kernel(op, inputs)[tensor.value_index]


def _run_kernel(op: Operation, inputs: list[np.ndarray]) -> Sequence[np.ndarray | None]:
    try:
        return op.opdef.run_on_host(inputs, op.attrs)
    except Exception:  # the error is reported at run time instead
        return [None] * len(op.outputs)


def constant_dims(tensor: Tensor) -> Dims:
    """Returns the static shape described by `tensor`, a shape vector, as far as known."""
    dims = _described_dims(tensor)
    if dims and dims.count(None) < len(dims):
        tensor._decides_shapes = True
    return dims


def _described_dims(tensor: Tensor) -> Dims:
    if tensor._dims == (0,):
        return ()
    op: Any = getattr(tensor, "op", None)  # eager tensors have none
    op_type = None if op is None else op.opdef.name
    if op_type in ("Shape", "ShapeN"):
        dims: Dims = op.inputs[tensor.value_index]._dims
        if dims is not None:
            return dims
    constant = getattr(tensor, "_constant", None)
    if constant is not None:
        return tuple([None if size < 0 else int(size) for size in constant])
    if op_type == "Pack" and op.attrs["axis"] == 0:
        values = [_value_for_rule(t) for t in op.inputs]
        return tuple([None if v is None or v < 0 else int(v) for v in values])
    if op_type in ("ConcatV2", "Concat"):
        parts = op.inputs[:-1] if op_type == "ConcatV2" else op.inputs[1:]
        result: tuple[int | None, ...] = ()
        for part in parts:
            dims = constant_dims(part)
            if dims is None:
                return None
            result += dims
        return result
    if op_type == "StridedSlice":
        sliced = _sliced_dims(op)
        if sliced is not None:
            return sliced
    value = _value_for_rule(tensor)
    if value is not None:
        if value.ndim == 0:
            return None
        for size in value.tolist():
            if size < -1:
                raise ValueError(f"Invalid value in tensor used for shape: {size}")
        return tuple([None if d < 0 else d for d in value.tolist()])
    length = tensor._dims
    if length is None or len(length) != 1 or length[0] is None:
        return None
    return unknown_dims(length[0])


def _sliced_dims(op: Operation) -> Dims:
    """Returns the part of a partially known shape selected by a StridedSlice, if it is a plain slice."""
    masks = op.attrs
    if any(t._dims != (1,) for t in op.inputs[1:4]):
        return None
    if masks["ellipsis_mask"] or masks["new_axis_mask"] or masks["shrink_axis_mask"]:
        return None
    start = 0 if masks["begin_mask"] == 1 else _value_for_rule(op.inputs[1])
    end = _END if masks["end_mask"] == 1 else _value_for_rule(op.inputs[2])
    stride = _value_for_rule(op.inputs[3])
    if start is None or end is None or stride is None:
        return None
    dims = constant_dims(op.inputs[0])
    return (
        None
        if dims is None
        else _subshape(dims, *(int(np.ravel(v)[0]) for v in (start, end, stride)))
    )


_END = 2**63 - 1


def _subshape(
    dims: tuple[int | None, ...], start: int, end: int, stride: int
) -> tuple[int | None, ...]:
    """Returns `dims[start:end:stride]`; raises ValueError for bounds outside the shape, as TensorFlow does."""
    rank = len(dims)
    first, last = min(start, rank), min(end, rank)
    if stride < 0 and first == rank:
        first -= 1
    first += rank if first < 0 else 0
    last += rank if last < 0 else 0
    if first < 0:
        raise ValueError(f"Subshape start out of bounds: {start}, for shape with rank {rank}")
    if last < 0:
        raise ValueError(f"Subshape end out of bounds: {end}, for shape with rank {rank}")
    computed = f"(computed from start {start} and end {end} over shape with rank {rank}"
    if stride > 0 and first > last:
        raise ValueError(
            f"Subshape must have computed start <= end, but is {first} and {last} {computed})"
        )
    if stride < 0 and first < last:
        raise ValueError(
            "Subshape must have computed start >= end since stride is negative, but is "
            f"{first} and {last} {computed} and stride{stride})"
        )
    return tuple([dims[i] for i in range(first, last, stride)])
