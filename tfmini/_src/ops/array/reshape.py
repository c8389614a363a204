"""Reshape, and insertion and removal of size-1 axes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.transpose import SMALL_COPY_ELEMENTS, in_order
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_dims, input_value, text
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, dense, shape_text, unwrap_string
from tfmini._src.ops.ragged_dispatch import accepts_ragged


@op(
    "Reshape",
    "tensor: T, shape: Tshape -> output: T",
    gradient=lambda op, grad: (reshape_gradient(grad, ops.shape(op.inputs[0])), None),
    view=True,
    static_inputs=("shape",),
    T=ANY,
    Tshape=INDEX32,
)
def reshape_op(xp, tensor, shape):
    dims = shape.tolist() if shape.ndim == 1 else None
    try:
        if dims and min(dims) >= -1:
            return (tensor if xp is not np else in_order(tensor)).reshape(dims)
        return unwrap_string(_reshape_checked(dense(tensor), shape))
    except (ValueError, AttributeError):
        return unwrap_string(_reshape_checked(dense(tensor), shape))


@reshape_op.bind
def _(ctx):
    shape = ctx.constants.get("shape")
    if shape is None or shape.ndim != 1 or not len(shape) or shape.min() < -1:
        return None
    dims = tuple(shape.tolist())

    def reshape(tensor, shape):
        try:
            if tensor.size < SMALL_COPY_ELEMENTS:
                return tensor.reshape(dims)
        except (ValueError, AttributeError):
            pass  # the kernel raises TensorFlow's error
        return reshape_op.kernel(np, tensor, shape)

    return reshape


@reshape_op.indexing
def _(view):
    shape = view.operands.get("shape")
    if shape is None:  # the static shape may be inferred from the input's size alone
        return ""
    if view.dims and sum(size != 1 for size in view.dims) <= 1 and np.array_equal(shape, [-1]):
        return ".reshape(-1)"  # at most one long axis
    if not view.is_reshape:
        return ""
    # `set_shape` may have declared the static shape incorrectly.
    return f".reshape({view.result if 0 in view.result else tuple(shape.tolist())})"


reshape_op.forwards(output="tensor", view=True)


def _reshape_checked(tensor: Any, shape: np.ndarray) -> Any:
    """Reshapes an array, or raises TensorFlow's error for sizes that do not match."""
    if shape.ndim != 1:
        invalid(f"sizes input must be 1-D, not {shape_text(shape.shape)}")
    sizes = shape.tolist()
    unknown, product = -1, 1
    for i, d in enumerate(sizes):
        if d == -1:
            if unknown != -1:
                invalid(f"Only one input size may be -1, not both {unknown} and {i}")
            unknown = i
        elif d < 0:
            invalid(f"Size {i} must be non-negative, not {d}")
        elif d:
            product *= d
    message = f"Input to reshape is a tensor with {tensor.size} values, but the requested shape"
    if unknown != -1:
        # If a requested size is zero, the inferred size is computed from the remaining ones.
        positive_dims = [d for d in tensor.shape if d] if 0 in sizes else tensor.shape
        missing, remainder = divmod(math.prod(positive_dims), product)
        if remainder and len(positive_dims) == tensor.ndim:
            invalid(f"{message} requires a multiple of {product}")
        sizes[unknown] = missing
    if math.prod(sizes) != tensor.size:
        invalid(f"{message} has {math.prod(sizes)}")
    return tensor.reshape(sizes)


def _elements(dims: tuple) -> tuple[int, int]:
    """Returns the product of the known sizes, and the index of the unknown size: -1 if none, -2 if several."""
    product, unknown = 1, -1
    if 0 in dims:
        return 0, -1
    for i, d in enumerate(dims):
        if d is not None:
            product *= d
        else:
            unknown = i if unknown == -1 else -2
    return product, unknown


@reshape_op.infer
def _(op) -> Dims:
    actual, expected = op.inputs[0]._dims, input_dims(op, 1)
    if actual is None or expected is None:
        return expected
    known_input, unknown_in = _elements(actual)
    known_output, unknown_out = _elements(expected)
    if unknown_in == -2 or unknown_out == -2:
        return expected
    if unknown_in == -1 and unknown_out == -1:
        if known_input != known_output:
            raise InferenceError(
                f"Cannot reshape a tensor with {known_input} elements to shape {text(expected)} "
                f"({known_output} elements)"
            )
        return expected
    if unknown_in == -1:
        if known_output == 0:
            return expected
        inferred_size: int | None = _divide(known_input, known_output)
    elif unknown_out == -1:
        if known_input:
            _divide(known_output, known_input)
        return expected
    else:
        inferred_size = actual[unknown_in] if known_input == known_output else None
    return (*expected[:unknown_out], inferred_size, *expected[unknown_out + 1 :])


def _divide(elements: int, size: int) -> int:
    if elements % size:
        raise InferenceError(f"Dimension size must be evenly divisible by {size} but is {elements}")
    return elements // size


def reshape_gradient(grad: Any, shape: Any) -> Tensor:
    """Reshapes a gradient; IndexedSlices become dense without a warning."""
    if not isinstance(grad, IndexedSlices):
        return ops.reshape(grad, shape)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Converting sparse IndexedSlices to a dense Tensor.*")
        return ops.reshape(grad, shape)


