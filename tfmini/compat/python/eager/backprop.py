"""`tensorflow.python.eager.backprop`: gradients computed with tapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.autodiff.aggregation import aggregate_indexed_slices
from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.autodiff.gradients_function import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    make_vjp,
    value_and_gradients_function,
)
from tfmini._src.base import dtypes
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.opdef import registry

__all__ = [
    "GradientTape",
    "aggregate_indexed_slices_gradients",
    "gradients_function",
    "implicit_grad",
    "implicit_val_and_grad",
    "make_attr",
    "make_vjp",
    "op_attr_type",
    "val_and_grad_function",
]

implicit_grad = implicit_gradients
implicit_val_and_grad = implicit_value_and_gradients
val_and_grad_function = value_and_gradients_function

# The numbers of the C API for kinds of attrs.
_KINDS = ("string", "int", "float", "bool", "type", "shape", "tensor", "placeholder", "func")
_TYPE, _SHAPE = _KINDS.index("type"), _KINDS.index("shape")


def op_attr_type(op_type: str, attr_name: str) -> int | list[int]:
    """Returns the number of the type of an op's attr, in a list if the attr is a list."""
    kind = registry[op_type].attrs[attr_name].kind
    if kind.startswith("list("):
        return [_KINDS.index(kind[5:-1])]
    return _KINDS.index(kind)


def make_attr(attr_type: int | list[int], value: Any) -> Any:
    """Returns an attr value as expected by gradients: dtype numbers as dtypes, dimensions as TensorShapeProtos.

    Args:
      attr_type: as returned by `op_attr_type`.
      value: the value; a list if the attr is a list.
    """
    if isinstance(attr_type, list):
        return [make_attr(attr_type[0], item) for item in value]
    if attr_type == _TYPE:
        return dtypes.as_dtype(value)
    return as_shape(value).as_proto() if attr_type == _SHAPE else value


def aggregate_indexed_slices_gradients(grads: Sequence[Any]) -> Any:
    """Returns the sum of gradients, as IndexedSlices if all of them are IndexedSlices; or None."""
    present = [grad for grad in grads if grad is not None]
    return aggregate_indexed_slices(present) if present else None
