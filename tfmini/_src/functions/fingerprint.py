"""TensorFlow's fingerprint of a FunctionDef, used in function names.

MurmurHash64A (by Austin Appleby) over the parts, in a fixed order.
"""

from __future__ import annotations

import base64
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.tensor_proto import proto_to_literal

_WORD = (1 << 64) - 1
_FACTOR = 0xC6A4A7935BD1E995
_SEED = 0xDECAFCAFFE


def hash_bytes(data: bytes, seed: int = _SEED) -> int:
    """Returns the MurmurHash64A of `data`."""
    state = seed ^ (len(data) * _FACTOR & _WORD)
    aligned_size = len(data) & ~7
    for start in range(0, aligned_size, 8):
        word = int.from_bytes(data[start : start + 8], "little") * _FACTOR & _WORD
        word ^= word >> 47
        state = (state ^ (word * _FACTOR & _WORD)) * _FACTOR & _WORD
    if len(data) > aligned_size:
        state = (state ^ int.from_bytes(data[aligned_size:], "little")) * _FACTOR & _WORD
    state ^= state >> 47
    state = state * _FACTOR & _WORD
    return state ^ (state >> 47)


def combine(a: int, b: int) -> int:
    """Combines two hashes."""
    return a ^ ((b + 0x9E3779B97F4A7800 + (a << 10 & _WORD) + (a >> 4)) & _WORD)


def name_suffix(definition: Any) -> str:
    """Returns TensorFlow's name suffix of a function, computed from the unnamed FunctionDef `definition`."""
    digest = fingerprint(definition)
    text = base64.urlsafe_b64encode(digest.to_bytes(8, "little")).decode().rstrip("=")
    return text.replace("-", "a").replace("_", "A")


def fingerprint(definition: Any) -> int:
    """Returns the fingerprint of a FunctionDef."""
    state = _hash_signature(definition.signature)
    state = _with_attrs(state, definition.attr)
    nodes = _SEED
    for node in sorted(definition.node_def, key=lambda node: to_bytes(node.name)):
        nodes = combine(_hash_node(node), hash_bytes(to_bytes(node.name), nodes))
    state = combine(nodes, state)
    state = _with_names(state, definition.ret)
    return _with_names(state, definition.control_ret)


def _serialize(message: Any) -> bytes:
    return message.SerializeToString(deterministic=True)


def _hash_signature(signature: Any) -> int:
    message = proto.OpDef()
    message.CopyFrom(signature)
    message.ClearField("attr")
    message.ClearField("control_output")
    attrs = _SEED
    for attr in sorted(signature.attr, key=lambda attr: to_bytes(attr.name)):
        attrs = hash_bytes(to_bytes(attr.name), attrs)
        attrs = combine(hash_bytes(_serialize(attr)), attrs)
    for name in sorted(signature.control_output):
        attrs = combine(attrs, hash_bytes(to_bytes(name)))
    return hash_bytes(_serialize(message), attrs)


def _with_names(state: int, names: Any) -> int:
    for key in sorted(names):
        state = hash_bytes(to_bytes(key), state)
        state = hash_bytes(to_bytes(names[key]), state)
    return state


def _with_attrs(state: int, attrs: Any) -> int:
    for key in sorted(attrs):
        state = hash_bytes(to_bytes(key), state)
        state = combine(_hash_attr(attrs[key]), state)
    return state


def _hash_node(node: Any) -> int:
    state = hash_bytes(to_bytes(node.name))
    state = hash_bytes(to_bytes(node.op), state)
    state = hash_bytes(to_bytes(node.device), state)
    inputs = [to_bytes(text) for text in node.input]
    controls = {text for text in inputs if text.startswith(b"^")}
    for text in [text for text in inputs if text not in controls]:
        state = hash_bytes(text, state)
    for text in sorted(controls):
        state = hash_bytes(text, state)
    return _with_attrs(state, {k: v for k, v in node.attr.items() if not k.startswith("_")})


def _hash_attr(value: Any) -> int:
    if value.WhichOneof("value") == "tensor":
        return hash_bytes(_serialize(_as_content(value.tensor)))
    if value.WhichOneof("value") == "func":
        return _with_attrs(hash_bytes(to_bytes(value.func.name)), value.func.attr)
    return hash_bytes(_serialize(value))


def _as_content(message: Any) -> Any:
    """Returns a TensorProto with its values as raw content."""
    array = proto_to_literal(message).array
    content = proto.TensorProto(dtype=message.dtype, tensor_shape=message.tensor_shape)
    if message.dtype == dtypes.string.as_datatype_enum:
        items = [to_bytes(item) for item in array.ravel().tolist()]
        lengths = b"".join(_varint(len(item)) for item in items)
        content.tensor_content = lengths + b"".join(items)
    else:
        content.tensor_content = array.tobytes()
    return content


def _varint(value: int) -> bytes:
    parts = []
    while value >= 128:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])
