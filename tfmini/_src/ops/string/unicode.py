"""Unicode: transcoding, and conversion to and from code points."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.formats.schemes import c_string
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, same_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import INDEX64
from tfmini._src.ops.string.string_elements import list_strings, map_strings, vector

_ERRORS = Attr("string", "replace", allowed=("strict", "replace", "ignore"))
_OUTPUT = Attr("string", allowed=("UTF-8", "UTF-16-BE", "UTF-32-BE"))
_MARKS = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}
_canonical = cache(lambda encoding: codecs.lookup(encoding).name)
_CONTROL = re.compile("[\x00-\x1f]")  # including tabs and line ends
_SURROGATE = re.compile("[\ud800-\udfff]")


def _character(point: int) -> str:
    if not 0 <= point <= 0x10FFFF:
        invalid("replacement_char out of unicode codepoint range")
    return chr(point)


def _python_name(encoding: str) -> str:
    """Returns the name of Python's codec for an ICU encoding."""
    encoding = c_string(encoding)
    name = re.sub(r"^UTF-?(16|32)-?(BE|LE)$", r"utf-\1-\2", encoding, flags=re.IGNORECASE)
    try:
        "".encode(name)
    except (LookupError, ValueError):
        invalid(f"Could not create converter for input encoding: {encoding}")
    return name


def _byte_order(data: bytes, encoding: str) -> str:
    """Returns the encoding of a string, big endian if unspecified and without a byte order mark."""
    name = _canonical(encoding)
    return f"{name}-be" if name in _MARKS and not data.startswith(_MARKS[name]) else encoding


def _decode(
    data: bytes, encoding: str, errors: str, replacement: str, replace_control: bool
) -> str:
    encoding = _byte_order(data, encoding)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if errors == "strict":
            invalid("Invalid formatting on input string")
        if errors == "ignore":
            text = data.decode(encoding, "ignore")
        else:
            # U+FFFD in the input is not a replacement.
            text = "".join(
                replacement if "\udc80" <= c <= "\udcff" else c
                for c in _decode_with_surrogates(data, encoding)
            )
    if replace_control:
        if errors == "strict" and _CONTROL.search(text):
            invalid("Invalid formatting on input string")
        text = _CONTROL.sub("" if errors == "ignore" else replacement, text)
    return text


def _encoder(encoding: str) -> Callable[[str], bytes]:
    """Returns the encoder; lone surrogates are invalid in UTF-8, but plain 16- or 32-bit units otherwise."""
    if _canonical(encoding) == "utf-8":
        return lambda text: _SURROGATE.sub("\ufffd", text).encode()
    encode = codecs.getencoder(encoding)
    return lambda text: encode(text, "surrogatepass")[0]


def _decode_with_surrogates(data: bytes, encoding: str) -> str:
    """Decodes text, replacing each run of invalid bytes with a lone surrogate."""
    parts, offset = [], 0
    while offset < len(data):
        try:
            parts.append(data[offset:].decode(encoding))
            break
        except UnicodeDecodeError as error:
            parts += [data[offset : offset + error.start].decode(encoding), "\udc80"]
            offset += error.end
    return "".join(parts)


@op(
    "UnicodeTranscode",
    "input: string -> output: string",
    infer=same_shape,
    input_encoding=Attr("string"),
    output_encoding=_OUTPUT,
    errors=_ERRORS,
    replacement_char=65533,
    replace_control_characters=False,
)
def unicode_transcode_op(
    xp,
    value,
    *,
    input_encoding,
    output_encoding,
    errors,
    replacement_char,
    replace_control_characters,
):
    source, target = _python_name(input_encoding), _python_name(output_encoding)
    character, encode = _character(replacement_char), _encoder(target)

    def transcode(data: bytes) -> bytes:
        return encode(_decode(data, source, errors, character, replace_control_characters))

    return map_strings(transcode, value)


def _code_points(
    value: Any, splits: Any, encoding: str, errors: str, replacement: int, control: bool
) -> tuple:
    """Returns row splits, code points, and the byte offset of each code point in its string."""
    encoding = _python_name(encoding)
    _character(replacement)
    if encoding.lower() in ("utf-8", "utf8"):
        decoded = _all_points(list_strings(value), control)
        if decoded is not None:
            ends, points, starts = decoded
            return ends.astype(splits.as_numpy_dtype), points, starts
    return _points_one_by_one(value, splits, encoding, errors, replacement, control)


