"""Eager op inputs: converts arguments to eager tensors and infers attrs from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.symbolic import is_symbolic
from tfmini._src.graph.opdef import Arg, OpDef
from tfmini._src.graph.tensor import Tensor


def as_tensors(opdef: OpDef, values: Sequence[Any]) -> list[Any]:
    """Converts an op's input arguments to tensors, and list inputs to lists of tensors.

    Inputs that share a type attr use the dtype of the first tensor among them, else of the first value.

    Raises:
      TypeError, ValueError: for an argument that cannot be converted.
    """
    types: dict[str, DType] = {}
    for arg, value in zip(opdef.inputs, values):
        if arg.type_attr and arg.type_attr not in types:
            for tensor in _checked_list(opdef, arg, value) if arg.is_list else (value,):
                if isinstance(tensor, EagerTensor):
                    types[arg.type_attr] = tensor.dtype
                    break
    tensors: list[Any] = []
    for arg, value in zip(opdef.inputs, values):
        if not arg.is_list:
            tensors.append(_convert_argument(opdef, arg, value, types))
        elif arg.type_list_attr:
            tensors.append(
                [_as_eager_tensor(item, None) for item in _checked_list(opdef, arg, value)]
            )
        else:
            tensors.append(
                [_convert_argument(opdef, arg, v, types) for v in _checked_list(opdef, arg, value)]
            )
    return tensors


_LEAKED_TENSOR_ERROR = """\
An op outside of the function building code is being passed
a "Graph" tensor. It is possible to have Graph tensors
leak out of the function building context by including a
tf.init_scope in your function building code.
For example, the following function will fail:
  @tf.function
  def has_init_scope():
    my_constant = tf.constant(1.)
    with tf.init_scope():
      added = my_constant * 2
The graph tensor has name: """


def _checked_list(opdef: OpDef, arg: Arg, values: Any) -> Sequence[Any]:
    if not isinstance(values, list | tuple):
        raise TypeError(
            f"Expected list for '{arg.name}' argument to '{opdef.__name__}' Op, not {values!r}."
        )
    return values


def _as_eager_tensor(
    value: Any, dtype: DType | None, preferred: DType | None = None
) -> EagerTensor:
    if value.__class__ is EagerTensor:
        tensor: EagerTensor = value
        return tensor
    result = internal_convert_to_tensor(value, dtype, preferred_dtype=preferred)
    if not isinstance(result, EagerTensor):
        raise TypeError(f"{_LEAKED_TENSOR_ERROR}{result.name}")
    return result


def _convert_argument(opdef: OpDef, arg: Arg, value: Any, types: dict[str, DType]) -> EagerTensor:
    if not arg.type_attr:
        return _as_eager_tensor(value, arg.dtype)
    dtype = types.get(arg.type_attr)
    if dtype is not None:
        return _as_eager_tensor(value, dtype)
    attr = opdef.attrs[arg.type_attr]
    tensor = _as_eager_tensor(value, None, None if attr.required else attr.default)
    types[arg.type_attr] = tensor.dtype
    return tensor


def find_symbolic(values: Sequence[Any]) -> Tensor | None:
    """Returns the first symbolic `tf.keras.Input` tensor in nested arguments, else None."""
    for value in values:
        if isinstance(value, list | tuple):
            symbolic = find_symbolic(value)
            if symbolic is not None:
                return symbolic
        elif is_symbolic(value):
            return value
    return None


def refuse_symbolic_in_mixed_list(opdef: OpDef, values: Sequence[object]) -> None:
    """Raises TensorFlow's error for symbolic tensors in a list of several dtypes, if no typed input precedes them."""
    for arg, value in zip(opdef.inputs, values):
        if find_symbolic([value]) is not None:
            if arg.type_attr:
                return
            if arg.type_list_attr:
                raise AttributeError("'Tensor' object has no attribute '_datatype_enum'")


def inferred_attrs(opdef: OpDef, tensors: Sequence[Any]) -> Attrs:
    """Infers attrs from the inputs; raises InvalidArgumentError for mismatched dtypes or too few inputs."""
    attrs: Attrs = {}
    index = 0
    for arg, value in zip(opdef.inputs, tensors):
        items = value if arg.is_list else (value,)
        if arg.type_list_attr:
            attrs.setdefault(arg.type_list_attr, tuple([t.dtype.base_dtype for t in items]))
        if arg.number_attr:
            attrs.setdefault(arg.number_attr, len(items))
        for tensor in items:
            dtype = tensor.dtype.base_dtype
            if not arg.type_list_attr:
                expected = arg.dtype or attrs.setdefault(arg.type_attr, dtype)
                if expected is not dtype and _is_dtype_allowed(opdef, arg, expected):
                    raise InvalidArgumentError(
                        None,
                        None,
                        f"cannot compute {opdef.name} as input #{index}(zero-based) was expected to be a "
                        f"{expected.proto_name} tensor but is a {dtype.proto_name} tensor",
                    )
            index += 1
        _check_count(opdef, arg, len(items))
        if arg.type_attr and arg.type_attr not in attrs and not opdef.attrs[arg.type_attr].required:
            attrs[arg.type_attr] = opdef.attrs[arg.type_attr].default
    return attrs


def _is_dtype_allowed(opdef: OpDef, arg: Arg, dtype: DType) -> bool:
    """Whether the op allows a dtype; a disallowed dtype is reported before mismatched inputs."""
    allowed = opdef.attrs[arg.type_attr].allowed_set if arg.type_attr else None
    return allowed is None or dtype in allowed


def _check_count(opdef: OpDef, arg: Arg, count: int) -> None:
    min_count = opdef.attrs[arg.number_attr].minimum if arg.number_attr else None
    if min_count is not None and count < min_count:
        invalid(
            f"Attr {arg.number_attr} of node {opdef.name} has value {count} less than the minimum of {min_count}"
        )
