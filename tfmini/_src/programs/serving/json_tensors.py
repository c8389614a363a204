"""Tensors as JSON, in TensorFlow Serving's row and column format, and tf.train.Examples as JSON objects."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.programs.serving.served_model import Arrays, Signature

INSTANCES, INPUTS = "instances", "inputs"
_BASE64 = "b64"
_BYTES = "_bytes"  # ends the names of outputs that are bytes, not text
_SHORT_FLOATS = (dtypes.float32, dtypes.float16, dtypes.bfloat16)
_MOST_SHOWN = 200  # letters of a request, in a message


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object of a request; raises InvalidArgumentError."""
    try:
        value = json.loads(body)
    except ValueError as error:
        invalid(f"JSON Parse error: {error}")
    except RecursionError:
        invalid("JSON Parse error: lists in lists too deep")
    if not isinstance(value, dict):
        invalid(f"JSON Value: {_shown(value)} Is not object")
    if not isinstance(value.get("signature_name", ""), str):
        invalid(
            f"JSON Value: {_shown(value)} not formatted correctly. 'signature_name' key must be a string value."
        )
    return value


def inputs_of(request: Mapping[str, Any], signature: Signature) -> dict[str, np.ndarray]:
    """The arrays of a request's `instances` (rows) or `inputs` (columns); raises InvalidArgumentError."""
    if (INSTANCES in request) == (INPUTS in request):
        if INPUTS not in request:
            invalid("Missing 'inputs' or 'instances' key")
        invalid(
            f"JSON Value: {_shown(request)} Not formatted correctly expecting only one of 'inputs' or 'instances' "
            "keys to exist"
        )
    names = sorted(signature.message.inputs)
    if INPUTS in request:
        columns = _columns(request[INPUTS], names)
    else:
        columns = _columns_of_rows(request[INSTANCES], names)
    return {name: array_of(columns[name], signature.dtype(name)) for name in names}


def _columns(value: Any, names: list[str]) -> Mapping[str, Any]:
    if not _is_named(value):
        if len(names) != 1:
            invalid(
                "inputs is a plain value/list, but expecting an object as multiple input tensors required as per "
                "tensorinfo_map"
            )
        return {names[0]: value}
    for name in names:
        if name not in value:
            invalid(f"Missing named input: {name} in 'inputs' object.")
    return value


def _columns_of_rows(rows: Any, names: list[str]) -> Mapping[str, list[Any]]:
    if not isinstance(rows, list):
        invalid(f"JSON Value: {_shown(rows)} Expecting 'instances' to be a list/array")
    if not rows:
        invalid("No values in 'instances' array")
    named = _is_named(rows[0])
    if not named and len(names) != 1:
        invalid(
            "instances is a plain list, but expecting list of objects as multiple input tensors required as per "
            "tensorinfo_map"
        )
    for index, row in enumerate(rows):
        if _is_named(row) != named:
            wanted, got = ("object", "list") if named else ("value/list", "object")
            invalid(f"Expecting {wanted} but got {got} at item {index} of input list")
        if named and sorted(row) != names:
            invalid(
                f"Failed to process element: {index} of 'instances' list. JSON object: {_shown(row)} keys must be "
                f"equal to: {','.join(names)}"
            )
    return {name: [row[name] for row in rows] if named else rows for name in names}


def _is_named(value: Any) -> bool:
    """Whether a value is an object of named tensors, not bytes."""
    return isinstance(value, dict) and not _is_bytes(value)


def _is_bytes(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get(_BASE64), str)


def array_of(value: Any, dtype: DType) -> np.ndarray:
    """Nested lists as an array of this dtype.

    Raises:
      InvalidArgumentError: for lists of several lengths at a level, or values of another type.
    """
    if dtype is dtypes.string:
        return _strings(value)
    kind = np.dtype(dtype.as_numpy_dtype)
    if kind.kind not in "fiub" and not dtype.is_floating:
        raise UnimplementedError(
            None, None, f"Conversion of JSON Value: {_shown(value)} to type: {dtype.name}"
        )
    try:
        array = np.array(value)
    except ValueError:
        _refuse_lengths(value, dtype)
    except OverflowError:
        _refuse(value, dtype)
    if array.size == 0 and array.dtype.kind == "f":
        return array.astype(kind)
    if dtype.is_floating:
        if array.dtype.kind not in "fiu":
            _refuse(value, dtype)
        with np.errstate(over="ignore"):
            result = array.astype(kind)
        exact = array.dtype.kind == "f" or np.array_equal(result.astype("f8"), array)
        if not exact or not np.array_equal(np.isinf(result), np.isinf(array)):
            invalid(
                f"Cannot convert JSON value: {_shown(value)} to {dtype.name} without loss of precision."
            )
        return result
    if array.dtype.kind not in ("b" if kind.kind == "b" else "iu"):
        _refuse(value, dtype)
    result = array.astype(kind)
    if not np.array_equal(result, array):
        _refuse(value, dtype)
    return result


