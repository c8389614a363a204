"""Conversion between tensors and serialized TensorProto messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, DTypeLike, as_dtype
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import scalar, unknown
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.tensor_proto import proto_to_literal
from tfmini._src.ops.operands import c_name, shape_text, unwrap_string
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string


@op(
    "SerializeTensor",
    "tensor: T -> serialized: string",
    differentiable=False,
    infer=scalar,
    T=Attr("type"),
)
def serialize_tensor_op(xp, tensor, *, T):
    return tensor_message(tensor, T).SerializeToString(deterministic=True)


def tensor_message(tensor: Any, dtype: DType) -> Any:
    """Converts a run-time value to a TensorProto, as raw memory or element by element.

    Raises:
      InvalidArgumentError: for a variant other than the position of an iterator.
    """
    message = proto.TensorProto(dtype=dtype.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in array_shape(tensor):
        message.tensor_shape.dim.add(size=size)
    if dtype.name == "string":
        message.string_val.extend(list_strings(tensor))
    elif dtype.name == "variant":
        for variant in tensor.ravel() if isinstance(tensor, np.ndarray) else [tensor]:
            if type(variant) is not bytes:
                invalid("Tensor is a variant that cannot be serialized")
            message.variant_val.add().MergeFromString(variant)
    else:
        message.tensor_content = np.asarray(tensor).tobytes()
    return message


@op(
    "ParseTensor",
    "serialized: string -> output: out_type",
    differentiable=False,
    infer=unknown,
    out_type=Attr("type"),
)
def parse_tensor_op(xp, serialized, *, out_type):
    if array_shape(serialized):
        invalid(
            f"Expected `serialized` to be a scalar, got shape: {shape_text(array_shape(serialized))}"
        )
    data = scalar_string(serialized)
    message = proto.TensorProto()
    try:
        message.ParseFromString(data)
    except Exception as error:  # protobuf's DecodeError, of any implementation
        decoded = data.decode("utf-8", "replace")
        raise InvalidArgumentError(
            None, None, f"Could not parse `serialized` as TensorProto: '{decoded}'"
        ) from error
    if not message.dtype:
        invalid("Cannot parse tensor from proto: " + str(message).replace("\n", " ").strip())
    actual = as_dtype(message.dtype)
    if actual is not out_type:
        names = (c_name(actual), c_name(out_type))
        invalid(f"Type mismatch between parsed tensor ({names[0]}) and dtype ({names[1]})")
    # Contents that do not fill the shape, or exceed memory.
    try:
        value = unwrap_string(proto_to_literal(message).array)
    except (ValueError, MemoryError):
        invalid(f"Cannot parse tensor from proto: {message}")
    return _serialize_variants(value) if out_type.name == "variant" else value


# The default of missing elements is 0, an empty message.
_serialize_variants = np.frompyfunc(lambda m: m.SerializeToString() if m else b"", 1, 1)


def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """Serializes a tensor of any dtype to a scalar string that contains its TensorProto."""
    return raw.SerializeTensor(tensor, name=name)


def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """Parses a serialized TensorProto.

    Args:
      serialized: scalar string tensor.
      out_type: the dtype of the tensor.

    Returns:
      A Tensor of `out_type` with unknown static shape.

    Raises:
      InvalidArgumentError (when run): if the string is not a TensorProto of this dtype.
    """
    return raw.ParseTensor(serialized, out_type=out_type, name=name)
