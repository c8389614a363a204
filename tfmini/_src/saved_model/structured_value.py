"""StructuredValue protos, which encode nested lists, tuples and dicts of specs and plain values."""

from __future__ import annotations

import collections
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.nest.containers import is_namedtuple
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data.dataset_spec import DatasetSpec
from tfmini._src.data.experimental.optional import OptionalSpec
from tfmini._src.graph.composite_values import IndexedSlicesSpec, SparseTensorSpec
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops.ragged.ragged_tensor_spec import RaggedTensorSpec

# Specs by class number in a TypeSpecProto.
_SPECS: dict[int, type[TypeSpec]] = {
    1: SparseTensorSpec,
    2: IndexedSlicesSpec,
    3: RaggedTensorSpec,
    5: DatasetSpec,
    7: OptionalSpec,
}
_NUMBERS = {cls: code for code, cls in _SPECS.items()}


class UnknownSpecError(ValueError):
    """Raised for a spec class from a newer release."""


class NotEncodableError(Exception):
    """Raised for an object that the proto cannot represent."""


class StructureCoder:
    """Converts nested structures to StructuredValue protos and back."""

    def encode_structure(self, nested_structure: Any) -> Any:
        """Encodes a structure as a StructuredValue; raises NotEncodableError for an unsupported leaf."""
        message = proto.StructuredValue()
        encode(nested_structure, message)
        return message

    def can_encode(self, nested_structure: Any) -> bool:
        """Whether all leaves of a structure can be encoded."""
        try:
            self.encode_structure(nested_structure)
        except NotEncodableError:
            return False
        return True

    def decode_proto(self, message: Any) -> Any:
        """Decodes a StructuredValue to a structure."""
        return decode(message)


def decode(value: Any) -> Any:
    """Decodes a StructuredValue to a Python value.

    Raises:
      NotEncodableError: if the proto is empty.
      ValueError: for an unknown spec class.
    """
    kind = value.WhichOneof("kind")
    if kind == "none_value":
        return None
    if kind == "tensor_spec_value":
        spec = value.tensor_spec_value
        return TensorSpec(TensorShape(spec.shape), dtypes.as_dtype(spec.dtype), spec.name or None)
    if kind == "type_spec_value":
        return _decode_spec(value.type_spec_value)
    if kind == "list_value":
        return [decode(item) for item in value.list_value.values]
    if kind == "tuple_value":
        return tuple([decode(item) for item in value.tuple_value.values])
    if kind == "dict_value":
        return {key: decode(item) for key, item in value.dict_value.fields.items()}
    if kind == "named_tuple_value":
        pairs = [(pair.key, decode(pair.value)) for pair in value.named_tuple_value.values]
        result = collections.namedtuple(value.named_tuple_value.name, [key for key, _ in pairs])  # type: ignore[misc]
        return result(**dict(pairs))
    if kind == "tensor_shape_value":
        return TensorShape(value.tensor_shape_value)
    if kind == "tensor_dtype_value":
        return dtypes.as_dtype(value.tensor_dtype_value)
    if kind in ("float64_value", "int64_value", "string_value", "bool_value"):
        return getattr(value, kind)
    raise NotEncodableError(f"No encoder for object [{value}] of type [{type(value)}].")


def _decode_spec(message: Any) -> Any:
    if message.type_spec_class not in _SPECS:
        raise UnknownSpecError(
            f"The type '{message.type_spec_class_name}' is not supported by this version of TensorFlow. (The object "
            "you are loading must have been created with a newer version of TensorFlow.)"
        )
    return _SPECS[message.type_spec_class]._deserialize(decode(message.type_state))


def encode(value: Any, message: Any) -> None:
    """Encodes a value into an empty StructuredValue; tensors are encoded as specs."""
    if value is None:
        message.none_value.SetInParent()
    elif isinstance(value, TensorSpec | Tensor):
        spec = message.tensor_spec_value
        if not isinstance(value, EagerTensor):
            spec.name = (value.name if isinstance(value, TensorSpec) else value.op.name) or ""
        spec.shape.CopyFrom(value.shape.as_proto())
        spec.dtype = value.dtype.base_dtype.as_datatype_enum
    elif type(value) in _NUMBERS:
        _encode_spec(value, message.type_spec_value)
    elif isinstance(value, TensorShape):
        message.tensor_shape_value.CopyFrom(value.as_proto())
    elif isinstance(value, dtypes.DType):
        message.tensor_dtype_value = value.as_datatype_enum
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
        for key, item in value.items():
            encode(item, message.dict_value.fields[key])
    elif is_namedtuple(value):
        message.named_tuple_value.name = type(value).__name__
        for key, item in zip(value._fields, value):
            encode(item, message.named_tuple_value.values.add(key=key).value)
    elif isinstance(value, list | tuple):
        sequence = message.list_value if isinstance(value, list) else message.tuple_value
        sequence.SetInParent()
        for item in value:
            encode(item, sequence.values.add())
    else:
        raise NotEncodableError(f"No encoder for object [{value}] of type [{type(value)}].")


def _encode_spec(spec: Any, message: Any) -> None:
    message.type_spec_class = _NUMBERS[type(spec)]
    message.type_spec_class_name = type(spec).__name__
    encode(spec._serialize(), message.type_state)


def encode_arguments(
    names: list[str], defaults: Any, message: Any, varargs: Any = None, **other_fields: Any
) -> None:
    """Encodes the arguments of a Python function in the form of `inspect.getfullargspec`."""
    spec = message.named_tuple_value
    spec.name = "FullArgSpec"
    values: dict[str, Any] = {
        "args": names,
        "varargs": varargs,
        "varkw": None,
        "defaults": None if defaults is None else tuple(defaults),
        "kwonlyargs": [],
        "kwonlydefaults": None,
        "annotations": {},
        **other_fields,
    }
    for key, value in values.items():
        encode(value, spec.values.add(key=key).value)
