"""`RaggedTensor`: rows of different lengths, stored as concatenated values and row ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.ops.ragged import ragged_conversions, row_partition
from tfmini._src.ops.ragged.ragged_rows import RaggedRows
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue
from tfmini._src.ops.ragged.row_partition import Partition, convert


def _check_flag(validate: Any) -> None:
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


class RaggedTensor(RaggedRows):
    """A tensor with one or more ragged dimensions, whose slices may differ in length.

    Created by `tf.ragged.constant` and the methods `from_...`, not by the constructor. The outermost dimension is
    uniform, followed by `ragged_rank` ragged ones, then any uniform ones. Reductions, slices, elementwise functions
    and operators accept it like a Tensor.

    Example: `tf.RaggedTensor.from_row_lengths([3, 1, 4, 1], [2, 0, 2])` is [[3, 1], [], [4, 1]].
    """

    @classmethod
    def _create(cls, values: Any, partition: Partition) -> RaggedTensor:
        return cls(
            values,
            partition.row_splits,
            partition.row_lengths,
            partition.value_rowids,
            partition.nrows,
            internal=True,
        )

    @classmethod
    def from_value_rowids(
        cls,
        values: TensorLike,
        value_rowids: TensorLike,
        nrows: TensorLike | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Creates a ragged tensor in which value i is in row `value_rowids[i]`.

        Args:
          values: [n, ...] tensor, ragged or not.
          value_rowids: sorted integer vector, [n].
          nrows: the number of rows; by default one more than the last of `value_rowids`.
          validate: whether to add operations that check the row partition in each step.

        Raises:
          ValueError: if `nrows` is statically known to be negative or too small.
        """
        _check_flag(validate)
        with name_scope(name, "RaggedFromValueRowIds", [values, value_rowids, nrows]):
            values, value_rowids = convert(values, value_rowids, "value_rowids")
            partition = row_partition.partition_by_value_rowids(
                values, value_rowids, nrows, validate
            )
            return cls._create(values, partition)

    @classmethod
    def from_row_splits(
        cls,
        values: TensorLike,
        row_splits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Creates a ragged tensor whose row i is `values[row_splits[i]:row_splits[i + 1]]`.

        Args:
          values: [n, ...] tensor, ragged or not.
          row_splits: sorted integer vector, [rows + 1], from 0 to n.
          validate: whether to add operations that check the row partition in each step.

        Raises:
          ValueError: if `row_splits` is empty.
        """
        _check_flag(validate)
        if isinstance(row_splits, list | tuple) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        if isinstance(row_splits, TensorSpec):
            return cls(values, row_splits, internal=True)
        with name_scope(name, "RaggedFromRowSplits", [values, row_splits]):
            values, row_splits = convert(values, row_splits, "row_splits")
            return cls._create(
                values, row_partition.partition_by_row_splits(values, row_splits, validate)
            )

    @classmethod
    def from_row_lengths(
        cls,
        values: TensorLike,
        row_lengths: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Creates a ragged tensor whose row i consists of the next `row_lengths[i]` values.

        Args:
          values: [n, ...] tensor, ragged or not.
          row_lengths: integer vector, [rows], whose sum is n.
          validate: whether to add operations that check the row partition in each step.
        """
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
            values, row_lengths = convert(values, row_lengths, "row_lengths")
            return cls._create(
                values, row_partition.partition_by_row_lengths(values, row_lengths, validate)
            )

    @classmethod
    def from_row_starts(
        cls,
        values: TensorLike,
        row_starts: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Creates a ragged tensor whose row i starts at value `row_starts[i]`.

        Args:
          values: [n, ...] tensor, ragged or not.
          row_starts: sorted integer vector, [rows], that begins with 0.
          validate: whether to add operations that check the row partition in each step.
        """
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
            values, row_starts = convert(values, row_starts, "row_starts")
            return cls._create(
                values, row_partition.partition_by_row_starts(values, row_starts, validate)
            )

    @classmethod
    def from_row_limits(
        cls,
        values: TensorLike,
        row_limits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Creates a ragged tensor whose row i ends before value `row_limits[i]`.

        Args:
          values: [n, ...] tensor, ragged or not.
          row_limits: sorted integer vector, [rows], that ends with n.
          validate: whether to add operations that check the row partition in each step.
        """
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
            values, row_limits = convert(values, row_limits, "row_limits")
            return cls._create(
                values, row_partition.partition_by_row_limits(values, row_limits, validate)
            )

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Sequence[Any],
        nested_nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """`from_value_rowids` for several ragged dimensions, outermost first.

        Raises:
          TypeError: for a tensor in place of a list; ValueError: for lists of different lengths.
        """
        _check_flag(validate)
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError("nested_value_rowids must be a list of Tensors")
        if nested_nrows is None:
            nested_nrows = [None] * len(nested_value_rowids)
        elif isinstance(nested_nrows, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        elif len(nested_nrows) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        values = [flat_values, *nested_value_rowids, *nested_nrows]
        with name_scope(name, "RaggedFromNestedValueRowIds", values):
            result = flat_values
            for rowids, nrows in reversed(list(zip(nested_value_rowids, nested_nrows))):
                result = cls.from_value_rowids(result, rowids, nrows, validate=validate)
            return result

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: TensorLike,
        nested_row_splits: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """`from_row_splits` for several ragged dimensions, outermost first.

        Raises:
          TypeError: for a tensor in place of a list.
        """
        _check_flag(validate)
        if isinstance(nested_row_splits, Tensor):
            raise TypeError("nested_row_splits must be a list of Tensors")
        with name_scope(name, "RaggedFromNestedRowSplits", [flat_values, *nested_row_splits]):
            result = flat_values
            for splits in reversed(nested_row_splits):
                result = cls.from_row_splits(result, splits, validate=validate)
            return result

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: TensorLike,
        nested_row_lengths: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """`from_row_lengths` for several ragged dimensions, outermost first.

        Raises:
          TypeError: for a tensor in place of a list.
        """
        _check_flag(validate)
        if isinstance(nested_row_lengths, Tensor):
            raise TypeError("nested_row_lengths must be a list of Tensors")
        with name_scope(name, "RaggedFromNestedRowlengths", [flat_values, *nested_row_lengths]):
            result = flat_values
            for lengths in reversed(nested_row_lengths):
                result = cls.from_row_lengths(result, lengths, validate=validate)
            return result

    @classmethod
    def from_tensor(
        cls,
        tensor: TensorLike,
        lengths: TensorLike | None = None,
        padding: str | None = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
    ) -> RaggedTensor:
        """Converts a dense tensor to a ragged tensor.

        Args:
          tensor: a tensor with at least `ragged_rank + 1` dimensions.
          lengths: the row lengths, an integer vector, or a list of vectors for several ragged dimensions.
          padding: a value; trailing elements equal to it are removed from rows.
          ragged_rank: the number of dimensions that become ragged.
          row_splits_dtype: int32 or int64.

        Raises:
          ValueError: if both `lengths` and `padding` are passed, or `ragged_rank` is less than 1.

        Example: `tf.RaggedTensor.from_tensor([[5, 0], [0, 0]], padding=0)` is [[5], []].
        """
        row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
        if ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
        with name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
            return ragged_conversions.splits_and_values(
                cls, tensor, lengths, padding, ragged_rank, row_splits_dtype
            )

    @classmethod
    def from_sparse(
        cls,
        st_input: SparseTensor,
        name: str | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
    ) -> RaggedTensor:
        """Creates a ragged tensor from a sparse matrix whose rows are left-aligned and contiguous.

        Args:
          st_input: a SparseTensor or SparseTensorValue of rank 2.
          row_splits_dtype: int32 or int64.

        Raises:
          TypeError: for other types; ValueError: if the rank is not known to be 2.
          InvalidArgumentError (when run): if there are gaps.
        """
        return ragged_conversions.ragged_from_sparse(cls, st_input, name, row_splits_dtype)

    @classmethod
    def _from_variant(
        cls,
        variant: Any,
        dtype: Any,
        output_ragged_rank: int,
        input_ragged_rank: int | None = None,
        name: str | None = None,
    ) -> Any:
        """Decodes a ragged tensor encoded by `_to_variant`; several variants are stacked."""
        variant = ops.convert_to_tensor(variant, name="variant", dtype=dtypes.variant)
        rank = variant.shape.ndims
        if None not in (rank, input_ragged_rank) and output_ragged_rank != input_ragged_rank + rank:
            raise ValueError(
                "output_ragged_rank must be equal to input_ragged_rank +variant.shape.ndims, found "
                f"variant.shape.ndims: {rank}, input_ragged_rank: {input_ragged_rank}, output_ragged_rank: "
                f"{output_ragged_rank}"
            )
        ragged_rank = -1 if input_ragged_rank is None else input_ragged_rank
        with name_scope(
            name, "RaggedFromVariant", [variant, dtype, ragged_rank, output_ragged_rank]
        ):
            *splits, values = _splits_and_values(
                raw.RaggedTensorFromVariant(
                    variant,
                    input_ragged_rank=ragged_rank,
                    output_ragged_rank=output_ragged_rank,
                    Tvalues=dtype,
                    Tsplits=dtypes.int64,
                    name=name,
                )
            )
            return cls.from_nested_row_splits(values, splits, validate=False)


def _splits_and_values(results: Any) -> list[Tensor]:
    splits, values = results
    return [*splits, values]


@public
def ragged_tensor_class() -> type[RaggedTensor]:
    """Returns `RaggedTensor`, for lower-level modules."""
    return RaggedTensor


@public
def tensor_or_ragged(
    value: Any, dtype: Any = None, preferred_dtype: Any = None, name: str | None = None
) -> Any:
    """Converts `value` to a Tensor, or to a RaggedTensor if ragged; raises ValueError if its dtype differs."""
    if isinstance(value, RaggedTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for RaggedTensor with dtype "
                f"{value.dtype.name}: {value!r}"
            )
        return value
    if not isinstance(value, RaggedTensorValue):
        return ops.convert_to_tensor(value, dtype=dtype, preferred_dtype=preferred_dtype, name=name)
    with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
        flat = ops.convert_to_tensor(
            value.flat_values, dtype=dtype, preferred_dtype=preferred_dtype, name="flat_values"
        )
        return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)


def match_splits_dtypes(*tensors: Any) -> tuple[Any, tuple]:
    """Casts the row splits of tensors, some of them ragged, to a common dtype; returns the dtype and the tensors."""
    types = {tensor.row_splits.dtype for tensor in tensors if isinstance(tensor, RaggedTensor)}
    if len(types) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
            "convert them to compatible dtypes."
        )
    return (types.pop() if types else dtypes.int64), tensors


def match_row_splits_dtypes(*tensors: Any, return_dtype: bool = False) -> Any:
    """Casts the row splits of ragged tensors to a common dtype; optionally also returns it."""
    dtype, converted = match_splits_dtypes(*tensors)
    return (dtype, converted) if return_dtype else converted


class RaggedTensorType:
    """The declared return type of a function: a ragged tensor of a specific dtype and ragged rank."""

    def __init__(self, dtype: Any, ragged_rank: int, row_splits_dtype: Any = dtypes.int64):
        self.dtype = dtype
        self.ragged_rank = ragged_rank
        self.row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
