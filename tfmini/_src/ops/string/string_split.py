"""Splitting of strings into SparseTensors or RaggedTensors with one row per string."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.strings import split_strings
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string, vector

_SPACES = b" \t\n\v\f\r"
_SINGLE_BYTES = vector(bytes([byte]) for byte in range(256))


@op(
    "StringSplit",
    "input: string, delimiter: string -> indices: int64, values: string, shape: int64",
    differentiable=False,
    skip_empty=True,
)
def string_split_op(xp, strings, delimiter, *, skip_empty):
    delimiter = _check_separator(strings, delimiter, "delimiter")
    if not delimiter:
        texts = list_strings(strings)
        values = _SINGLE_BYTES[np.frombuffer(b"".join(texts), np.uint8)]
        return _in_rows([*map(len, texts)], values)
    return _split_strings(strings, delimiter, "left_out" if skip_empty else "kept_of_others")


@op(
    "StringSplitV2",
    "input: string, sep: string -> indices: int64, values: string, shape: int64",
    maxsplit=-1,
)
def string_split_v2_op(xp, strings, sep, *, maxsplit):
    separator = _check_separator(strings, sep, "sep")
    texts = list_strings(strings)
    if maxsplit == 0:
        return _sparse([[text] for text in texts])
    if maxsplit > 0 or len(separator) > 1:
        parts = [text.split(separator or None, maxsplit) for text in texts]
        for words in parts if not separator else ():
            if len(words) == maxsplit:
                words.append(b"")  # the rest, even if empty
        return _sparse(parts)
    return _split_strings(strings, separator or _SPACES, "kept" if separator else "left_out")


def _check_separator(strings: Any, separator: Any, name: str) -> bytes:
    if len(array_shape(strings)) != 1:
        invalid(f"input must be a vector, got shape: {shape_text(array_shape(strings))}")
    if array_shape(separator):
        invalid(f"{name} must be a scalar, got shape: {shape_text(array_shape(separator))}")
    return scalar_string(separator)


def _split_strings(strings: Any, separators: bytes, empty: str) -> tuple:
    """Splits at the bytes in `separators`; for `empty`, see `split_strings`."""
    native = split_strings(strings, separators, empty)
    if native is not None:
        return native
    first = separators[:1]
    table = bytes.maketrans(separators, first * len(separators))
    texts = list_strings(strings)
    parts = [text.translate(table).split(first) for text in texts]
    if empty == "left_out":
        parts = [[*filter(None, row)] for row in parts]
    elif empty == "kept_of_others":
        parts = [row if text else [] for row, text in zip(parts, texts)]
    return _sparse(parts)


def _sparse(parts: list[list[bytes]]) -> tuple:
    """Converts rows of different lengths to indices, values and shape."""
    return _in_rows([*map(len, parts)], vector(chain.from_iterable(parts)))


def _in_rows(sizes: list[int], values: Any) -> tuple:
    """Returns indices, values and shape for rows of these sizes."""
    counts = np.array(sizes, np.int64)
    indices = np.empty((len(values), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(counts.size), counts)
    indices[:, 1] = np.arange(len(values)) - np.repeat(np.cumsum(counts) - counts, counts)
    return indices, values, np.array([counts.size, counts.max(initial=0)], np.int64)


def _split_dims(op: Any) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 0)
    return [(None, 2), (None,), (2,)]


string_split_op.infer(_split_dims)
string_split_v2_op.infer(_split_dims)


def sparse_string_split(
    source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None
) -> SparseTensor:
    """Same as `string_split` for a vector, but opens no name scope."""
    sep = deprecated_argument_lookup("sep", sep, "delimiter", delimiter)
    sep = ops.convert_to_tensor(" " if sep is None else sep, dtype=dtypes.string)
    source = ops.convert_to_tensor(source, dtype=dtypes.string)
    return SparseTensor(*raw.StringSplit(source, sep, skip_empty=skip_empty))


@public
def sparse_string_split_v2(
    source: Any, sep: TensorLike | None = None, maxsplit: int = -1
) -> SparseTensor:
    """Same as `strings_split` for a vector, but returns a SparseTensor and opens no name scope."""
    sep = ops.convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
    source = ops.convert_to_tensor(source, dtype=dtypes.string)
    return SparseTensor(*raw.StringSplitV2(source, sep, maxsplit=maxsplit))


@public
@deprecated_args(None, "delimiter is deprecated, please use sep instead.", "delimiter")
def string_split(
    source: TensorLike,
    sep: TensorLike | None = None,
    skip_empty: bool = True,
    delimiter: TensorLike | None = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """Splits each string at any of the characters in `sep`.

    Args:
      source: [n] string tensor.
      sep: scalar string tensor (default: a space); "" splits into single bytes.
      skip_empty: whether to drop empty parts.
      delimiter: the old name of `sep`.
      result_type: "SparseTensor" or "RaggedTensor".

    Returns:
      A SparseTensor of strings, [n, longest], or a RaggedTensor.

    Raises:
      ValueError: if `source` is not a vector or `result_type` is unknown.

    Example: `tf.string_split(["a b", "c"]).values` is `["a", "b", "c"]`.
    """
    with name_scope(name, "StringSplit", [source]):
        result = sparse_string_split(source, sep, skip_empty, delimiter)
        if result_type == "SparseTensor":
            return result
        if result_type == "RaggedTensor":
            return ops.sparse_rows_to_ragged(result)
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


def strings_split(
    input: TensorLike | None = None,
    sep: TensorLike | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """Splits each string at `sep`, as Python's `str.split` does.

    Args:
      input: string tensor, ragged or not.
      sep: scalar string tensor; None or "" splits at whitespace.
      maxsplit: the maximum number of splits; -1 for no limit.
      result_type: "SparseTensor" or "RaggedTensor".
      source: the old name of `input`.

    Returns:
      A SparseTensor or RaggedTensor of strings, with one additional dimension.

    Raises:
      ValueError: if `result_type` is unknown.

    Example: `tf.strings.split(["a,b", "c"], ",").values` is `["a", "b", "c"]`.
    """
    input = deprecated_argument_lookup("input", input, "source", source)
    with name_scope(name, "StringSplit", [input]):
        if not getattr(input, "_is_ragged", False):
            input = ops.convert_to_tensor(input, dtype=dtypes.string, name="input")
            if result_type == "SparseTensor" and input.shape.ndims == 1:
                return sparse_string_split_v2(input, sep, maxsplit)
        ragged = ops.ragged_split(input, sep, maxsplit)
        if result_type == "SparseTensor":
            return ragged.to_sparse()
        if result_type == "RaggedTensor":
            return ragged
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
