"""Tensors as serialized TensorProto messages, and Example messages read from JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini import proto
from tfmini.dtypes import as_dtype
from tfmini.errors import InvalidArgumentError
from tfmini.graph.inference import scalar, unchanged, unknown
from tfmini.graph.opdef import Attr, op, public, raw
from tfmini.graph.tensor import Tensor
from tfmini.graph.tensor_proto import MakeNdarray
from tfmini.ops.operands import bare, c_name, shape_text
from tfmini.ops.string_elements import listed, mapped, refuse, shape_of, single


@op("SerializeTensor", "tensor: T -> serialized: string", T=Attr("type"))
def serialize_tensor_op(xp, tensor, *, T):
    message = proto.TensorProto(dtype=T.as_datatype_enum)
    message.tensor_shape.SetInParent()
    for size in shape_of(tensor):
        message.tensor_shape.dim.add(size=size)
    if T.name == "string":
        message.string_val.extend(listed(tensor))
    else:
        message.tensor_content = np.asarray(tensor).tobytes()
    return message.SerializeToString(deterministic=True)


@op("ParseTensor", "serialized: string -> output: out_type", out_type=Attr("type"))
def parse_tensor_op(xp, serialized, *, out_type):
    if shape_of(serialized):
        refuse(
            f"Expected `serialized` to be a scalar, got shape: {shape_text(shape_of(serialized))}"
        )
    data = single(serialized)
    message = proto.TensorProto()
    try:
        message.ParseFromString(data)
    except Exception as error:  # protobuf's DecodeError, whatever library made it
        shown = data.decode("utf-8", "replace")
        raise InvalidArgumentError(
            None, None, f"Could not parse `serialized` as TensorProto: '{shown}'"
        ) from error
    if not message.dtype:
        refuse("Cannot parse tensor from proto: " + str(message).replace("\n", " ").strip())
    found = as_dtype(message.dtype)
    if found is not out_type:
        names = (c_name(found), c_name(out_type))
        refuse(f"Type mismatch between parsed tensor ({names[0]}) and dtype ({names[1]})")
    try:
        return bare(MakeNdarray(message))
    except ValueError:  # what the message holds does not fill its shape
        refuse(f"Cannot parse tensor from proto: {message}")


serialize_tensor_op.infer(scalar)
parse_tensor_op.infer(unknown)
serialize_tensor_op.not_differentiable()
parse_tensor_op.not_differentiable()


@op("DecodeJSONExample", "json_examples: string -> binary_examples: string")
def decode_json_example_op(xp, value):
    return mapped(_from_json, value)


def _from_json(data: bytes) -> bytes:
    try:
        tree = json.loads(data)
    except ValueError as error:
        raise InvalidArgumentError(None, None, f"Error while parsing JSON: {error}") from error
    entries = b""
    features = _member(_member(tree, "features"), "feature")
    for key, feature in features.items():
        entries += _field(1, _field(1, key.encode()) + _field(2, _feature(feature)))
    return _field(1, entries)


def _feature(tree: dict) -> bytes:
    message = b""
    for kind, values in tree.items():
        if kind not in _KINDS:
            refuse(f"Error while parsing JSON: {kind}: Cannot find field.")
        number, encode = _KINDS[kind]
        message += _field(number, b"".join(map(encode, _member(values, "value"))))
    return message


def _varint(value: int) -> bytes:
    parts = bytearray()
    value &= 0xFFFFFFFFFFFFFFFF
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _field(number: int, data: bytes) -> bytes:
    """A field of bytes or of a message."""
    return bytes([number << 3 | 2]) + _varint(len(data)) + data


def _bytes(text: str) -> bytes:
    """What a JSON string of bytes says, in either alphabet of base64."""
    data = text.replace("+", "-").replace("/", "_").rstrip("=")
    return _field(1, base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))


def _float(value: Any) -> bytes:
    return b"\x0d" + np.array(value, "<f4").tobytes()


def _int(value: Any) -> bytes:
    return b"\x08" + _varint(int(value))


_KINDS: dict[str, tuple[int, Callable]] = {
    alias: (number, encode)
    for number, name, camel, encode in (
        (1, "bytes_list", "bytesList", _bytes),
        (2, "float_list", "floatList", _float),
        (3, "int64_list", "int64List", _int),
    )
    for alias in (name, camel)
}


def _member(tree: dict, name: str) -> Any:
    for other in tree:
        if other != name:
            refuse(f"Error while parsing JSON: {other}: Cannot find field.")
    return tree.get(name, {})


decode_json_example_op.infer(unchanged)


@public
def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """A tensor of any dtype as a scalar string: its TensorProto message."""
    return raw.SerializeTensor(tensor, name=name)


@public
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor of a serialized TensorProto.

    Args:
      serialized: scalar string tensor.
      out_type: the dtype of the tensor.
      name: the name of the node.

    Returns:
      A Tensor of `out_type` and of unknown static shape.

    Raises:
      InvalidArgumentError: when run, if it is no such message or of another dtype.
    """
    return raw.ParseTensor(serialized, out_type, name=name)


@public
def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """tf.train.Example messages in JSON as serialized messages, for `tf.parse_example`.

    Args:
      json_examples: string tensor of any shape.
      name: the name of the node.

    Returns:
      A string Tensor of its shape.

    Raises:
      InvalidArgumentError: when run, if a string is no such JSON.
    """
    return raw.DecodeJSONExample(json_examples, name=name)