@public
def reshape(tensor: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Reshapes a tensor, preserving element order.

    Args:
      tensor: a tensor of any dtype.
      shape: integer vector; one size may be -1, which is inferred from the others.

    Raises:
      ValueError, InvalidArgumentError (when run): if the number of elements does not match.

    Example: `tf.reshape(images, [-1, 784])`.
    """
    return narrow_captured_shape(raw.Reshape(tensor, shape, name=name), shape)


# Axes of size one --------------------------------------------------------------------------------


@op(
    "ExpandDims",
    "input: T, dim: Tdim -> output: T",
    gradient=lambda op, grad: (reshape_gradient(grad, ops.shape(op.inputs[0])), None),
    view=True,
    static_inputs=("dim",),
    T=ANY,
    Tdim=INDEX32,
)
def expand_dims_op(xp, value, dim):
    value = dense(value)
    if dim.size != 1:
        invalid("'dim' must be a tensor with a single value")
    axis, rank = dim.item(), value.ndim
    if not -1 - rank <= axis <= rank:
        invalid(f"Tried to expand dim index {axis} for tensor with {rank} dimensions.")
    return value[_new_axis(axis, rank)]


def _new_axis(axis: int, rank: int) -> tuple[slice | None, ...]:
    """Returns the numpy index that inserts an axis of size 1 into an array of the specified rank."""
    return *(slice(None),) * (axis % (rank + 1)), None


@expand_dims_op.bind
def _(ctx):
    dims, dim = ctx.dims[0], ctx.constants.get("dim")
    if dims is None or dim is None or dim.size != 1 or ctx.attrs["T"].numpy.hasobject:
        return None
    axis, rank = dim.item(), len(dims)
    if not -1 - rank <= axis <= rank:
        return None
    index = _new_axis(axis, rank)
    return lambda value, dim: value[index]


@expand_dims_op.indexing
def _(view):
    dim = view.operands.get("dim")
    if dim is None or not view.is_reshape:
        return ""
    if 0 in view.result:
        return f".reshape({view.result})"
    return f"[{':, ' * (dim.item() % len(view.result))}None]"


expand_dims_op.forwards(output="input", view=True)


@expand_dims_op.infer
def _(op) -> Dims:
    dims, dim = op.inputs[0]._dims, input_value(op, 1)
    if dim is None:
        return None
    if dim.size != 1:
        raise InferenceError("'dim' input must be a tensor with a single value")
    if dims is None:
        return None
    axis, rank = int(dim.item()), len(dims)
    if not -1 - rank <= axis <= rank:
        raise InferenceError(f"dim {axis} not in the interval [{-1 - rank}, {rank}].")
    if axis < 0:
        axis += rank + 1
    return (*dims[:axis], 1, *dims[axis:])


@public
@deprecated_args(None, "Use the `axis` argument instead", "dim")
@accepts_ragged("input")
def expand_dims(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    dim: TensorLike | None = None,
) -> Tensor:
    """Inserts an axis of size 1.

    Args:
      input: a tensor of any dtype.
      axis: the position of the new axis, -1 for last.
      dim: the old name of `axis`.

    Raises:
      ValueError: if the axis is missing or out of range.

    Example: for a vector of shape [3], `tf.expand_dims(v, 0)` is a row of shape [1, 3].
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return raw.ExpandDims(input, axis, name=name)


@op(
    "Squeeze",
    "input: T -> output: T",
    gradient=lambda op, grad: reshape_gradient(grad, ops.shape(op.inputs[0])),
    view=True,
    T=ANY,
    squeeze_dims=Attr("list(int)", [], minimum=0),
)
def squeeze_op(xp, value, *, squeeze_dims):
    value = dense(value)
    shape = value.shape
    if not squeeze_dims:
        return unwrap_string(value.reshape([d for d in shape if d != 1]))
    rank = len(shape)
    axes = set()
    for axis in squeeze_dims:
        if not -rank <= axis < rank:
            invalid(f"Tried to squeeze dim index {axis} for tensor with {rank} dimensions.")
        axes.add(axis % rank)
    for axis in sorted(axes):
        if shape[axis] != 1:
            invalid(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {shape[axis]}")
    return unwrap_string(value.reshape([d for i, d in enumerate(shape) if i not in axes]))


@squeeze_op.indexing
def _(view):
    return f".squeeze({tuple(view.attrs['squeeze_dims']) or ''})" if view.is_reshape else ""


squeeze_op.forwards(output="input", view=True)


@squeeze_op.infer
def _(op) -> Dims:
    dims, squeezed = op.inputs[0]._dims, op.attrs["squeeze_dims"]
    if dims is None:
        return None
    rank = len(dims)
    for i, axis in enumerate(squeezed):
        if not -rank <= axis < rank:
            raise InferenceError(f"squeeze_dims[{i}] not in [{-rank},{rank}).")
    axes = {axis % rank for axis in squeezed}
    if not axes and None in dims:
        return None
    result = []
    for i, d in enumerate(dims):
        if i in axes and d not in (1, None):
            raise InferenceError(f"Can not squeeze dim[{i}], expected a dimension of 1, got {d}")
        if i not in axes and (axes or d != 1):
            result.append(d)
    return tuple(result)


@public
@deprecated_args(None, "Use the `axis` argument instead", "squeeze_dims")
@accepts_ragged("input")
def squeeze(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    squeeze_dims: int | Sequence[int] | None = None,
) -> Tensor:
    """Removes size-1 axes from `input`.

    Args:
      input: a tensor of any dtype.
      axis: an axis or a list of axes; by default, all axes of size 1.
      squeeze_dims: the old name of `axis`.

    Raises:
      ValueError, InvalidArgumentError (when run): if a listed axis has a different size.
    """
    axis = deprecated_argument_lookup("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    if axis is not None and not isinstance(axis, list | tuple):
        raise TypeError(f"Expected list for 'axis' argument to 'squeeze' Op, not {axis!r}.")
    return raw.Squeeze(input, squeeze_dims=axis, name=name)