def _all_points(strings: list[bytes], control: bool) -> tuple | None:
    """`_code_points` for strings in valid UTF-8 without characters to replace; None for other strings."""
    sizes = np.fromiter(map(len, strings), np.int64, len(strings))
    is_start = np.zeros(len(strings) + 1, np.int64)
    sizes.cumsum(out=is_start[1:])
    joined = b"".join(strings)
    units = np.frombuffer(joined, np.uint8)
    is_first = (units & 0xC0) != 0x80
    if not is_first[is_start[:-1][sizes > 0]].all() or (control and (units < 32).any()):
        return None
    try:
        text = joined.decode()
    except UnicodeDecodeError:
        return None
    points = np.frombuffer(text.encode("utf-32-le"), "<i4")
    counts = np.zeros(units.size + 1, np.int64)
    is_first.cumsum(out=counts[1:])
    ends = counts[is_start]
    starts = np.flatnonzero(is_first) - is_start[:-1].repeat(np.diff(ends))
    return ends, points.astype(np.int32), starts


def _points_one_by_one(
    value: Any, splits: Any, encoding: str, errors: str, replacement: int, control: bool
) -> tuple:
    points: list[int] = []
    starts: list[int] = []
    ends = [0]
    for data in list_strings(value):
        offset, name = 0, _byte_order(data, encoding)
        while offset < len(data):
            try:
                text, bad = data[offset:].decode(name), 0
            except UnicodeDecodeError as error:
                if errors == "strict":
                    invalid("Invalid formatting on input string")
                text = data[offset : offset + error.start].decode(name)
                bad = error.end - error.start
            for char in text:
                size = len(char.encode(name))
                is_replaced = control and char < " "
                if not (is_replaced and errors == "ignore"):
                    points.append(replacement if is_replaced else ord(char))
                    starts.append(offset)
                offset += size
            if bad and errors == "replace":
                points.append(replacement)
                starts.append(offset)
            offset += bad
        ends.append(len(points))
    dtype = np.dtype(splits.as_numpy_dtype)
    return np.array(ends, dtype), np.array(points, np.int32), np.array(starts, np.int64)


_DECODE: dict[str, Any] = {
    "input_encoding": Attr("string"),
    "errors": _ERRORS,
    "replacement_char": 65533,
    "replace_control_characters": False,
    "Tsplits": INDEX64,
}


@op("UnicodeDecode", "input: string -> row_splits: Tsplits, char_values: int32", **_DECODE)
def unicode_decode_op(
    xp, value, *, input_encoding, errors, replacement_char, replace_control_characters, Tsplits
):
    return _code_points(
        value, Tsplits, input_encoding, errors, replacement_char, replace_control_characters
    )[:2]


@op(
    "UnicodeDecodeWithOffsets",
    "input: string -> row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64",
    **_DECODE,
)
def unicode_decode_with_offsets_op(
    xp, value, *, input_encoding, errors, replacement_char, replace_control_characters, Tsplits
):
    return _code_points(
        value, Tsplits, input_encoding, errors, replacement_char, replace_control_characters
    )


@unicode_decode_op.infer
@unicode_decode_with_offsets_op.infer
def _(op) -> list[Dims]:
    dims = op.inputs[0]._dims
    rows = None
    if dims is not None and None not in dims:
        rows = int(np.prod(dims)) + 1
    return [(rows,), *[(None,)] * (len(op.outputs) - 1)]


@op(
    "UnicodeEncode",
    "input_values: int32, input_splits: Tsplits -> output: string",
    errors=Attr("string", "replace", allowed=("ignore", "replace", "strict")),
    output_encoding=_OUTPUT,
    replacement_char=65533,
    Tsplits=INDEX64,
)
def unicode_encode_op(xp, values, splits, *, errors, output_encoding, replacement_char):
    name, replacement = _python_name(output_encoding), _character(replacement_char)

    def char(point: int) -> str:
        if 0 <= point < 0x110000:
            return chr(point)
        if errors == "strict":
            invalid("Code point value out of valid Unicode range.")
        return "" if errors == "ignore" else replacement

    encode, splits = _encoder(name), splits.ravel()
    if splits.size == values.size + 1 and splits[0] == 0 and (np.diff(splits) == 1).all():
        points, inverse = np.unique(values, return_inverse=True)
        return vector(encode(char(point)) for point in points.tolist())[inverse.reshape(-1)]
    chars = [char(point) for point in values.ravel().tolist()]
    ends = splits.tolist()
    return vector(encode("".join(chars[start:end])) for start, end in zip(ends, ends[1:]))


@unicode_encode_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 1)
    (count,) = with_rank(op.inputs[1]._dims, 1)
    return (None if count is None else count - 1,)


def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Converts strings from one Unicode encoding to another.

    Args:
      input: string tensor of any shape.
      input_encoding: the source encoding.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: the handling of invalid bytes: "replace", "ignore" or "strict".
      replacement_char: the replacement code point.
      replace_control_characters: whether to replace control characters as well.

    Returns:
      A string Tensor of the same shape.

    Raises:
      InvalidArgumentError (when run): for an unknown encoding, or for invalid bytes
        if `errors` is "strict".
    """
    return raw.UnicodeTranscode(**locals())
