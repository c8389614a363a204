"""Conversion of strings to and from ragged rows of Unicode code points or characters."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_array_ops import expand_dims
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged


def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Encodes code points along the last dimension as strings.

    Args:
      input: integer tensor, ragged or not, of a known rank of at least 1.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: treatment of invalid code points: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces invalid ones.

    Returns:
      A string tensor without the last dimension.

    Raises:
      ValueError: if the rank is 0 or unknown.

    Example: `tf.strings.unicode_encode(tf.ragged.constant([[72, 105], [33]]), "UTF-8")` is ["Hi", "!"].
    """
    options = output_encoding, errors, replacement_char
    with name_scope(name, "UnicodeEncode", [input]):
        tensor = ops.tensor_or_ragged(input)
        rank = tensor.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if is_ragged(tensor):
            return _encoded_rows(tensor, options)
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        if rank == 1:
            length = ops.shape(tensor, out_type=dtypes.int32)[0]
            row = RaggedTensor.from_row_splits(tensor, ops.stack([0, length]), validate=False)
            return ops.reshape(unicode_encode(row, *options), [])
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(tensor), *options)
        flat = ops.reshape(tensor, ops.stack([-1, ops.shape(tensor)[-1]]))
        return ops.reshape(unicode_encode(flat, *options), tensor.shape[:-1])


def _encoded_rows(tensor: RaggedTensor, options: tuple) -> Any:
    if tensor.flat_values.shape.ndims > 1:
        return tensor.with_flat_values(unicode_encode(tensor.flat_values, *options))
    if tensor.ragged_rank > 1:
        return tensor.with_values(unicode_encode(tensor.values, *options))
    encoding, errors, replacement_char = options
    return raw.UnicodeEncode(
        tensor.values,
        tensor.row_splits,
        output_encoding=encoding,
        errors=errors,
        replacement_char=replacement_char,
    )


def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """Decodes each string to its code points.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: the encoding of the input, such as "UTF-8".
      errors: treatment of invalid bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces invalid ones.
      replace_control_characters: whether to replace control characters as well.

    Returns:
      An int32 RaggedTensor with an additional dimension; a vector if `input` is a scalar.

    Raises:
      ValueError: if the rank is unknown; InvalidArgumentError (when run): for invalid bytes if `errors` is
        "strict".

    Example: `tf.strings.unicode_decode(["Hi", "!"], "UTF-8")` is [[72, 105], [33]].
    """
    options = input_encoding, errors, replacement_char, replace_control_characters
    with name_scope(name, "UnicodeDecode", [input]):
        return _decode(input, options, with_offsets=False)[0]


@arguments_of(unicode_decode)
def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: Any,
    errors: Any,
    replacement_char: Any,
    replace_control_characters: Any,
    name: str | None,
) -> tuple:
    """Decodes each string to its code points and their byte offsets.

    Same arguments as `tf.strings.unicode_decode`.

    Returns:
      (code points, offsets): int32 and int64 RaggedTensors with an additional dimension; vectors for a scalar.
    """
    options = input_encoding, errors, replacement_char, replace_control_characters
    with name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decode(input, options, with_offsets=True)


def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """Splits each string into characters, which are strings.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: the encoding of input and output: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: treatment of invalid bytes: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces invalid ones.

    Returns:
      A RaggedTensor with an additional dimension; a vector if `input` is a scalar.

    Raises:
      ValueError: if the rank is unknown; InvalidArgumentError (when run): for invalid bytes if `errors` is
        "strict".

    Example: `tf.strings.unicode_split(["Hi", "!"], "UTF-8")` is [["H", "i"], ["!"]].
    """
    with name_scope(name, "UnicodeSplit", [input]):
        options = input_encoding, errors, replacement_char, False
        points = _decode(input, options, with_offsets=False)[0]
        return _characters(points, input_encoding, errors, replacement_char)


@arguments_of(unicode_split)
def unicode_split_with_offsets(
    input: TensorLike, input_encoding: Any, errors: Any, replacement_char: Any, name: str | None
) -> tuple:
    """Splits each string into characters and also returns their byte offsets.

    Same arguments as `tf.strings.unicode_split`.

    Returns:
      (characters, offsets): string and int64 RaggedTensors with one more dimension; vectors if `input` is a scalar.
    """
    with name_scope(name, "UnicodeSplitWithOffsets", [input]):
        options = input_encoding, errors, replacement_char, False
        points, offsets = _decode(input, options, with_offsets=True)
        return _characters(points, input_encoding, errors, replacement_char), offsets


def _characters(points: Any, encoding: str, errors: str, replacement_char: int) -> Any:
    single = expand_dims(points, -1)
    return unicode_encode(single, encoding, errors, replacement_char)


def _decode(input: Any, options: tuple, with_offsets: bool) -> tuple:
    input = ops.tensor_or_ragged(input, name="input")
    rank = input.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1:
        if not is_ragged(input):
            input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
        elif input.ragged_rank < rank - 1:
            inner_rank = rank - input.ragged_rank + 1
            inner = RaggedTensor.from_tensor(input.flat_values, ragged_rank=inner_rank)
            input = input.with_flat_values(inner)
    flat = ops.reshape(input.flat_values if is_ragged(input) else input, [-1])
    encoding, errors, replacement_char, control = options
    decode = raw.UnicodeDecodeWithOffsets if with_offsets else raw.UnicodeDecode
    splits, *parts = decode(
        flat,
        input_encoding=encoding,
        errors=errors,
        replacement_char=replacement_char,
        replace_control_characters=control,
    )
    if rank == 0:
        return tuple(parts)
    results = []
    for part in parts:
        result = RaggedTensor.from_row_splits(part, splits, validate=False)
        results.append(input.with_flat_values(result) if rank > 1 else result)
    return tuple(results)
