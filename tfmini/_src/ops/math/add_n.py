"""Sums of lists of tensors."""

from __future__ import annotations

import functools
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import convert_n_to_tensor_or_indexed_slices
from tfmini._src.graph.op_traits.elementwise_formula import Steps
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import check_same_shape
from tfmini._src.ops.ragged_dispatch import accepts_ragged
from tfmini._src.ops.type_lists import NUMBERS

_MAX_TERMS = 32  # maximum terms per kernel


@op(
    "AddN",
    "inputs: N*T -> sum: T",
    gradient=lambda op, grad: [grad] * len(op.inputs),
    commutative=True,
    aggregate=True,
    list_ufunc="add",
    N=Attr("int", minimum=1),
    T=(*NUMBERS, dtypes.variant),
)
def add_n_op(xp, inputs):
    return _total(xp, inputs)


add_n_op.forwards(sum="inputs", when=lambda N: N == 1)


def _sums(count: int) -> Steps:
    """Returns the addition steps for this number of inputs."""
    if not 1 < count <= _MAX_TERMS:
        return ()
    first = ("add", ("input", 0), ("input", 1))
    return (first, *(("add", i - 2, ("input", i)) for i in range(2, count)))


add_n_op.computes(steps_of=_sums, exact=True)


def _total(xp: Any, inputs: tuple) -> Any:
    first, *rest = inputs
    if hasattr(first, "add_variant"):  # variants
        return functools.reduce(lambda a, b: a.add_variant(xp, b), rest, first)
    if not rest:
        return first.copy()
    check_same_shape("AddN", *inputs)
    total = xp.add(first, rest[0])
    for other in rest[1:]:
        if first.shape:
            xp.add(total, other, out=total)
        else:
            total = total + other
    return total


@add_n_op.infer
def _(op) -> Dims:
    same_shape(op)
    *earlier, dims = (t._dims for t in op.inputs)
    for position in reversed(range(len(earlier))):
        try:
            dims = merge(earlier[position], dims)
        except InferenceError as error:
            raise InferenceError(
                f"{error}\n\tFrom merging shape {position} with other shapes."
            ) from None
    return dims


@op(
    "AccumulateNV2",
    "inputs: N*T -> sum: T",
    infer=lambda op: op.attrs["shape"],
    gradient=lambda op, grad: [grad] * len(op.inputs),
    commutative=True,
    aggregate=True,
    N=Attr("int", minimum=1),
    T=NUMBERS,
    shape=Attr("shape"),
)
def accumulate_n_op(xp, inputs):
    if any(x.shape != inputs[0].shape for x in inputs):
        invalid("Parameters and update must be the same size")
    return _total(xp, inputs)


_NOT_A_LIST = (
    "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"
)
_NO_TENSORS = "inputs must be a list of at least one Tensor with the same dtype and shape"


@public
@accepts_ragged("[inputs]")
def add_n(inputs: TensorLike, name: str | None = None) -> Tensor:
    """Sums all `inputs` elementwise, without broadcasting.

    Args:
      inputs: a list of tensors or IndexedSlices of the same dtype and shape.

    Returns:
      A Tensor of that dtype and shape; a single tensor is returned unchanged unless `name` is set.

    Raises:
      ValueError: if `inputs` is not such a list, or the shapes differ.
    """
    if not inputs or not isinstance(inputs, list | tuple):
        raise ValueError(_NOT_A_LIST)
    values: list[Any] = convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(value, Tensor | IndexedSlices) for value in values):
        raise ValueError(_NOT_A_LIST)
    if len(values) > 1:
        return raw.AddN(values, name=name)
    value = values[0]
    if isinstance(value, IndexedSlices):
        value = ops.convert_to_tensor(value)
    return ops.identity(value, name=name) if name else value


@public
def accumulate_n(
    inputs: TensorLike,
    shape: TensorLike | None = None,
    tensor_dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Sums all `inputs` elementwise, without broadcasting; adds each as soon as it is ready.

    Args:
      inputs: a list of tensors of the same dtype and shape.
      shape: the shape of the inputs, if not known statically.
      tensor_dtype: the dtype of the inputs, which is only checked.

    Raises:
      ValueError: if `inputs` is not such a list, or the shapes differ.
      TypeError: if `tensor_dtype` differs from the dtype of the inputs.
    """
    if not inputs or not isinstance(inputs, list | tuple):
        raise ValueError(_NO_TENSORS)
    values: list[Any] = convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(value, Tensor) for value in values):
        raise ValueError(_NO_TENSORS)
    if not all(value.dtype == values[0].dtype for value in values):
        raise ValueError(_NO_TENSORS)
    merged = TensorShape(None) if shape is None else as_shape(shape)
    for value in values:
        merged = merged.merge_with(value.shape)
    if tensor_dtype is not None and tensor_dtype != values[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {values[0].dtype}")
    if len(values) == 1:
        return values[0] if name is None else ops.identity(values[0], name=name)
    return raw.AccumulateNV2(values, shape=merged, name=name)
