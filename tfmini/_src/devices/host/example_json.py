"""Converts tf.train.Example messages in JSON to serialized messages.

The format is protobuf's (https://protobuf.dev/programming-guides/json): names in either
spelling, 64-bit integers as numbers or strings, bytes in base64, null for absent values.
`from_json` rejects other input with the error messages of TensorFlow's parser.
"""

from __future__ import annotations

import binascii
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base.names.lazy_imports import base64, json

_TYPE = "type.googleapis.com/tensorflow."
_MAX_DEPTH = 100  # maximum nesting of messages
_MAX_DIGITS = 20  # digits of a 64-bit integer, with the sign
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


def from_json(data: bytes) -> bytes:
    """Returns the serialized Example encoded by `data`; raises ValueError for invalid data."""
    _check_depth(data)
    try:
        tree = json.loads(data, object_pairs_hook=_Pairs, parse_int=_integral, parse_float=_real)
        return _example(tree)
    except RecursionError:
        raise ValueError("Lists are nested too deep.") from None


def _example(tree: Any) -> bytes:
    if not isinstance(tree, _Pairs):
        raise ValueError(": Root element must be a message.")
    return b"".join(_field(1, _features(value)) for value in _members(tree, "", "features"))


def _check_depth(data: bytes) -> None:
    if data.count(b"{") <= _MAX_DEPTH:
        return
    depth, key = 0, b""
    for token in _TOKEN.findall(data):
        if token == b"{":
            depth += 1
            if depth > _MAX_DEPTH:
                text = key.decode("utf-8", "backslashreplace")
                raise ValueError(f"Message too deep. Max recursion depth reached for key '{text}'")
        elif token == b"}":
            depth -= 1
        else:
            key = token[1:-1]


def _integral(text: str) -> int | float:
    """Parses an integral number as a 64-bit integer if it fits, else as a float."""
    if len(text) <= _MAX_DIGITS and -(2**63) <= int(text) < 2**64:
        return int(text)
    return _real(text)


def _real(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("Number exceeds the range of double.")
    return value


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object in order, including duplicates."""


def _features(tree: Any) -> bytes:
    _check_message(tree, "features", "", "features", "Features")
    message, path = b"", "features.feature"
    for feature in _members(tree, "features", "feature"):
        if not isinstance(feature, _Pairs):
            if isinstance(feature, list):
                error = "Cannot bind a list to map for field 'feature'."
                raise ValueError(f"(features): invalid value {error} for type Map")
            raise _invalid(feature, path, f"{_TYPE}Features.FeatureEntry")
        keys: list[str] = []
        for key, value in feature:
            if key in keys:
                where = f"({path}[{len(keys) - 1}]) {key}"
                raise ValueError(f"{where}: Repeated map key: '{key}' is already set.")
            entry = _field(1, key.encode())
            if value is not None:
                entry += _field(2, _feature(value, key, f"{path}[{len(keys)}].value"))
            message += _field(1, entry)
            keys.append(key)
    return message


def _feature(tree: Any, key: str, path: str) -> bytes:
    if isinstance(tree, list) and not isinstance(tree, _Pairs):
        error = f"Cannot have repeated items ('{key}') within a map."
        raise ValueError(f"({path}): invalid value {error} for type Map")
    if not isinstance(tree, _Pairs):
        raise _invalid(tree, path, f"{_TYPE}Feature")
    message = None
    for spelling, values in tree:
        if spelling not in _LIST_FIELDS:
            raise ValueError(f"({path}) {spelling}: Cannot find field.")
        if values is None:
            continue
        if message is not None:
            error = f"oneof field 'kind' is already set. Cannot set '{spelling}'"
            raise ValueError(f"({path}): invalid value {error} for type oneof")
        field_number, name, type_name, encode = _LIST_FIELDS[spelling]
        _check_message(values, name, path, f"{path}.{name}", f"{type_name}List")
        encoded = b""
        for member in _members(values, f"{path}.{name}", "value"):
            for i, value in enumerate(_flattened(member)):
                try:
                    encoded += encode(value)
                except (ValueError, TypeError, OverflowError):
                    where = f"{path}.{name}.value[{i}]"
                    raise _invalid(value, where, _VALUE_TYPES[name]) from None
        message = _field(field_number, encoded)
    return message or b""


def _check_message(tree: Any, name: str, parent: str, path: str, type_name: str) -> None:
    if isinstance(tree, _Pairs):
        return
    if isinstance(tree, list):
        where = f"({parent}) {name}" if parent else name
        raise ValueError(f"{where}: Proto field is not repeating, cannot start list.")
    raise _invalid(tree, path, _TYPE + type_name)


def _members(tree: _Pairs, path: str, name: str) -> Iterator[Any]:
    """Yields the values of the only field of a message, without nulls."""
    for key, value in tree:
        if key != name:
            raise ValueError(
                f"({path}) {key}: Cannot find field." if path else f"{key}: Cannot find field."
            )
        if value is not None:
            yield value


def _flattened(items: Any) -> Iterator[Any]:
    """Yields the flattened values of nested lists, or a single value."""
    if isinstance(items, list) and not isinstance(items, _Pairs):
        for value in items:
            yield from _flattened(value)
    elif items is not None:
        yield items


def _invalid(value: Any, path: str, type_name: str) -> ValueError:
    text = "{}" if isinstance(value, _Pairs) else json.dumps(value, ensure_ascii=False)
    return ValueError(f"({path}): invalid value {text} for type {type_name}")


def _varint(value: int) -> bytes:
    parts = bytearray()
    value &= 0xFFFFFFFFFFFFFFFF
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _field(field_number: int, data: bytes) -> bytes:
    """Returns an encoded field whose value is bytes or a message."""
    return bytes([field_number << 3 | 2]) + _varint(len(data)) + data


def _decode_base64(value: Any) -> bytes:
    """Returns the bytes encoded by a JSON string, in either base64 alphabet."""
    if not _BASE64.fullmatch(value):
        raise ValueError(value)
    data = value.replace("+", "-").replace("/", "_").rstrip("=")
    try:
        return _field(1, base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))
    except binascii.Error as error:
        raise ValueError(value) from error


def _float(value: Any) -> bytes:
    if isinstance(value, bool):
        raise TypeError(value)
    real = float(value)
    is_spelt = isinstance(value, str) and not any(map(str.isdigit, value))  # "Infinity", "NaN"
    if abs(real) > float(np.finfo(np.float32).max) and not is_spelt:
        raise OverflowError(value)
    return b"\x0d" + np.array(real, "<f4").tobytes()


def _int(value: Any) -> bytes:
    if isinstance(value, bool) or int(value) != (value if isinstance(value, float) else int(value)):
        raise TypeError(value)
    if not -(2**63) <= int(value) < 2**63:
        raise OverflowError(value)
    return b"\x08" + _varint(int(value))


_VALUE_TYPES = {"bytes_list": "TYPE_BYTES", "float_list": "TYPE_FLOAT", "int64_list": "TYPE_INT64"}
_LIST_FIELDS: dict[str, tuple[int, str, str, Callable[..., Any]]] = {
    spelling: (field_number, name, type_name, encode)
    for field_number, name, camel, type_name, encode in (
        (1, "bytes_list", "bytesList", "Bytes", _decode_base64),
        (2, "float_list", "floatList", "Float", _float),
        (3, "int64_list", "int64List", "Int64", _int),
    )
    for spelling in (name, camel)
}
