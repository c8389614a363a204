"""Gradients of broadcasting ops, which reduce an output gradient to the shape of an input."""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX32, shape_text


def reduced_axes(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Returns the axes along which shapes `x` and `y` are or may be broadcast."""
    if x == y:
        return [], []
    rank = max(len(x), len(y))
    m, n = (1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y
    if any(a != b and 1 not in (a, b) for a, b in zip(m, n)):
        raise ValueError(f"Incompatible shapes: {shape_text(x)} vs. {shape_text(y)}")
    return [i for i in range(rank) if m[i] == 1], [i for i in range(rank) if n[i] == 1]


@op(
    "BroadcastGradientArgs",
    "s0: T, s1: T -> r0: T, r1: T",
    differentiable=False,
    static_inputs=("s0", "s1"),
    T=INDEX32,
)
def broadcast_gradient_args(xp, s0, s1):
    for position, shape in enumerate((s0, s1)):
        if shape.ndim != 1:
            invalid(f"In[{position}] must be a vector.{shape_text(shape.shape)}")
    try:
        axes = reduced_axes(tuple(s0.tolist()), tuple(s1.tolist()))
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    return np.array(axes[0], s0.dtype), np.array(axes[1], s0.dtype)


@broadcast_gradient_args.bind
def _(ctx):
    """Caches the last shapes, because they rarely change in a loop and comparing them costs more than small sums."""
    kernel = broadcast_gradient_args.kernel
    last: tuple[tuple, Any, Any] = ((), None, None)

    def bound(s0, s1):
        nonlocal last
        shapes, first, second = last
        if shapes != (s0.tobytes(), s1.tobytes()):
            first, second = kernel(ctx.xp, s0, s1)
            # One assignment: threads share it.
            last = (
                (s0.tobytes(), s1.tobytes()),
                first,
                second,
            )
        return first.copy(), second.copy()

    return bound


@broadcast_gradient_args.infer
def _(op):
    for tensor in op.inputs:
        with_rank(tensor._dims, 1)
    return [(None,), (None,)]


class Operand(NamedTuple):
    """Reduction of the gradient of a broadcast result to the shape of one operand.

    shape, axes: the shape of the operand and the axes to sum over, tensors or tuples; must_reduce: whether the shapes
    differ; needed: whether the gradient of the operand is requested.
    """

    shape: Any
    axes: Any
    must_reduce: bool
    needed: bool = True

    def reduce(self, grad: Any) -> Any:
        """Sums `grad` to the shape of the operand if they differ; returns None if not needed."""
        if not self.needed:
            return None
        if not self.must_reduce:
            return grad
        return ops.reshape(ops.reduce_sum(grad, self.axes), self.shape)


def broadcast_operands(x: Tensor, y: Tensor) -> tuple[Operand, Operand]:
    """Returns both operands of a broadcasting op; a node computes their axes."""
    x_shape, y_shape = ops.shape(x), ops.shape(y)
    x_axes, y_axes = raw.BroadcastGradientArgs(x_shape, y_shape)
    return Operand(x_shape, x_axes, True), Operand(y_shape, y_axes, True)


# graph -> {(shape, shape): axes}; equal shape pairs in a graph share one BroadcastGradientArgs node.
_known_axes: WeakKeyDictionary[Any, dict] = WeakKeyDictionary()


def unneeded_inputs(op: Any) -> tuple:
    """Returns the indices of inputs whose gradients are not requested, which is only known with a gradient tape."""
    return getattr(op, "skip_input_indices", ())


def is_scalar_without_gradient(op: Any) -> bool:
    """Whether the second operand is a scalar whose gradient is not requested."""
    return 1 in unneeded_inputs(op) and op.inputs[1]._dims == ()


def fold_static_operands(
    x: Tensor, y: Tensor, grad: Any, skip: tuple = ()
) -> tuple[Operand, Operand]:
    """Same as `broadcast_operands`, but constant if both shapes are static; `skip`: inputs that need no gradient."""
    pair = _known_operands(x, y, grad)
    if not skip:
        return pair
    to_x, to_y = (o._replace(needed=n not in skip) for n, o in enumerate(pair))
    return to_x, to_y


def _known_operands(x: Tensor, y: Tensor, grad: Any) -> tuple[Operand, Operand]:
    if not isinstance(grad, Tensor):
        return broadcast_operands(x, y)
    x_dims: Any = x._dims
    y_dims: Any = y._dims
    if x_dims is None or y_dims is None or None in x_dims or None in y_dims:
        x_shape, y_shape = raw.Shape(x), raw.Shape(y)
        x_axes, y_axes = raw.BroadcastGradientArgs(x_shape, y_shape)
        return Operand(x_shape, x_axes, True), Operand(y_shape, y_axes, True)
    cache = _known_axes.setdefault(get_default_graph(), {})
    if (x_dims, y_dims) not in cache:
        raw.BroadcastGradientArgs(x_dims, y_dims)
        cache[x_dims, y_dims] = tuple(tuple(axes) for axes in reduced_axes(x_dims, y_dims))
    x_axes, y_axes = cache[x_dims, y_dims]
    return (
        Operand(x_dims, x_axes, x_dims != grad._dims),
        Operand(y_dims, y_axes, y_dims != grad._dims),
    )


def same_static_shape(x: Tensor, y: Tensor, grad: Any) -> bool:
    """Whether all arguments are statically known to have the same, fully defined shape."""
    return (
        isinstance(grad, Tensor)
        and x._dims is not None
        and None not in x._dims
        and x._dims == y._dims == grad._dims
    )
