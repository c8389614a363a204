"""Rows of a ragged tensor: values, row splits, equivalent partitions and conversions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, dimension_at_index
from tfmini._src.graph import raw
from tfmini._src.graph.composite_values import CompositeValue, SparseTensor
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.ops.ragged import ragged_conversions
from tfmini._src.ops.ragged.ragged_tensor_spec import RaggedTensorSpec
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue
from tfmini._src.ops.ragged.row_partition import SPLITS, positive_axis


class RaggedRows(CompositeValue):
    """Base class of `RaggedTensor` with its values, row partition and conversions."""

    values: Any = read_only(
        "The concatenated rows: a Tensor, or a RaggedTensor with one dimension fewer."
    )
    row_splits: Any = read_only(
        "The row boundaries, an integer vector [rows + 1]: a zero, then the end of each row."
    )
    _is_ragged = True

    def __init__(
        self,
        values: TensorLike,
        row_splits: TensorLike,
        cached_row_lengths: Tensor | None = None,
        cached_value_rowids: Tensor | None = None,
        cached_nrows: Tensor | None = None,
        internal: bool = False,
    ):
        if not internal:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
                "RaggedTensor.from_row_lengths())"
            )
        if not isinstance(row_splits, Tensor | TensorSpec):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}")
        if not isinstance(values, RaggedRows | Tensor | TensorSpec):
            raise TypeError(f"values must be a Tensor or RaggedTensor, got {values!r}")
        if row_splits.dtype not in SPLITS:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        if isinstance(row_splits, Tensor):
            row_splits.set_shape([None])
        if isinstance(values, RaggedRows):
            assert row_splits.dtype == values.row_splits.dtype
        self._values: Any = values
        self._row_splits: Any = row_splits
        for cached in (cached_row_lengths, cached_value_rowids, cached_nrows):
            if cached is not None and not isinstance(cached, Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if cached is not None and cached.dtype not in SPLITS:
                raise TypeError("Cached value must be int32 or int64.")
        self._cached_row_lengths = cached_row_lengths
        self._cached_value_rowids = cached_value_rowids
        self._cached_nrows = cached_nrows

    dtype: Any = read_only("The dtype of the values.", "_values.dtype")

    @property
    def shape(self) -> TensorShape:
        """The static shape, with None for ragged dimensions."""
        rows = dimension_at_index(self._row_splits.shape, 0) - 1
        return TensorShape([rows, None]).concatenate(self._values.shape[1:])

    @property
    def ragged_rank(self) -> int:
        """The number of ragged dimensions."""
        return len(self._levels())

    @property
    def flat_values(self) -> Any:
        """The innermost values, inside all ragged dimensions, as a Tensor."""
        return self._levels()[-1].values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of all ragged dimensions, outermost first."""
        return tuple(level.row_splits for level in self._levels())

    def _levels(self) -> list[RaggedRows]:
        levels = [self]
        while isinstance(levels[-1].values, RaggedRows):
            levels.append(levels[-1].values)
        return levels

    def value_rowids(self, name: str | None = None) -> Tensor:
        """Returns the row of each value as a sorted integer vector."""
        if self._cached_value_rowids is not None:
            return self._cached_value_rowids
        with name_scope(name, "RaggedValueRowIds", [self]):
            return ops.row_splits_to_segment_ids(self.row_splits)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """Returns `value_rowids` of all ragged dimensions, outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds", [self]):
            return tuple(level.value_rowids() for level in self._levels())

    def nrows(self, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """Returns the number of rows as a scalar of `out_type`, by default the dtype of the row splits."""
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._cached_nrows is not None:
            return ops.cast(self._cached_nrows, out_type)
        with name_scope(name, "RaggedNRows", [self]):
            return ops.shape(self.row_splits, out_type=out_type)[0] - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """Returns the start of each row as an integer vector [rows]."""
        with name_scope(name, "RaggedRowStarts", [self]):
            return self.row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Returns the exclusive end of each row as an integer vector [rows]."""
        with name_scope(name, "RaggedRowLimits", [self]):
            return self.row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """Returns slice lengths along a dimension, of shape `shape[:axis]`; raises ValueError for other dimensions."""
        if self._cached_row_lengths is not None:
            return self._cached_row_lengths
        with name_scope(name, "RaggedRowLengths", [self]):
            axis = positive_axis(axis, self.shape.ndims)
            if axis == 0:
                return self.nrows()
            splits = self.row_splits
            if axis == 1:
                return splits[1:] - splits[:-1]
            if isinstance(self.values, RaggedRows):
                return self.with_values(self.values.row_lengths(axis - 1))
            shape = ops.shape(self.values, out_type=splits.dtype)
            lengths = ops.ones(shape[: axis - 1], splits.dtype) * shape[axis - 1]
            return self.with_values(lengths)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """Returns `row_lengths` of all ragged dimensions, outermost first."""
        with name_scope(name, "RaggedNestedRowLengths", [self]):
            return tuple(level.row_lengths() for level in self._levels())

    def bounding_shape(
        self,
        axis: TensorLike | None = None,
        name: str | None = None,
        out_type: DTypeLike | None = None,
    ) -> Tensor:
        """Returns the shape of the smallest dense tensor that can contain the ragged tensor.

        Args:
          axis: one or several integers, to select dimensions.
          out_type: int32 or int64; by default the dtype of the row splits.
        """
        out_type = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        with name_scope(name, "RaggedBoundingBox", [self, axis]):
            nested, flat = self.nested_row_splits, self.flat_values
            if isinstance(axis, int):
                if axis == 0:
                    return ops.shape(nested[0], out_type=out_type)[0] - 1
                if axis == 1:
                    return ops.maximum(ops.reduce_max(self.row_lengths()), 0)
            rows = ops.shape(self.row_splits, out_type=out_type)
            inner = ops.shape(flat, out_type=out_type)
            count = rows[0] - 1
            max_lengths = [
                ops.maximum(ops.reduce_max(row_splits[1:] - row_splits[:-1]), 0)
                for row_splits in nested
            ]
            ragged = ops.stack([count, *max_lengths])
            box = ops.concat([ragged, inner[1:]], axis=0)
            return box if axis is None else ops.gather(box, axis)

    def with_values(self, new_values: Any) -> Any:
        """Returns a copy with the same row partition and new values, equal in number.

        Raises:
          ValueError: if the number of values differs, or their row splits differ in dtype.
        """
        new_values.shape.with_rank_at_least(1)
        self.values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if (
            isinstance(new_values, RaggedRows)
            and self._row_splits.dtype != new_values.row_splits.dtype
        ):
            raise ValueError(
                "self and new_values have mismatched row_splits dtypes; use "
                "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes."
            )
        cached = self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows
        return type(self)(new_values, self._row_splits, *cached, internal=True)

    def with_flat_values(self, new_values: TensorLike) -> Any:
        """Returns a copy with the same row partitions and new innermost values, equal in number."""
        if not isinstance(self._values, RaggedRows):
            return self.with_values(new_values)
        return self.with_values(self.values.with_flat_values(new_values))

    def with_row_splits_dtype(self, dtype: DTypeLike) -> Any:
        """Returns a copy with row splits of dtype int32 or int64; raises ValueError for other dtypes."""
        dtype = dtypes.as_dtype(dtype)
        if dtype not in SPLITS:
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        splits = ops.cast(self._row_splits, dtype)
        values = self._values
        if isinstance(values, RaggedRows):
            values = values.with_row_splits_dtype(dtype)
        lengths, rowids = self._cached_row_lengths, self._cached_value_rowids
        if lengths is not None:
            lengths = ops.cast(lengths, dtype)
        if rowids is not None:
            rowids = ops.cast(ops.cast(rowids, dtype), dtype)
        return type(self)(values, splits, lengths, rowids, self._cached_nrows, internal=True)

    def to_tensor(self, default_value: TensorLike | None = None, name: str | None = None) -> Tensor:
        """Converts to a dense tensor of the bounding shape, filled with `default_value` (0 by default)."""
        with name_scope(name, "RaggedToTensor", [self, default_value]):
            return ragged_conversions.ragged_to_dense(self, default_value)

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """Converts to a SparseTensor with all elements."""
        return ragged_conversions.ragged_to_sparse(self, name)

    def _to_variant(self, batched_input: bool = False, name: str | None = None) -> Tensor:
        """Encodes as a variant scalar, or as a vector of variants with one element per row."""
        with name_scope(name, "RaggedToVariant", [self, batched_input]):
            return raw.RaggedTensorToVariant(
                self.nested_row_splits, self.flat_values, batched_input=batched_input, name=name
            )

    def to_list(self) -> list[Any]:
        """Converts the rows to nested lists; raises ValueError in graph mode, where only values can be converted."""
        if not self._is_eager():
            raise ValueError(
                "RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the RaggedTensor "
                "first and then use RaggedTensorValue.to_list()."
            )
        value = self.flat_values.numpy()
        for row_splits in reversed(self.nested_row_splits):
            value = RaggedTensorValue(value, row_splits.numpy())
        return value.to_list()

    def _is_eager(self) -> bool:
        parts = (self.flat_values, *self.nested_row_splits)
        return all(isinstance(part, EagerTensor) for part in parts)

    def consumers(self) -> list[Any]:
        """Returns the operations that consume any of the component tensors."""
        parts = self._type_spec._to_components(self)
        return list(dict.fromkeys(user for part in parts for user in part.consumers()))

    def __repr__(self) -> str:
        if self._is_eager():
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    def __getitem__(self, key: Any) -> Any:
        """Selects rows by index or slice, then slices ragged dimensions: `ragged[1:]`, `ragged[0]`, `ragged[:, :2]`."""
        return ops.ragged_getitem(self, key)

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def _as_graph_element(self) -> Any:
        return self.flat_values

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _shape_invariant_to_type_spec(self, shape: Any) -> RaggedTensorSpec:
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _to_components(self) -> list:
        return self._type_spec._to_components(self)

    def _session_parts(self) -> list:
        return [*self.nested_row_splits, self.flat_values]

    def _session_value(self, parts: Any) -> RaggedTensorValue:
        *splits, value = parts
        for row_splits in reversed(splits):
            value = RaggedTensorValue(value, row_splits)
        return value

    def _fed_parts(self, value: Any) -> list:
        return [*value.nested_row_splits, value.flat_values]
