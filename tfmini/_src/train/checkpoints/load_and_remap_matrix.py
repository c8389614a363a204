"""Initializers that load a matrix from a checkpoint, reordered for a new vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Zeros

Initializer = Callable[..., Any]


def load_and_remap_matrix_initializer(
    ckpt_path: str,
    old_tensor_name: str,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: TensorLike | None = None,
    new_row_vocab_file: TensorLike | None = None,
    old_col_vocab_file: TensorLike | None = None,
    new_col_vocab_file: TensorLike | None = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Creates an initializer that loads a matrix and reorders its rows, columns or both for a new vocabulary.

    Row i of the new matrix is the old row of the word in line i of the new vocabulary file. `initializer` fills rows
    and columns of new words and out-of-vocabulary buckets. A variable may be partitioned along its rows.

    Args:
      ckpt_path: the prefix of a checkpoint of version 2.
      old_tensor_name: the matrix in the checkpoint, [rows, columns], float32.
      new_row_vocab_size: size of the new row vocabulary, or number of rows if rows are not remapped.
      new_col_vocab_size: same for columns.
      old_row_vocab_size: number of words of the old vocabulary to use; -1 for all.
      old_row_vocab_file, new_row_vocab_file: paths; None if rows are not remapped.
      old_col_vocab_file, new_col_vocab_file: same for columns.
      num_row_oov_buckets: number of out-of-vocabulary rows to append.
      num_col_oov_buckets: number of out-of-vocabulary columns to append.
      initializer: a function of a shape; zeros by default.
      max_rows_in_memory: number of rows of the old matrix to read at a time; 0 or less for all.

    Returns:
      A function of (shape, dtype=tf.float32, partition_info=None).

    Raises:
      TypeError: if `initializer` is not callable.

    Example:
      tf.get_variable("embeddings", [1000, 64], initializer=load_and_remap_matrix_initializer(
          "/tmp/old", "embeddings", 1000, 64, old_row_vocab_file="old.txt", new_row_vocab_file="new.txt"))
    """
    fill = Zeros() if initializer is None else initializer
    if not callable(fill):
        raise TypeError(
            f"initializer must be callable, instead of being {fill} of type {type(fill)}."
        )
    all_rows = new_row_vocab_size + num_row_oov_buckets
    all_columns = new_col_vocab_size + num_col_oov_buckets

    def initialize(
        shape: Sequence[int], dtype: Any = dtypes.float32, partition_info: Any = None
    ) -> Any:
        if dtype != dtypes.float32:
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
        if len(shape) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if shape[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        if shape[1] != all_columns:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({new_col_vocab_size}) + "
                f"num_col_oov_buckets ({num_col_oov_buckets}) = {all_columns}, but received shape: {shape}"
            )
        offset = 0 if partition_info is None else partition_info.single_offset(shape)
        end = offset + shape[0]
        if end > all_rows:
            raise ValueError(
                f"Trying to initialize {shape[0]} additional rows after {offset} rows have already been initialized, "
                f"which would exceed expected total row count of new_row_vocab_size ({new_row_vocab_size}) + "
                f"num_row_oov_buckets ({num_row_oov_buckets}) = {all_rows}."
            )
        buckets = min(shape[0], max(0, end - new_row_vocab_size))
        if offset > new_row_vocab_size:  # only out-of-vocabulary rows
            return fill(shape)
        return _remap(
            *(ckpt_path, old_tensor_name, fill, max_rows_in_memory),
            rows=(offset, shape[0] - buckets, old_row_vocab_size),
            row_files=(old_row_vocab_file, new_row_vocab_file),
            columns=new_col_vocab_size,
            column_files=(old_col_vocab_file, new_col_vocab_file),
            buckets=(buckets, num_col_oov_buckets),
        )

    return initialize


def _remap(
    path: str,
    name: str,
    fill: Initializer,
    max_rows_in_memory: int,
    rows: tuple[int, int, int],
    row_files: tuple[Any, Any],
    columns: int,
    column_files: tuple[Any, Any],
    buckets: tuple[int, int],
) -> Any:
    """Returns a partition of the new matrix; `rows` is (first row, row count, old vocabulary size).

    Out-of-vocabulary buckets come last.
    """
    for axis, count in zip(("row", "col"), buckets):
        if count < 0:
            raise ValueError(f"num_{axis}_oov_buckets must be >= 0, but received {count}")
    for axis, (old, new) in (("row", row_files), ("col", column_files)):
        if bool(old) != bool(new):
            raise ValueError(
                f"old_{axis}_vocab_file and new_{axis}_vocab_file must both be specified or left unspecified. "
                f"old_{axis}_vocab_file='{old}', new_{axis}_vocab_file='{new}'"
            )
    if not (row_files[0] or column_files[0]):
        raise ValueError(
            "Must provide either row or column vocab files. If no remapping is necessary, consider using "
            "`tf.contrib.framework.init_from_checkpoint` instead."
        )
    offset, count, old_size = rows
    present: Any = count
    if row_files[0]:
        row_remapping, present = raw.GenerateVocabRemapping(
            *reversed(row_files),
            new_vocab_offset=offset,
            num_new_vocab=count,
            old_vocab_size=old_size,
        )
    else:
        row_remapping = ops.range(offset, offset + count, dtype=dtypes.int64)
    column_remapping: Any = []
    columns_present: Any = columns
    if column_files[0]:
        column_remapping, columns_present = raw.GenerateVocabRemapping(
            *reversed(column_files), new_vocab_offset=0, num_new_vocab=columns
        )
    missing = fill([count * columns - present * columns_present, 1])
    matrix = raw.LoadAndRemapMatrix(
        *(path, name, row_remapping, column_remapping, missing),
        num_rows=count,
        num_cols=columns,
        max_rows_in_memory=max_rows_in_memory,
    )
    if buckets[0] > 0:
        matrix = ops.concat([matrix, convert_to_tensor(fill([buckets[0], columns]))], 0)
    if buckets[1] > 0:
        fill_values = convert_to_tensor(fill([count + buckets[0], buckets[1]]))
        matrix = ops.concat([matrix, fill_values], 1)
    return matrix
