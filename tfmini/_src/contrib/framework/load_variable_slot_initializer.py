"""Initializers that remap a checkpoint to a new vocabulary: biases, embeddings, optimizer slots."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.checkpoints.load_and_remap_matrix import (
    Initializer,
    load_and_remap_matrix_initializer,
)
from tfmini._src.variables.initializers import TruncatedNormal
from tfmini._src.variables.save_slice_info import PartitionInfo


def load_linear_multiclass_bias_initializer(
    ckpt_path: str,
    bias_tensor_name: str,
    new_class_vocab_size: int,
    old_class_vocab_file: TensorLike,
    new_class_vocab_file: TensorLike,
    num_class_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Returns an initializer that reads biases, [classes, 1], for a new class order; unknown classes start at zero.

    See `tf.contrib.framework.load_and_remap_matrix_initializer`.
    """
    return load_and_remap_matrix_initializer(
        *(ckpt_path, bias_tensor_name, new_class_vocab_size, 1),
        old_row_vocab_file=old_class_vocab_file,
        new_row_vocab_file=new_class_vocab_file,
        num_row_oov_buckets=num_class_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )


@arguments_of(load_and_remap_matrix_initializer, "old_row_vocab_size")
def load_variable_slot_initializer(
    old_tensor_name: str, primary_partition_info: PartitionInfo, **kwargs: Any
) -> Initializer:
    """Returns the initializer of an optimizer slot, partitioned like its variable in `primary_partition_info`.

    See `tf.contrib.framework.load_and_remap_matrix_initializer`.
    """
    remap = load_and_remap_matrix_initializer(old_tensor_name=old_tensor_name, **kwargs)

    def initialize(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Any:
        return remap(shape, dtype, partition_info=primary_partition_info)

    return initialize


def load_embedding_initializer(
    ckpt_path: str,
    embedding_tensor_name: str,
    new_vocab_size: int,
    embedding_dim: int,
    old_vocab_file: TensorLike,
    new_vocab_file: TensorLike,
    old_vocab_size: int = -1,
    num_oov_buckets: int = 0,
    initializer: Initializer | None = None,
    max_rows_in_memory: int = -1,
) -> Initializer:
    """Returns an initializer that reads embeddings, [words, embedding_dim], in the order of a new vocabulary.

    Like `load_and_remap_matrix_initializer` for rows; `initializer` for new words is by default truncated normal with
    standard deviation 1 / sqrt(embedding_dim).
    """
    if initializer is None:
        initializer = TruncatedNormal(stddev=1.0 / math.sqrt(embedding_dim))
    return load_and_remap_matrix_initializer(
        *(ckpt_path, embedding_tensor_name, new_vocab_size, embedding_dim),
        old_row_vocab_size=old_vocab_size,
        old_row_vocab_file=old_vocab_file,
        new_row_vocab_file=new_vocab_file,
        num_row_oov_buckets=num_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )
