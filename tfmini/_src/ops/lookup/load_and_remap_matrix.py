"""Loading of checkpoint matrices with rows and columns remapped from one vocabulary to another.

GenerateVocabRemapping maps each word of the new vocabulary to its index in the old one; LoadAndRemapMatrix reads the
matrix in that order. Words missing from the old vocabulary map to -1 and are assigned the initial values in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, UnimplementedError, invalid
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.formats.schemes import c_string
from tfmini._src.formats.slice_specs import shape_text
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import checked_ranks, with_rank
from tfmini._src.ops.lookup.table import Table
from tfmini._src.ops.lookup.text_file_columns import WHOLE_LINE, read_columns, read_lines
from tfmini._src.ops.operands import c_name
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string


@op(
    "GenerateVocabRemapping",
    "new_vocab_file: string, old_vocab_file: string -> remapping: int64, num_present: int32",
    differentiable=False,
    new_vocab_offset=Attr("int", minimum=0),
    num_new_vocab=Attr("int", minimum=0),
    old_vocab_size=Attr("int", -1, minimum=-1),
    uses_files=True,
)
def generate_vocab_remapping_op(
    xp, new_vocab_file, old_vocab_file, *, new_vocab_offset, num_new_vocab, old_vocab_size
):
    values = {"new_vocab_file": new_vocab_file, "old_vocab_file": old_vocab_file}
    for name, file in values.items():
        if np.size(file) != 1:
            shape = ",".join(map(str, np.shape(file)))
            invalid(f"{name} should be a single string, but got [{shape}]")
    paths = [scalar_string(file) for file in values.values()]
    if not all(paths):
        invalid("new vocab filename cannot be empty.")
    words = _vocabulary(paths[0])
    if new_vocab_offset + num_new_vocab > len(words):
        invalid("lookup table size must be larger than last new vocab entry's line")
    old = _vocabulary(paths[1], old_vocab_size, is_unique=True)
    old_ids = {word: index for index, word in enumerate(old)}
    selected = words[new_vocab_offset : new_vocab_offset + num_new_vocab]
    remapping = np.array([old_ids.get(word, -1) for word in selected], np.int64)
    return remapping, np.int32(np.count_nonzero(remapping >= 0))


def _vocabulary(path: bytes, size: int = -1, is_unique: bool = False) -> list[bytes]:
    """Reads the first `size` lines of a file (all lines if -1) as a table does for keys or values."""
    lines = read_lines(path, size)
    words = read_columns(path, lines, WHOLE_LINE, dtypes.string, b"", 0, len(lines))
    if is_unique:
        Table(dtypes.string, dtypes.int64, (), False).fill(words, list(range(len(words))))
    return words


@generate_vocab_remapping_op.infer
def _(op):
    for value in op.inputs:
        with_rank(value._dims, 0)
    return [(op.attrs["num_new_vocab"],), ()]


@op(
    "LoadAndRemapMatrix",
    "ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, "
    "initializing_values: float -> output_matrix: float",
    infer=checked_ranks(None, 0, result=lambda op: (op.attrs["num_rows"], op.attrs["num_cols"])),
    differentiable=False,
    stateful=True,
    num_rows=Attr("int", minimum=0),
    num_cols=Attr("int", minimum=1),
    max_rows_in_memory=-1,
    uses_files=True,
)
def load_and_remap_matrix_op(
    xp,
    ckpt_path,
    old_tensor_name,
    row_remapping,
    col_remapping,
    initializing_values,
    *,
    num_rows,
    num_cols,
    max_rows_in_memory,
):
    _check_vectors(row_remapping=row_remapping, col_remapping=col_remapping)
    if row_remapping.size != num_rows:
        invalid(
            f"Size of row_remapping is {row_remapping.size} instead of being equal to num_rows={num_rows}"
        )
    _check_unique(row_remapping)
    if col_remapping.size not in (0, num_cols):
        invalid(
            f"Provided col_remapping, but its size is {col_remapping.size} instead of being equal to "
            f"num_cols={num_cols}"
        )
    _check_unique(col_remapping)
    if len(paths := list_strings(ckpt_path)) != 1:
        invalid(
            "The `ckpt_path` tensor must have exactly one element, got tensor of shape "
            f"{shape_text(array_shape(ckpt_path))}"
        )
    checkpoint = open_bundle(c_string(to_str(paths[0])))
    name = to_str(scalar_string(old_tensor_name))
    _check_matrix(checkpoint, name, None if col_remapping.size else num_cols)
    columns = col_remapping if col_remapping.size else np.arange(num_cols)
    if columns.max() >= checkpoint.shape(name)[1]:
        invalid(
            f"col_remapping has the column {columns.max()}, but tensor {name} has the shape "
            f"{shape_text(checkpoint.shape(name))}"
        )
    result = np.empty((num_rows, num_cols), np.float32)
    missing = (row_remapping < 0)[:, None] | (columns < 0)[None, :]
    _fill_missing(result, missing, initializing_values)
    for first, rows in _row_chunks(checkpoint, name, row_remapping, max_rows_in_memory):
        is_in_block = (row_remapping >= first) & (row_remapping < first + len(rows))
        target = np.ix_(is_in_block, columns >= 0)
        result[target] = rows[np.ix_(row_remapping[is_in_block] - first, columns[columns >= 0])]
    return result


def _check_vectors(**vectors: Any) -> None:
    for name, value in vectors.items():
        if value.ndim != 1:
            invalid(f"{name} must be a vector, got shape {shape_text(value.shape)}")


def _check_unique(remapping: Any) -> None:
    seen: dict[int, int] = {}
    for new, old in enumerate(remapping.tolist()):
        if old >= 0 and seen.setdefault(old, new) != new:
            raise UnimplementedError(
                None,
                None,
                f"Old ID {old} is mapped to both new ID {seen[old]} and {new}, which is not supported.",
            )


def _check_matrix(checkpoint: Bundle, name: str, columns: int | None) -> None:
    """Raises an error unless the checkpoint has a float32 matrix of this name, with `columns` columns if specified."""
    dtype, shape = checkpoint.dtype(name), checkpoint.shape(name)
    if dtype is not dtypes.float32:
        invalid(f"Tensor {name} has invalid type {c_name(dtype)} instead of expected type float")
    if len(shape) != 2:
        invalid(
            f"Tensor {name} has shape {shape_text(shape)} of invalid rank {len(shape)} instead of expected shape "
            "of rank 2."
        )
    if columns is not None and shape[1] != columns:
        invalid(
            f"Tensor {name} has shape {shape_text(shape)}, where the size of its 2nd dimension is {shape[1]} "
            f"instead of being equal to num_cols={columns}"
        )


def _fill_missing(result: np.ndarray, missing: np.ndarray, values: Any) -> None:
    """Fills missing elements with values, row by row."""
    count, expected = values.size, int(np.count_nonzero(missing))
    if count < expected:
        invalid(f"initializing_values contained {count} elements, but more missing values remain.")
    if count > expected:
        invalid(
            f"initializing_values contained {count} elements, but only {expected} elements were used to fill in "
            "missing values."
        )
    result[missing] = values.reshape(-1)


def _row_chunks(checkpoint: Bundle, name: str, rows: Any, max_rows: int) -> Any:
    """Yields chunks of at most `max_rows` rows that cover the requested rows: (first row, contents)."""
    expected = rows[rows >= 0]
    if not expected.size:
        return
    first, end = int(expected.min()), int(expected.max()) + 1
    size = end - first if max_rows <= 0 else min(max_rows, end - first)
    while first < end:
        count = min(size, end - first)
        shape = checkpoint.shape(name)
        if first + count > shape[0]:
            raise InternalError(
                None,
                None,
                f"Extent in dimension 0 out of bounds: shape = {shape_text(shape)}, slice = {first},{count}:-",
            )
        yield first, checkpoint.read_slice(name, [(first, count), FULL_EXTENT])
        first += count
