"""Strings that become rows: split into words, bytes and characters, n-grams; characters that become strings."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX64
from tfmini._src.ops.ragged.ragged_expand_squeeze_tile import expand_dims
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged
from tfmini._src.ops.string.string_elements import listed, vector


def _of_sparse(indices: Tensor, values: Tensor, shape: Tensor) -> RaggedTensor:
    return RaggedTensor.from_value_rowids(
        values=values, value_rowids=indices[:, 0], nrows=shape[0], validate=False
    )


@public
def sparse_rows_to_ragged(sparse: Any) -> RaggedTensor:
    """A SparseTensor of parts of strings as a ragged tensor."""
    return _of_sparse(sparse.indices, sparse.values, sparse.dense_shape)


@public
def ragged_split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Each string split wherever `sep` stands, as Python's `str.split` does: ragged, of one dimension more."""
    with name_scope(name, "StringSplit", [input]):
        input = ops.tensor_or_ragged(input, dtype=dtypes.string, name="input")
        if is_ragged(input):
            return input.with_flat_values(ragged_split(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return ragged_split(ops.stack([input]), sep, maxsplit)[0]
        if rank not in (1, None):
            return ragged_split(RaggedTensor.from_tensor(input), sep, maxsplit)
        return sparse_rows_to_ragged(ops.sparse_string_split_v2(input, sep, maxsplit))


def bytes_split(input: Any, name: str | None = None) -> Any:
    """The bytes of each string.

    Args:
      input: string tensor of known rank, ragged or not.
      name: the name of the scope.

    Returns:
      A RaggedTensor of one dimension more; a vector, where `input` is a scalar.

    Raises:
      ValueError: the rank is not known.

    Example: `tf.strings.bytes_split(["ab", "c"])` is [["a", "b"], ["c"]].
    """
    with name_scope(name, "StringsByteSplit", [input]):
        input = ops.tensor_or_ragged(input, name="input")
        if is_ragged(input):
            return input.with_flat_values(bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return bytes_split(ops.stack([input]))[0]
        if rank == 1:
            return _of_sparse(*raw.StringSplit(input, delimiter="", skip_empty=False))
        return bytes_split(RaggedTensor.from_tensor(input))


def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Strings encoded from the code points along the last dimension.

    Args:
      input: integer tensor of known rank, at least 1, ragged or not.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of numbers that are no code point: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: the name of the scope.

    Returns:
      A string tensor without the last dimension.

    Raises:
      ValueError: the rank is 0 or not known.

    Example: `tf.strings.unicode_encode(tf.ragged.constant([[72, 105], [33]]), "UTF-8")` is ["Hi", "!"].
    """
    how = output_encoding, errors, replacement_char
    with name_scope(name, "UnicodeEncode", [input]):
        tensor = ops.tensor_or_ragged(input)
        rank = tensor.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if is_ragged(tensor):
            return _encoded_rows(tensor, how)
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        if rank == 1:
            length = ops.shape(tensor, out_type=dtypes.int32)[0]
            row = RaggedTensor.from_row_splits(tensor, ops.stack([0, length]), validate=False)
            return ops.reshape(unicode_encode(row, *how), [])
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(tensor), *how)
        flat = ops.reshape(tensor, ops.stack([-1, ops.shape(tensor)[-1]]))
        return ops.reshape(unicode_encode(flat, *how), tensor.shape[:-1])


def _encoded_rows(tensor: RaggedTensor, how: tuple) -> Any:
    if tensor.flat_values.shape.ndims > 1:
        return tensor.with_flat_values(unicode_encode(tensor.flat_values, *how))
    if tensor.ragged_rank > 1:
        return tensor.with_values(unicode_encode(tensor.values, *how))
    encoding, errors, replacement_char = how
    return raw.UnicodeEncode(
        tensor.values,
        tensor.row_splits,
        output_encoding=encoding,
        errors=errors,
        replacement_char=replacement_char,
    )


def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The code points of each string.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: the encoding it has, "UTF-8" for one.
      errors: what becomes of bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      replace_control_characters: replace control characters too.
      name: the name of the scope.

    Returns:
      An int32 RaggedTensor of one dimension more; a vector, where `input` is a scalar.

    Raises:
      ValueError: the rank is not known; InvalidArgumentError: when run, for bytes that are no character if `errors` is
        "strict".

    Example: `tf.strings.unicode_decode(["Hi", "!"], "UTF-8")` is [[72, 105], [33]].
    """
    how = input_encoding, errors, replacement_char, replace_control_characters
    with name_scope(name, "UnicodeDecode", [input]):
        return _decoded(input, how, with_offsets=False)[0]


def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple:
    """The code points of each string, and at which byte each of them starts.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: the encoding it has, "UTF-8" for one.
      errors: what becomes of bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      replace_control_characters: replace control characters too.
      name: the name of the scope.

    Returns:
      (code points, offsets): int32 and int64 RaggedTensors of one dimension more; vectors, where `input` is a scalar.

    Raises:
      ValueError: the rank is not known; InvalidArgumentError: when run, for bytes that are no character if `errors` is
        "strict".
    """
    how = input_encoding, errors, replacement_char, replace_control_characters
    with name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decoded(input, how, with_offsets=True)


def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """The characters of each string, as strings.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: its encoding and theirs: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: the name of the scope.

    Returns:
      A RaggedTensor of one dimension more; a vector, where `input` is a scalar.

    Raises:
      ValueError: the rank is not known; InvalidArgumentError: when run, for bytes that are no character if `errors` is
        "strict".

    Example: `tf.strings.unicode_split(["Hi", "!"], "UTF-8")` is [["H", "i"], ["!"]].
    """
    with name_scope(name, "UnicodeSplit", [input]):
        how = input_encoding, errors, replacement_char, False
        points = _decoded(input, how, with_offsets=False)[0]
        return _characters(points, input_encoding, errors, replacement_char)


def unicode_split_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> tuple:
    """The characters of each string, as strings, and at which byte each of them starts.

    Args:
      input: string tensor of known rank, ragged or not.
      input_encoding: its encoding and theirs: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what becomes of bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: the name of the scope.

    Returns:
      (characters, offsets): string and int64 RaggedTensors of one dimension more; vectors, where `input` is a scalar.

    Raises:
      ValueError: the rank is not known; InvalidArgumentError: when run, for bytes that are no character if `errors` is
        "strict".
    """
    with name_scope(name, "UnicodeSplitWithOffsets", [input]):
        how = input_encoding, errors, replacement_char, False
        points, offsets = _decoded(input, how, with_offsets=True)
        return _characters(points, input_encoding, errors, replacement_char), offsets


def _characters(points: Any, encoding: str, errors: str, replacement_char: int) -> Any:
    single = expand_dims(points, -1)
    return unicode_encode(single, encoding, errors, replacement_char)


def _decoded(input: Any, how: tuple, with_offsets: bool) -> tuple:
    input = ops.tensor_or_ragged(input, name="input")
    rank = input.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1:
        if not is_ragged(input):
            input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
        elif input.ragged_rank < rank - 1:
            inside = rank - input.ragged_rank + 1
            inner = RaggedTensor.from_tensor(input.flat_values, ragged_rank=inside)
            input = input.with_flat_values(inner)
    flat = ops.reshape(input.flat_values if is_ragged(input) else input, [-1])
    encoding, errors, replacement_char, control = how
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


@op(
    "StringNGrams",
    "data: string, data_splits: Tsplits -> ngrams: string, ngrams_splits: Tsplits",
    separator=Attr("string"),
    ngram_widths=Attr("list(int)", minimum=0),
    left_pad=Attr("string"),
    right_pad=Attr("string"),
    pad_width=Attr("int"),
    preserve_short_sequences=Attr("bool"),
    Tsplits=INDEX64,
)
def string_n_grams_op(
    xp,
    data,
    splits,
    *,
    separator,
    ngram_widths,
    left_pad,
    right_pad,
    pad_width,
    preserve_short_sequences,
):
    words = listed(data)
    ends = splits.tolist()
    for start, end in zip(ends, ends[1:]):
        if not 0 <= start <= end <= len(words):
            invalid(f"Invalid split value {end}, must be in [{start}, {len(words)}]")
    between, left, right = _bytes(separator), _bytes(left_pad), _bytes(right_pad)
    result: list[bytes] = []
    counts = [0]
    for start, end in zip(ends, ends[1:]):
        row = words[start:end]
        before = len(result)
        for width in ngram_widths:
            most = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [left] * most + row + [right] * most
            result += [
                between.join(padded[at : at + width]) for at in range(len(padded) - width + 1)
            ]
        if preserve_short_sequences and len(result) == before and row:
            most = max(pad_width, 0)
            result.append(between.join([left] * most + row + [right] * most))
        counts.append(len(result))
    return vector(result), splits.dtype.type(counts) if len(counts) > 1 else splits[:1] * 0


def _bytes(text: Any) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


@string_n_grams_op.infer
def _(op) -> list[Dims]:
    return [(None,), op.inputs[1]._dims]


@public
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """N-grams: adjacent strings along the last dimension, joined.

    Args:
      data: string tensor of known rank, at least 1, ragged or not.
      ngram_width: the number of strings per n-gram, or a list of such numbers.
      separator: what stands between them.
      pad_values: a string, or (left, right), that goes on before the first and after the last; None for none.
      padding_width: how many of those; by default one less than the width, which is the most there are.
      preserve_short_sequences: join all of a row that is too short for any.
      name: the name of the scope.

    Returns:
      A RaggedTensor, or a Tensor where `data` is one.

    Raises:
      TypeError: `pad_values` are no strings; ValueError: a width is less than 1, or there are no pad values for a
        `padding_width`, or the rank is 0 or not known.

    Example: `tf.strings.ngrams(["a", "b", "c"], 2)` is ["a b", "b c"].
    """
    with name_scope(name, "StringNGrams", [data]):
        left, right = _pads(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        data = ops.tensor_or_ragged(data, name="data", dtype=dtypes.string)
        rest = separator, pad_values, padding_width, preserve_short_sequences, name
        dense_shape = None
        if isinstance(data, Tensor):
            dense_shape = ops.concat([ops.shape(data)[:-1], [-1]], axis=0)
            rank = data.shape.ndims
            if rank is None:
                raise ValueError("Rank of data must be known.")
            if rank == 0:
                raise ValueError("Data must have rank>0")
            if rank == 1:
                row = RaggedTensor.from_row_starts(data, [0], validate=False)
                return ngrams(row, ngram_width, *rest)[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            result = data.with_values(ngrams(data.values, ngram_width, *rest))
            return _dense(result, dense_shape)
        if pad_values is None:
            padding_width = 0
        elif padding_width is None:
            padding_width = -1
        widths = ngram_width if isinstance(ngram_width, list | tuple) else [ngram_width]
        for width in widths:
            if width < 1:
                raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
        values, splits = raw.StringNGrams(
            data.flat_values,
            data.row_splits,
            separator=separator,
            ngram_widths=widths,
            left_pad=left,
            right_pad=right,
            pad_width=padding_width,
            preserve_short_sequences=preserve_short_sequences,
        )
        return _dense(RaggedTensor.from_row_splits(values, splits, validate=False), dense_shape)


def _dense(result: RaggedTensor, shape: Tensor | None) -> Any:
    return result if shape is None else ops.reshape(result.flat_values, shape)


def _pads(pad_values: Any) -> tuple:
    if pad_values is None:
        return "", ""
    pads = pad_values if isinstance(pad_values, list | tuple) else (pad_values, pad_values)
    if not all(isinstance(pad, str | bytes) for pad in pads[:2]):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return pads[0], pads[1]
