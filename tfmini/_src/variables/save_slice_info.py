"""Slices of a large variable: the part that a smaller variable or initializer covers, and the shapes of partitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.prefixes import prepend_name_scope, strip_name_scope


class SaveSliceInfo:
    """The slice of a larger variable that a variable stores, as recorded in checkpoints.

    Args:
      full_name: name of the larger variable.
      full_shape: shape of the larger variable, a list of ints.
      var_offset: start of the slice, one int per dimension.
      var_shape: shape of the slice.
      save_slice_info_def: a SaveSliceInfoDef proto, instead of the other arguments.
      import_scope: name scope to prepend to the name in the proto.
    """

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Sequence[int] | None = None,
        var_offset: Sequence[int] | None = None,
        var_shape: Sequence[int] | None = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ):
        if save_slice_info_def:
            full_name = prepend_name_scope(save_slice_info_def.full_name, import_scope)
            full_shape = list(save_slice_info_def.full_shape)
            var_offset = list(save_slice_info_def.var_offset)
            var_shape = list(save_slice_info_def.var_shape)
        self.full_name: Any = full_name
        self.full_shape: Any = full_shape
        self.var_offset: Any = var_offset
        self.var_shape: Any = var_shape

    @property
    def spec(self) -> str:
        """The slice in the format of checkpoints: "7 2 0,3:0,2" is the first 3 rows of a [7, 2] variable."""
        sizes = " ".join(str(size) for size in self.full_shape)
        parts = (f"{begin},{size}" for begin, size in zip(self.var_offset, self.var_shape))
        return f"{sizes} {':'.join(parts)}"

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns a SaveSliceInfoDef, or None if the variable is outside `export_scope`."""
        if export_scope is not None and not self.full_name.startswith(export_scope):
            return None
        return proto.SaveSliceInfoDef(
            full_name=strip_name_scope(self.full_name, export_scope),
            full_shape=self.full_shape,
            var_offset=self.var_offset,
            var_shape=self.var_shape,
        )


class PartitionInfo:
    """The slice of a larger variable that an initializer must fill.

    Args:
      full_shape: shape of the larger variable, a sequence of ints.
      var_offset: start of the slice, one int per dimension.

    Raises:
      TypeError, ValueError: if they are not sequences, or do not match.
    """

    def __init__(self, full_shape: Any, var_offset: Any):
        for name, value in (("full_shape", full_shape), ("var_offset", var_offset)):
            _check_sequence(name, value)
        if len(var_offset) != len(full_shape):
            raise ValueError(
                f"Expected equal length, but `var_offset` is of length {len(var_offset)} while "
                f"full_shape is of length {len(full_shape)}."
            )
        for offset, size in zip(var_offset, full_shape):
            if not 0 <= offset < size:
                raise ValueError(
                    f"Expected 0 <= offset < shape but found offset={offset}, shape={size} for "
                    f"var_offset={var_offset}, full_shape={full_shape}"
                )
        self.full_shape = full_shape
        self.var_offset = var_offset

    def single_offset(self, shape: Sequence[int]) -> int:
        """Returns the offset of a slice of `shape` along the split dimension; 0 if no dimension is split."""
        axis = self.single_slice_dim(shape)
        return 0 if axis is None else self.var_offset[axis]

    def single_slice_dim(self, shape: Any) -> int | None:
        """Returns the only dimension in which a slice of `shape` is smaller than the full shape; None for equal shapes.

        Raises:
          TypeError, ValueError: if `shape` is not a sequence, does not match, or differs in two
          dimensions.
        """
        _check_sequence("shape", shape)
        if len(shape) != len(self.full_shape):
            raise ValueError(
                f"Expected equal length, but received shape={shape} of length {len(shape)} while "
                f"self.full_shape={self.full_shape} is of length {len(self.full_shape)}."
            )
        for axis, size in enumerate(shape):
            if self.var_offset[axis] + size > self.full_shape[axis]:
                raise ValueError(
                    f"With self.var_offset={self.var_offset}, a partition of shape={shape} would "
                    f"exceed self.full_shape={self.full_shape} in dimension {axis}."
                )
        sliced_axes = [axis for axis, size in enumerate(shape) if size != self.full_shape[axis]]
        if len(sliced_axes) > 1:
            raise ValueError(
                f"Cannot use single_slice_dim() with shape={shape} and self.full_shape="
                f"{self.full_shape} since slice dim could be either dimension {sliced_axes[1]} or {sliced_axes[0]}."
            )
        return sliced_axes[0] if sliced_axes else None


def _check_sequence(name: str, value: Any) -> None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(
            f"`{name}` must be a sequence (like tuple or list) instead of {type(value).__name__}"
        )


def partition_counts(partitioner: Any, shape: TensorShape, dtype: Any) -> Sequence[int]:
    """Validates and returns the number of partitions per dimension chosen by `partitioner`."""
    if not shape.is_fully_defined():
        raise ValueError(
            f"Shape of a new partitioned variable must be fully defined, but instead was {shape}."
        )
    if not len(shape):
        raise ValueError(f"A partitioned Variable must have rank at least 1, shape: {shape}")
    parts = partitioner(shape=shape, dtype=dtype)
    if not isinstance(parts, Sequence):
        raise ValueError(f"Partitioner must return a sequence, but saw: {parts}")
    if len(parts) != len(shape):
        raise ValueError(
            "Partitioner returned a partition list that does not match the Variable's rank: "
            f"{parts} vs. {shape}"
        )
    if any(p < 1 for p in parts):
        raise ValueError(f"Partitioner returned zero partitions for some axes: {parts}")
    if sum(p > 1 for p in parts) > 1:
        raise ValueError(
            f"Can only slice a variable along one dimension: shape: {shape}, partitioning: {parts}"
        )
    return parts


def partition_slices(
    full_shape: list[int], parts: Sequence[int]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yields the offset and shape of each partition; if sizes do not divide evenly, the first ones are larger by 1."""
    axis = next((axis for axis, count in enumerate(parts) if count > 1), 0)
    count = parts[axis]
    size, larger = divmod(full_shape[axis], count)
    begin = 0
    for index in range(count):
        offset, shape = [0] * len(full_shape), list(full_shape)
        offset[axis], shape[axis] = begin, size + (index < larger)
        yield offset, shape
        begin += shape[axis]
