"""StructuredValue protos: nested lists, tuples and dicts of tensor specs and plain values."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec


def decoded(value: Any) -> Any:
    """Decodes a StructuredValue into the Python value it encodes."""
    kind = value.WhichOneof("kind")
    if kind == "tensor_spec_value":
        spec = value.tensor_spec_value
        return TensorSpec(TensorShape(spec.shape), dtypes.as_dtype(spec.dtype), spec.name or None)
    if kind == "list_value":
        return [decoded(each) for each in value.list_value.values]
    if kind == "tuple_value":
        return tuple(decoded(each) for each in value.tuple_value.values)
    if kind == "dict_value":
        return {key: decoded(each) for key, each in value.dict_value.fields.items()}
    if kind in ("float64_value", "int64_value", "string_value", "bool_value"):
        return getattr(value, kind)
    return None


def encode(value: Any, message: Any) -> None:
    """Writes a value into an empty StructuredValue; tensors become specs.

    Raises:
      NotImplementedError: for a value that the proto has no field for.
    """
    if value is None:
        message.none_value.SetInParent()
    elif isinstance(value, TensorSpec | Tensor):
        spec = message.tensor_spec_value
        spec.name = (value.name if isinstance(value, TensorSpec) else value.op.name) or ""
        spec.shape.CopyFrom(value.shape.as_proto())
        spec.dtype = value.dtype.base_dtype.as_datatype_enum
    elif isinstance(value, bool):
        message.bool_value = value
    elif isinstance(value, str):
        message.string_value = value
    elif isinstance(value, int):
        message.int64_value = value
    elif isinstance(value, float):
        message.float64_value = value
    elif isinstance(value, dict):
        message.dict_value.SetInParent()
        for key, each in value.items():
            encode(each, message.dict_value.fields[key])
    elif isinstance(value, list | tuple):
        kind = message.list_value if isinstance(value, list) else message.tuple_value
        kind.SetInParent()
        for each in value:
            encode(each, kind.values.add())
    else:
        raise NotImplementedError(f"No encoder for object {value} of type {type(value)}.")


def encode_arguments(names: list[str], defaults: list[Any] | None, message: Any) -> None:
    """Encodes the arguments of a Python function, in the form of `inspect.getfullargspec`."""
    spec = message.named_tuple_value
    spec.name = "FullArgSpec"
    values: dict[str, Any] = {
        "args": names,
        "varargs": None,
        "varkw": None,
        "defaults": None if defaults is None else tuple(defaults),
        "kwonlyargs": [],
        "kwonlydefaults": None,
        "annotations": {},
    }
    for key, value in values.items():
        encode(value, spec.values.add(key=key).value)
