"""Tensors as JSON, in TensorFlow Serving's row and column formats, and tf.train.Examples as JSON objects."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NoReturn

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.programs.serving.json_numbers import Numbers, numeric_request
from tfmini._src.programs.serving.served_model import Arrays

INSTANCES, INPUTS = "instances", "inputs"
_BASE64 = "b64"
_BYTES = "_bytes"  # suffix of output names with bytes instead of text
_NARROW_FLOATS = (dtypes.float32, dtypes.float16, dtypes.bfloat16)
_MAX_SHOWN = 200  # characters of a request quoted in an error
_CHUNK_ELEMENTS = 1 << 14  # elements encoded at a time
_ENCODER = json.JSONEncoder(separators=(",", ":"))


class _Constant(float):
    """NaN, Infinity or -Infinity in a request; a number beyond double range is a plain float."""


_DECODER = json.JSONDecoder(parse_constant=_Constant)


def parse(body: bytes | bytearray) -> dict[str, Any]:
    """Parses a request's JSON object, in which lists of numbers may be `Numbers`; raises InvalidArgumentError."""
    numeric = numeric_request(body)
    if numeric is not None:
        return numeric
    try:
        value = _DECODER.decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except ValueError as error:
        invalid(f"JSON Parse error: {error}")
    except RecursionError:
        invalid("JSON Parse error: lists nested too deep")
    if not isinstance(value, dict):
        invalid(f"JSON Value: {_quote(value)} Is not object")
    if not isinstance(signature_name(value), str):
        invalid(
            f"JSON Value: {_quote(value)} not formatted correctly. 'signature_name' key must be a string value."
        )
    return value


def signature_name(request: Mapping[str, Any]) -> str:
    """Returns the name of the requested signature, or ""."""
    return request.get("signature_name", "")


def parse_inputs(request: Mapping[str, Any], inputs: Mapping[str, DType]) -> dict[str, np.ndarray]:
    """Returns the arrays of a request's `instances` (rows) or `inputs` (columns), given the input dtypes by name.

    Raises:
      InvalidArgumentError: for missing or unknown inputs, or values of other types.
    """
    if (INSTANCES in request) == (INPUTS in request):
        if INPUTS not in request:
            invalid("Missing 'inputs' or 'instances' key")
        invalid(
            f"JSON Value: {_quote(request)} Not formatted correctly expecting only one of 'inputs' or 'instances' "
            "keys to exist"
        )
    names = sorted(inputs)
    numeric = numeric_inputs(request, inputs)
    if numeric is not None:
        return numeric
    request = _with_lists(request)
    if INPUTS in request:
        columns = _named_columns(request[INPUTS], names)
    else:
        columns = _columns_from_rows(request[INSTANCES], names)
    return {name: list_to_array(columns[name], inputs[name]) for name in names}


def numeric_inputs(
    request: Mapping[str, Any], inputs: Mapping[str, DType]
) -> dict[str, np.ndarray] | None:
    """Returns the array of a request's `Numbers`; None if missing, or if the signature has other inputs."""
    if len(inputs) == 1:
        ((name, dtype),) = inputs.items()
        for value in request.values():
            array = value.array(dtype) if isinstance(value, Numbers) else None
            if array is not None:
                return {name: array}
    return None


def _with_lists(request: Mapping[str, Any]) -> Mapping[str, Any]:
    return {k: v.lists() if isinstance(v, Numbers) else v for k, v in request.items()}


def _named_columns(value: Any, names: list[str]) -> Mapping[str, Any]:
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


def _columns_from_rows(rows: Any, names: list[str]) -> Mapping[str, list[Any]]:
    if not isinstance(rows, list):
        invalid(f"JSON Value: {_quote(rows)} Expecting 'instances' to be a list/array")
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
            expected, actual = ("object", "list") if named else ("value/list", "object")
            invalid(f"Expecting {expected} but got {actual} at item {index} of input list")
        if named and sorted(row) != names:
            invalid(
                f"Failed to process element: {index} of 'instances' list. JSON object: {_quote(row)} keys must be "
                f"equal to: {','.join(names)}"
            )
    return {name: [row[name] for row in rows] if named else rows for name in names}


def _is_named(value: Any) -> bool:
    """Whether a value is an object of named tensors, rather than bytes."""
    return isinstance(value, dict) and not _is_bytes(value)


def _is_bytes(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get(_BASE64), str)


def list_to_array(value: Any, dtype: DType) -> np.ndarray:
    """Converts nested lists to an array of this dtype; raises InvalidArgumentError if ragged or of another type."""
    shape, flat = [], [value]
    while flat and isinstance(flat[0], list):
        lengths = {len(item) if isinstance(item, list) else -1 for item in flat}
        if len(lengths) > 1:
            _raise_length_error(value, dtype)
        shape.append(len(flat[0]))
        flat = list(chain.from_iterable(flat))
    array = _element_array(value, flat, dtype)
    try:
        return array.reshape(shape)
    except ValueError:
        invalid(f"JSON Value: {_quote(value)} has {len(shape)} dimensions: too many")


