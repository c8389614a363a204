"""Columns of hashed combinations of other columns' ids."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base.names.deprecation import deprecated_arg_values
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.layers.feature_column.column import (
    Column,
    IdsColumn,
    LookupArguments,
    transform_column,
)
from tfmini._src.contrib.layers.feature_column.real_valued_column import BucketizedColumn
from tfmini._src.contrib.layers.feature_column.sparse_column import SparseColumn
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.ops import raw
from tfmini._src.ops.sparse.sparse_cross import DEFAULT_KEY, cross_arguments
from tfmini._src.variables.initializers import Zeros

SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY = DEFAULT_KEY


@deprecated_arg_values(
    "2016-11-20",
    "The default behavior of sparse_feature_cross is changing, the default\n"
    "value for hash_key will change to SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY.\n"
    "From that point on sparse_feature_cross will always use FingerprintCat64\n"
    "to concatenate the feature fingerprints. And the underlying\n"
    "_sparse_feature_cross_op.sparse_feature_cross operation will be marked\n"
    "as deprecated.",
    hash_key=None,
)
def sparse_feature_cross(
    inputs: list[Any],
    hashed_output: bool = False,
    num_buckets: int = 0,
    name: str | None = None,
    hash_key: int | None = None,
) -> SparseTensor:
    """Returns the hashed combinations of several features' values, row by row.

    Args:
      inputs: a list of SparseTensors and Tensors [batch, n], of strings or integers.
      hashed_output: whether to hash combinations; else they are strings, joined by "_X_".
      num_buckets: number of hash buckets; 0 for all positive int64.
      hash_key: seed of the fingerprints; None for the older hash function.

    Returns:
      SparseTensor [batch, maximum number of combinations], int64 if hashed, else strings.

    Raises:
      TypeError: if `inputs` is not a list.
    """
    tensors, attrs = cross_arguments(inputs, hashed_output, num_buckets)
    if hash_key:
        return SparseTensor(
            *raw.SparseFeatureCrossV2(*tensors, hash_key=hash_key, name=name, **attrs)
        )
    return SparseTensor(*raw.SparseFeatureCross(*tensors, name=name, **attrs))


class _CrossedFields(NamedTuple):
    columns: tuple
    hash_bucket_size: int
    hash_key: int | None
    combiner: str
    ckpt_to_load_from: str | None
    tensor_name_in_ckpt: str | None


class CrossedColumn(IdsColumn, _CrossedFields):
    """Column of hashed combinations of other columns' ids."""

    length: int = read_only("The number of ids.", "hash_bucket_size")

    @property
    def name(self) -> str:
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def config(self) -> dict[str, Any]:
        specs: dict[str, Any] = {}
        for column in self.columns:
            specs.update(column.config)
        return specs

    @property
    def checkpoint(self) -> tuple[str, Any] | None:
        path = self.ckpt_to_load_from
        return None if path is None else (path, self.tensor_name_in_ckpt)

    def dnn_input(self, tensor: Any, output_rank: int) -> Any:
        raise ValueError(
            f"CrossedColumn is not supported in DNN. Please use embedding_column. column: {self}"
        )

    def wide_arguments(self, tensor: Any) -> LookupArguments:
        return LookupArguments(tensor, None, self.length, Zeros(), self.combiner)

    def leaves(self) -> list[Column]:
        """Returns the crossed columns, with nested crosses flattened in place."""
        leaves: list[Column] = []
        for column in self.columns:
            leaves += column.leaves() if isinstance(column, CrossedColumn) else [column]
        return leaves

    def insert_transformed_feature(self, tensors: dict) -> None:
        parts = []
        for column in self.leaves():
            if isinstance(column, SparseColumn):
                parts.append(transform_column(tensors, column.name))
            elif isinstance(column, BucketizedColumn):
                parts.append(column.to_sparse_tensor(transform_column(tensors, column)))
        tensors[self] = sparse_feature_cross(
            parts,
            hashed_output=True,
            num_buckets=self.hash_bucket_size,
            hash_key=self.hash_key,
            name="cross",
        )


def crossed_column(
    columns: Any,
    hash_bucket_size: int,
    combiner: str = "sum",
    ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None,
    hash_key: int | None = None,
) -> CrossedColumn:
    """Returns a column of combinations of other columns' ids.

    Args:
      columns: two or more categorical, bucketized or crossed columns.
      hash_bucket_size: number of ids, at least 2.
      combiner: "mean", "sqrtn" or "sum": combiner of the weights of multiple ids.
      ckpt_to_load_from, tensor_name_in_ckpt: checkpoint and tensor name to initialize the weights from.
      hash_key: seed of the fingerprints; None for the older hash function.

    Raises:
      TypeError: if a column is of any other kind.
      ValueError: for fewer than two columns or ids, or a checkpoint without a tensor name or vice versa.

    Example:
      cross = tf.contrib.layers.crossed_column([education, occupation], hash_bucket_size=1000)
    """
    for column in columns:
        if not isinstance(column, SparseColumn | CrossedColumn | BucketizedColumn):
            raise TypeError(
                "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. "
                f"(column {column} is a {_class_name(column)})"
            )
    if len(columns) < 2:
        raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
    if hash_bucket_size < 2:
        raise ValueError(
            f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}"
        )
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    ordered = tuple(sorted(columns, key=lambda column: column.name))
    return CrossedColumn(
        ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt
    )


def _class_name(column: Any) -> str:
    """Returns the class name used by TensorFlow."""
    name = type(column).__name__
    return "_" + name if isinstance(column, Column) else name
