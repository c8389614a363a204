"""N-grams of strings, joined along the last axis."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import checked_ranks, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX64
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.string.string_elements import list_strings, vector


@op(
    "StringNGrams",
    "data: string, data_splits: Tsplits -> ngrams: string, ngrams_splits: Tsplits",
    infer=checked_ranks(1, result=lambda op: [(None,), with_rank(op.inputs[1]._dims, 1)]),
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
    words = list_strings(data)
    ends = splits.ravel().tolist()
    for end in ends:
        if not 0 <= end <= len(words):
            invalid(f"Invalid split value {end}, must be in [0,{len(words)}]")
    if not ends or not words:
        return data, splits
    separator_bytes, left, right = _as_bytes(separator), _as_bytes(left_pad), _as_bytes(right_pad)
    if not pad_width and not preserve_short_sequences and len(ngram_widths) == 1:
        (width,) = ngram_widths
        if width > 0:
            return _unpadded_ngrams(words, splits, separator_bytes, min(width, len(words) + 1))
    result: list[bytes] = []
    counts = [0]
    for start, end in zip(ends, ends[1:]):
        row = words[start:end]
        before = len(result)
        for width in ngram_widths:
            max_padding = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [left] * max_padding + row + [right] * max_padding
            count = end - start + 2 * max_padding - width + 1
            if not row and start and max_padding:
                # TensorFlow's loop then writes the string before the empty row between the pads.
                last = [words[start - 1]]
                lefts = range(max_padding, max_padding - count, -1)
                result += [
                    separator_bytes.join([left] * n + last + [right] * (width - n)) for n in lefts
                ]
                continue
            result += [
                separator_bytes.join(padded[start : start + width]) for start in range(count)
            ]
        if preserve_short_sequences and len(result) == before and row:
            max_padding = max(pad_width, 0)
            result.append(separator_bytes.join([left] * max_padding + row + [right] * max_padding))
        counts.append(len(result))
    return vector(result), splits.dtype.type(counts).reshape(splits.shape)


def _unpadded_ngrams(
    words: list[bytes], splits: Any, separator_bytes: bytes, width: int
) -> tuple[Any, Any]:
    """Computes the n-grams within each row: the n-grams of all words that do not cross row boundaries."""
    starts, ends = splits.ravel()[:-1], splits.ravel()[1:]
    counts = np.maximum(ends - starts - (width - 1), 0)
    firsts = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    firsts += np.arange(len(firsts))
    adjacent = zip(*(islice(words, position, None) for position in range(width)))
    joined = map(separator_bytes.join, adjacent)
    grams = np.fromiter(joined, object, max(len(words) - width + 1, 0))
    new_splits = np.zeros(splits.size, splits.dtype)
    np.cumsum(counts, out=new_splits[1:])
    return grams[firsts], new_splits.reshape(splits.shape)


def _as_bytes(text: Any) -> bytes:
    return text if isinstance(text, bytes) else os.fsencode(text)


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
    """Joins adjacent strings along the last dimension into n-grams.

    Args:
      data: string tensor, ragged or not, of a known rank of at least 1.
      ngram_width: the number of strings per n-gram, or a list of numbers.
      separator: the string between them.
      pad_values: a string or a pair (left, right) to add before the first and after the last string; or None.
      padding_width: the number of paddings; by default the maximum, one less than the width.
      preserve_short_sequences: whether to join all strings of rows that are too short for an n-gram.

    Returns:
      A RaggedTensor, or a Tensor if `data` is one.

    Raises:
      TypeError: if `pad_values` are not strings.
      ValueError: if a width is less than 1, the rank is 0 or unknown, or `padding_width` is set without pad values.

    Example: `tf.strings.ngrams(["a", "b", "c"], 2)` is ["a b", "b c"].
    """
    with name_scope(name, "StringNGrams", [data]):
        left, right = _pads(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        data = ops.tensor_or_ragged(data, name="data", dtype=dtypes.string)
        options = separator, pad_values, padding_width, preserve_short_sequences, name
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
                return ngrams(row, ngram_width, *options)[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            result = data.with_values(ngrams(data.values, ngram_width, *options))
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