def _element_array(value: Any, flat: list[Any], dtype: DType) -> np.ndarray:
    """Converts the elements `flat` to a 1-d array; rejects types that do not match the dtype."""
    if dtype is dtypes.string:
        array = np.empty(len(flat), object)
        array[:] = [_encode_string(item) for item in flat]
        return array
    numpy_dtype, types = np.dtype(dtype.as_numpy_dtype), set(map(type, flat))
    if numpy_dtype.kind == "b" and types <= {bool}:
        return np.array(flat, numpy_dtype)
    if numpy_dtype.kind in "iu" and types <= {int}:
        limits = np.iinfo(numpy_dtype)
        if not flat or limits.min <= min(flat) <= max(flat) <= limits.max:
            return np.array(flat, numpy_dtype)
    elif dtype.is_floating and types <= {int, float, _Constant}:
        return _float_array(value, flat, dtype, int in types)
    elif numpy_dtype.kind not in "iub" and not dtype.is_floating:
        text = f"Conversion of JSON Value: {_quote(value)} to type: {dtype.name}"
        raise UnimplementedError(None, None, text)
    _raise_type_error(value, dtype)


def _float_array(value: Any, flat: list[Any], dtype: DType, has_int: bool) -> np.ndarray:
    """Converts numbers to floats, which may lose only fractional digits."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(flat, np.float64).astype(dtype.as_numpy_dtype, copy=False)
    except OverflowError:
        _raise_type_error(value, dtype)
    infinite = np.isinf(array)
    if infinite.any():
        is_lossy = any(not isinstance(flat[i], _Constant) for i in np.flatnonzero(infinite))
    else:
        is_lossy = False
    if has_int and not is_lossy:
        doubles = array.astype(np.float64).tolist()
        is_lossy = any(a != b for a, b in zip(flat, doubles) if type(a) is int)
    if is_lossy:
        invalid(
            f"Cannot convert JSON value: {_quote(value)} to {dtype.name} without loss of precision."
        )
    return array


def _encode_string(value: Any) -> bytes:
    if isinstance(value, str):
        try:
            return value.encode()
        except UnicodeEncodeError:
            invalid(f"JSON Value: {_quote(value)} is half of a surrogate pair")
    if not _is_bytes(value):
        _raise_type_error(value, dtypes.string)
    text = "".join(value[_BASE64].split())
    try:
        return base64.b64decode(
            text if "=" in text else text + "=" * (-len(text) % 4), validate=True
        )
    except ValueError:
        invalid("Unable to base64 decode")


def _raise_type_error(value: Any, dtype: DType) -> NoReturn:
    while isinstance(value, list) and value and all(type(v) is type(value[0]) for v in value):
        value = value[0]
    invalid(f"JSON Value: {_quote(value)} is not of expected type: {dtype.name}")


def _raise_length_error(value: Any, dtype: DType) -> NoReturn:
    invalid(
        f"JSON Value: {_quote(value)} is not a tensor of {dtype.name}: lists at the same level "
        "must have the same length"
    )


def _quote(value: Any) -> str:
    text = "".join(islice(json.JSONEncoder().iterencode(value), _MAX_SHOWN + 1))
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def encode(value: Any) -> str:
    """Encodes a value as compact JSON, without whitespace."""
    return _ENCODER.encode(value)


def rows_response(results: Arrays) -> Iterator[bytes]:
    """Returns the response to `instances` in chunks, an item per row; raises InvalidArgumentError if rows differ."""
    counts = {value.shape[0] if value.ndim else None for value in results.values()}
    if None in counts or len(counts) > 1:
        shapes = ", ".join(f"{name} {list(value.shape)}" for name, value in results.items())
        invalid(
            f"Outputs have inconsistent batch sizes: {shapes}; use the column format ('inputs')"
        )
    parts = _array(*next(iter(results.items()))) if len(results) == 1 else _json_rows(results)
    return _build_object("predictions", parts)


def columns_response(results: Arrays) -> Iterator[bytes]:
    """Returns the response to `inputs` in chunks: the output, or an object of several."""
    parts = _array(*next(iter(results.items()))) if len(results) == 1 else _object(results)
    return _build_object("outputs", parts)


def _build_object(key: str, parts: Iterable[str]) -> Iterator[bytes]:
    return (part.encode() for part in chain((f'{{"{key}":',), parts, "}"))


# Arrays are encoded in chunks: other threads run in between, and little is held in memory twice.


def _array(name: str, value: np.ndarray) -> Iterator[str]:
    if value.size <= _CHUNK_ELEMENTS:
        texts = _texts(value) if value.ndim else None
        yield encode(as_json_values(name, value)) if texts is None else f"[{','.join(texts)}]"
        return
    step = max(1, _CHUNK_ELEMENTS * len(value) // value.size)
    for begin in range(0, len(value), step):
        yield "," if begin else "["
        if step == 1:
            yield from _array(name, value[begin])
        else:
            rows = value[begin : begin + step]
            texts = _texts(rows)
            yield encode(as_json_values(name, rows))[1:-1] if texts is None else ",".join(texts)
    yield "]"


def _json_rows(results: Arrays) -> Iterator[str]:
    """Yields the parts of a list with an object per row."""
    yield "["
    count = len(next(iter(results.values())))
    step = max(1, _CHUNK_ELEMENTS * count // max(1, sum(value.size for value in results.values())))
    for begin in range(0, count, step):
        yield "," if begin else ""
        if step == 1:
            yield from _object({name: value[begin, ...] for name, value in results.items()})
        else:
            rows = {name: value[begin : begin + step] for name, value in results.items()}
            yield ",".join(_record_texts(rows))
    yield "]"


def _record_texts(results: Arrays) -> Iterator[str]:
    """Returns the object of each row, as text."""
    form = ",".join(f"{encode(name).replace('%', '%%')}:%s" for name in results)
    lists = []
    for name, value in results.items():
        texts = _texts(value)
        lists.append(list(map(encode, as_json_values(name, value))) if texts is None else texts)
    return (f"{{{form % row}}}" for row in zip(*lists))


def _texts(value: np.ndarray) -> list[str] | None:
    """Returns the text of each row of short floats, three times as fast as `json`; None for other arrays."""
    if (
        not value.size
        or value.dtype.kind == "O"
        or dtypes.as_dtype(value.dtype) not in _NARROW_FLOATS
    ):
        return None
    texts: list[str] = value.reshape(-1).astype(np.float32).astype("U").tolist()
    joined = ",".join(texts)
    if "n" in joined or "+" in joined:  # not finite, or formatted differently by Python
        return None
    for size in reversed(value.shape[1:]):
        texts = [f"[{','.join(texts[i : i + size])}]" for i in range(0, len(texts), size)]
    return texts


def _object(results: Arrays) -> Iterator[str]:
    for index, (name, value) in enumerate(results.items()):
        yield f"{',' if index else '{'}{encode(name)}:"
        yield from _array(name, value)
    yield "}"


def as_json_values(name: str, value: np.ndarray) -> Any:
    """Returns an output as nested lists of JSON types; bytes as text, or in base64 if the name ends in `_bytes`.

    Raises:
      InvalidArgumentError: for bytes that are not UTF-8, and for values without a JSON form.
    """
    if value.dtype == object:
        flat = np.empty(value.shape, object)
        flat.reshape(-1)[:] = [_json_string(name, item) for item in value.reshape(-1)]
        return flat.tolist()
    dtype = dtypes.as_dtype(value.dtype)
    if dtype in _NARROW_FLOATS:  # 0.2, not the double nearest to it in 32 bits
        value = value.astype(np.float32).astype("U").astype(np.float64)
    if value.dtype.kind not in "fiub":
        invalid(f"Failed to write JSON value for tensor type: {dtype.name}")
    return value.tolist()


def _json_string(name: str, value: bytes) -> Any:
    if name.endswith(_BYTES):
        return {_BASE64: base64.b64encode(value).decode()}
    try:
        return value.decode()
    except UnicodeDecodeError:
        invalid(
            f"Output {name} is not UTF-8; JSON returns it as base64 if its name ends in {_BYTES}"
        )


def parse_examples(request: Mapping[str, Any]) -> list[bytes]:
    """Returns the serialized Examples of `examples`, with `context`; raises InvalidArgumentError if malformed."""
    request = _with_lists(request)
    examples = request.get("examples")
    if not isinstance(examples, list) or not examples:
        invalid(f"JSON Value: {_quote(request)} Expecting 'examples' to be a list/array of objects")
    context = _example(request["context"]) if "context" in request else b""
    return [context + _example(example) for example in examples]


def _example(value: Any) -> bytes:
    if not isinstance(value, dict):
        invalid(f"Example must be JSON object but got {_quote(value)}")
    example = proto.Example()
    for name, content in value.items():
        _set_feature(example.features.feature[_encode_string(name).decode()], name, content)
    return example.SerializeToString()


def _set_feature(feature: Any, name: str, content: Any) -> None:
    values = content if isinstance(content, list) else [content]
    if not values:
        return
    if all(isinstance(item, str) or _is_bytes(item) for item in values):
        feature.bytes_list.value.extend(map(_encode_string, values))
    elif all(isinstance(item, int) for item in values):
        array = list_to_array([int(item) for item in values], dtypes.int64)
        feature.int64_list.value.extend(array.tolist())
    elif all(isinstance(item, float) for item in values):
        feature.float_list.value.extend(list_to_array(values, dtypes.float32).tolist())
    else:
        invalid(f"Feature: {name} has elements of mixed or unsupported types: {_quote(content)}")