def _strings(value: Any) -> np.ndarray:
    shape: list[int] = []
    inner = value
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0] if inner else None
    array = np.empty(shape, object)
    _fill(array, value)
    return array


def _fill(target: np.ndarray, value: Any) -> None:
    """Sets the elements of an array of bytes."""
    if target.ndim == 0:
        target[()] = _bytes(value)
        return
    if not isinstance(value, list) or len(value) != len(target):
        _refuse_lengths(value, dtypes.string)
    if target.ndim == 1:
        target[:] = [_bytes(each) for each in value]
        return
    for part, each in zip(target, value):
        _fill(part, each)


def _bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if not _is_bytes(value):
        _refuse(value, dtypes.string)
    try:
        return base64.b64decode(value[_BASE64], validate=True)
    except binascii.Error:
        invalid("Unable to base64 decode")


def _refuse(value: Any, dtype: DType) -> NoReturn:
    while isinstance(value, list) and value and all(type(v) is type(value[0]) for v in value):
        value = value[0]
    invalid(f"JSON Value: {_shown(value)} is not of expected type: {dtype.name}")


def _refuse_lengths(value: Any, dtype: DType) -> NoReturn:
    invalid(
        f"JSON Value: {_shown(value)} is no tensor of {dtype.name}: lists at the same level have the same length"
    )


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def rows(results: Arrays) -> dict[str, Any]:
    """The answer to `instances`: a list with an item for each, an object if there are several outputs.

    Raises:
      InvalidArgumentError: if the outputs have different numbers of rows.
    """
    counts = {value.shape[0] if value.ndim else None for value in results.values()}
    if None in counts or len(counts) > 1:
        shown = ", ".join(f"{name} {list(value.shape)}" for name, value in results.items())
        invalid(f"Outputs have inconsistent batch sizes: {shown}; ask in column format ('inputs')")
    lists = [plain(name, value) for name, value in results.items()]
    if len(lists) == 1:
        return {"predictions": lists[0]}
    return {"predictions": [dict(zip(results, row)) for row in zip(*lists)]}


def columns(results: Arrays) -> dict[str, Any]:
    """The answer to `inputs`: the output, or an object of several."""
    lists = {name: plain(name, value) for name, value in results.items()}
    return {"outputs": lists if len(lists) > 1 else next(iter(lists.values()))}


def plain(name: str, value: np.ndarray) -> Any:
    """An output as nested lists of JSON's types; bytes as text, or in base64 if the name ends in `_bytes`.

    Raises:
      InvalidArgumentError: for bytes that are no UTF-8.
      UnimplementedError: for what JSON has no form of.
    """
    if value.dtype == object:
        flat = np.empty(value.shape, object)
        flat.reshape(-1)[:] = [_text(name, each) for each in value.reshape(-1)]
        return flat.tolist()
    dtype = dtypes.as_dtype(value.dtype)
    if dtype in _SHORT_FLOATS:  # 0.2, not the double that is nearest to it in 32 bits
        value = value.astype(np.float32).astype("U").astype(np.float64)
    if value.dtype.kind not in "fiub":
        raise UnimplementedError(
            None, None, f"Failed to write JSON value for tensor type: {dtype.name}"
        )
    return value.tolist()


def _text(name: str, value: bytes) -> Any:
    if name.endswith(_BYTES):
        return {_BASE64: base64.b64encode(value).decode()}
    try:
        return value.decode()
    except UnicodeDecodeError:
        invalid(
            f"The output {name} is no UTF-8: JSON holds it in base64 if its name ends in {_BYTES}"
        )


def examples_of(request: Mapping[str, Any]) -> list[bytes]:
    """The serialized tf.train.Examples of a request's `examples`, with the features of `context` in each.

    Raises:
      InvalidArgumentError: if they are not objects of features.
    """
    examples = request.get("examples")
    if not isinstance(examples, list) or not examples:
        invalid(f"JSON Value: {_shown(request)} Expecting 'examples' to be a list/array of objects")
    context = _example(request["context"]) if "context" in request else b""
    return [context + _example(each) for each in examples]


def _example(value: Any) -> bytes:
    if not isinstance(value, dict):
        invalid(f"Example must be JSON object but got {_shown(value)}")
    example = proto.Example()
    for name, content in value.items():
        _set_feature(example.features.feature[name], name, content)
    return example.SerializeToString()


def _set_feature(feature: Any, name: str, content: Any) -> None:
    values = content if isinstance(content, list) else [content]
    if all(isinstance(each, str) or _is_bytes(each) for each in values):
        feature.bytes_list.value.extend(map(_bytes, values))
    elif all(isinstance(each, int) for each in values):
        array = array_of([int(each) for each in values], dtypes.int64)
        feature.int64_list.value.extend(array.tolist())
    elif all(isinstance(each, float) for each in values):
        feature.float_list.value.extend(values)
    else:
        invalid(f"Feature: {name} has elements of several or other types: {_shown(content)}")
