"""Shapes of ragged tensors as tensors, and broadcasting of ragged tensors to them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value as constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_array_ops import tile
from tfmini._src.ops.ragged.ragged_range import repeat_ranges
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import SPLITS, integers, is_ragged, splits_from_lengths


class RaggedTensorDynamicShape:
    """The shape of a tensor, ragged or not: a size for each uniform dimension, row lengths for each ragged one.

    Args:
      partitioned_dim_sizes: a scalar or a vector of lengths for each dimension partitioned by row splits.
      inner_dim_sizes: the sizes of the uniform inner dimensions, an integer vector.
      dim_size_dtype: int32 or int64; by default the dtype of the lengths.
    """

    partitioned_dim_sizes: tuple = read_only(
        "Sizes and lengths of the dimensions that row splits divide."
    )
    inner_dim_sizes: Tensor = read_only("The sizes of the uniform dimensions inside.")

    def __init__(
        self, partitioned_dim_sizes: Any, inner_dim_sizes: Any, dim_size_dtype: Any = None
    ):
        assert isinstance(partitioned_dim_sizes, list | tuple)
        scope_values = (partitioned_dim_sizes, inner_dim_sizes)
        with name_scope(None, "RaggedTensorDynamicShape", scope_values):
            outer = tuple(
                ops.convert_to_tensor(size, name=f"partitioned_dimension_size_{axis}")
                for axis, size in enumerate(partitioned_dim_sizes)
            )
            inner = ops.convert_to_tensor(inner_dim_sizes, name="inner_dim_sizes")
            self._check(outer, inner)
            if dim_size_dtype is None:
                split_dtypes = {size.dtype for size in outer if size.shape.ndims == 1}
                if len(split_dtypes) > 1:
                    raise ValueError("partitioned_dim_sizes must have matching dtypes")
                dim_size_dtype = split_dtypes.pop() if split_dtypes else dtypes.int64
            self._partitioned_dim_sizes = tuple(ops.cast(size, dim_size_dtype) for size in outer)
            self._inner_dim_sizes = ops.cast(inner, dim_size_dtype)

    @staticmethod
    def _check(outer: tuple, inner: Tensor) -> None:
        for axis, size in enumerate(outer):
            if size.shape.ndims is None:
                raise ValueError(f"rank of partitioned_dim_sizes[{axis}] is unknown")
            size.shape.with_rank_at_most(1)
        if outer and outer[0].shape.ndims == 1:
            raise ValueError("outermost partitioned dimension must be uniform")
        if outer and outer[-1].shape.ndims == 0:
            raise ValueError("innermost partitioned dimension must be ragged")
        inner.shape.assert_has_rank(1)

    def __repr__(self) -> str:
        return (
            f"RaggedTensorDynamicShape(partitioned_dim_sizes={self._partitioned_dim_sizes!r}, "
            f"inner_dim_sizes={self._inner_dim_sizes!r})"
        )

    @staticmethod
    def from_dim_sizes(dim_sizes: Any) -> RaggedTensorDynamicShape:
        """Creates a shape from a size or lengths for each dimension."""
        with name_scope(None, "RaggedTensorDynamicShapeFromDimensionSizes", [dim_sizes]):
            sizes = tuple(
                ops.convert_to_tensor(size, preferred_dtype=dtypes.int64, name="dim_sizes")
                for size in dim_sizes
            )
            partitioned_count = 0
            for axis, size in enumerate(sizes):
                if size.shape.ndims == 1:
                    partitioned_count = axis + 1
                elif size.shape.ndims != 0:
                    raise ValueError("Each dim_size must be a scalar or a vector")
            return RaggedTensorDynamicShape(sizes[:partitioned_count], sizes[partitioned_count:])

    @classmethod
    def from_tensor(cls, rt_input: Any, dim_size_dtype: Any = None) -> RaggedTensorDynamicShape:
        """Returns the shape of a tensor, ragged or not."""
        with name_scope(None, "RaggedTensorDynamicShapeFromTensor", [rt_input]):
            tensor = ops.tensor_or_ragged(rt_input)
            if not is_ragged(tensor):
                return cls([], ops.shape(tensor))
            sizes = (tensor.nrows(), *tensor.nested_row_lengths())
            return cls(sizes, ops.shape(tensor.flat_values)[1:], dim_size_dtype)

    def dimension_size(self, axis: int) -> Tensor:
        """Returns the size of a dimension, or the slice lengths along a ragged dimension."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        outer = self._partitioned_dim_sizes
        return outer[axis] if axis < len(outer) else self._inner_dim_sizes[axis - len(outer)]

    def is_ragged(self, axis: int) -> bool:
        """Whether a dimension is ragged."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        if axis < 0:
            raise ValueError("Negative axis values are not supported")
        if self.rank is not None and axis >= self.rank:
            raise ValueError(f"Expected axis={axis} < rank={self.rank}")
        outer = self._partitioned_dim_sizes
        return 0 < axis < len(outer) and outer[axis].shape.ndims == 1

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if unknown."""
        inner = self.num_inner_dimensions
        return None if inner is None else len(self._partitioned_dim_sizes) + inner

    @property
    def num_partitioned_dimensions(self) -> int:
        """The number of dimensions partitioned by row splits, including the outermost."""
        return len(self._partitioned_dim_sizes)

    @property
    def num_inner_dimensions(self) -> int | None:
        """The number of uniform inner dimensions, or None if unknown."""
        return dimension_value(self._inner_dim_sizes.shape[0])

    dim_size_dtype: Any = read_only("The dtype of sizes and lengths.", "_inner_dim_sizes.dtype")

    def with_dim_size_dtype(self, dtype: Any) -> RaggedTensorDynamicShape:
        """Returns a copy of the shape with sizes in int32 or int64."""
        if dtype not in SPLITS:
            raise ValueError("dtype must be int32 or int64")
        if self.dim_size_dtype == dtype:
            return self
        outer = [ops.cast(size, dtype) for size in self._partitioned_dim_sizes]
        return RaggedTensorDynamicShape(outer, ops.cast(self._inner_dim_sizes, dtype))

    def broadcast_to_rank(self, rank: int) -> RaggedTensorDynamicShape:
        """Prepends dimensions of size 1 until there are `rank` dimensions."""
        if self.rank is None:
            raise ValueError("Unable to broadcast: self.rank is unknown")
        missing_rank = rank - self.rank
        if missing_rank < 0:
            raise ValueError(
                f"Unable to broadcast: rank={rank} must be greater than self.rank={self.rank}."
            )
        if missing_rank == 0:
            return self
        if self._partitioned_dim_sizes:
            outer = (*(1,) * missing_rank, *self._partitioned_dim_sizes)
            return RaggedTensorDynamicShape(outer, self._inner_dim_sizes)
        ones = ops.ones([missing_rank], self.dim_size_dtype)
        return RaggedTensorDynamicShape([], ops.concat([ones, self.inner_dim_sizes], axis=0))

    def broadcast_dimension(self, axis: int, lengths: Any) -> RaggedTensorDynamicShape:
        """Broadcasts one dimension to a size or to row lengths, which are checked in each step."""
        lengths = integers(lengths, "lengths", self.dim_size_dtype)
        rank = lengths.shape.ndims
        if rank is None:
            raise ValueError("lengths must have a known rank.")
        if rank > 1:
            raise ValueError("lengths must be a scalar or vector")
        dim_size = self.dimension_size(axis)
        if self.is_ragged(axis):
            fits = (
                ops.equal(lengths, 1) if rank == 0 else ops.reduce_all(ops.equal(lengths, dim_size))
            )
        elif rank == 0:
            fits = ops.equal(lengths, 1) | ops.equal(dim_size, 1) | ops.equal(dim_size, lengths)
        else:
            fits = ops.equal(dim_size, 1)
        text = "Unable to broadcast: dimension size mismatch in dimension"
        message = [text, axis, "lengths=", lengths, "dim_size=", self.dimension_size(axis)]
        with control_dependencies([ops.Assert(fits, data=message, summarize=10)]):
            if axis >= self.num_partitioned_dimensions:
                return self._broadcast_inner(axis, lengths)
            if self.is_ragged(axis):
                inner = ops.identity(self.inner_dim_sizes)
                return RaggedTensorDynamicShape(self._partitioned_dim_sizes, inner)
            return self._broadcast_uniform(axis, lengths)

    def num_slices_in_dimension(self, axis: int) -> Tensor:
        """Returns the total number of slices along a dimension."""
        if axis < 0:
            return ops.constant(1, dtype=self.dim_size_dtype)
        if self.is_ragged(axis):
            return ops.reduce_sum(self._partitioned_dim_sizes[axis])
        return self.dimension_size(axis) * self.num_slices_in_dimension(axis - 1)

    def _broadcast_uniform(self, axis: int, lengths: Tensor) -> RaggedTensorDynamicShape:
        dim_size = self.dimension_size(axis)
        outer = list(self._partitioned_dim_sizes[:axis])
        if lengths.shape.ndims == 0:
            lengths = ops.where(ops.equal(dim_size, 1), lengths, dim_size)
            repeats = ops.where(ops.equal(dim_size, 1), lengths, 1)
            splits = ops.stack([0, self.num_slices_in_dimension(axis)])
        else:
            splits = ops.range(ops.size(lengths, out_type=self.dim_size_dtype) + 1)
            repeats = lengths
        outer.append(lengths)
        for size in self._partitioned_dim_sizes[axis + 1 :]:
            if size.shape.ndims == 0:
                outer.append(size)
                splits *= size
            else:
                outer.append(repeat_ranges(size, splits, repeats))
                splits = ops.gather(splits_from_lengths(size), splits)
        return RaggedTensorDynamicShape(outer, self._inner_dim_sizes)

    def _broadcast_inner(self, axis: int, lengths: Tensor) -> RaggedTensorDynamicShape:
        outer, inner = self._partitioned_dim_sizes, self._inner_dim_sizes
        position = axis - len(outer)
        if lengths.shape.ndims == 0:
            dim_size = self.dimension_size(axis)
            before = inner[:position]
            size = ops.where(ops.equal(dim_size, 1), lengths, dim_size)
            sizes = ops.concat([before, [size], inner[position + 1 :]], axis=0)
            return RaggedTensorDynamicShape(outer, sizes)
        if axis == 0:
            raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
        outer = (*outer, *(inner[i] for i in range(position)), lengths)
        return RaggedTensorDynamicShape(outer, inner[position + 1 :])


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> RaggedTensorDynamicShape:
    """Returns the shape to which both shapes broadcast.

    Raises:
      TypeError: if one is not a RaggedTensorDynamicShape; ValueError: if a rank is unknown, or the shapes do not match.
    """
    for shape, name in ((shape_x, "shape_x"), (shape_y, "shape_y")):
        if not isinstance(shape, RaggedTensorDynamicShape):
            raise TypeError(f"{name} must be a RaggedTensorDynamicShape")
    if shape_x.rank is None or shape_y.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(shape_x.rank, shape_y.rank)
    shape_x = shape_x.broadcast_to_rank(rank)
    shape_y = shape_y.broadcast_to_rank(rank)
    for axis in range(rank):
        shape_x = shape_x.broadcast_dimension(axis, shape_y.dimension_size(axis))
        shape_y = shape_y.broadcast_dimension(axis, shape_x.dimension_size(axis))
    return shape_x


def broadcast_to(rt_input: Any, shape: Any, broadcast_inner_dimensions: bool = True) -> Any:
    """Broadcasts a tensor, ragged or not, to a shape.

    Raises:
      TypeError: if `shape` is not a RaggedTensorDynamicShape; ValueError: if ranks do not match.
    """
    if not isinstance(shape, RaggedTensorDynamicShape):
        raise TypeError("shape must be a RaggedTensorDynamicShape")
    value = ops.tensor_or_ragged(rt_input)
    if shape.num_partitioned_dimensions:
        return _to_ragged_shape(value, shape, broadcast_inner_dimensions)
    if is_ragged(value):
        raise ValueError("Incompatible with shape: ragged rank mismatch")
    return ops.broadcast_to(value, shape.inner_dim_sizes) if broadcast_inner_dimensions else value


def _to_ragged_shape(value: Any, expected: RaggedTensorDynamicShape, inner: bool) -> Any:
    dtype = expected.dim_size_dtype
    if is_ragged(value) and value.row_splits.dtype != dtype:
        raise ValueError(
            "rt_input and dst_shape have different row_split dtypes; use RaggedTensor.with_row_splits_dtype() or "
            "RaggedTensorDynamicShape.with_dim_size_dtype() to convert to a compatible dtype."
        )
    if value.shape.ndims is None or expected.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if value.shape.ndims > expected.rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    partitioned_count = expected.num_partitioned_dimensions
    if is_ragged(value) and value.ragged_rank >= partitioned_count:
        raise ValueError("Incompatible with shape: ragged rank mismatch")
    actual = RaggedTensorDynamicShape.from_tensor(value).broadcast_to_rank(expected.rank)
    value = _to_partitioned(_expand_to_rank(value, expected), expected)
    multiples: list[Any] = [1] * expected.rank
    for axis in range(partitioned_count):
        if not actual.is_ragged(axis) and not expected.is_ragged(axis):
            size, target = actual.dimension_size(axis), expected.dimension_size(axis)
            if constant_value(size) in (1, None) and constant_value(target) != 1:
                multiples[axis] = ops.where(ops.equal(size, 1), target, 1)
    if any(isinstance(multiple, Tensor) for multiple in multiples):
        value = tile(value, ops.stack(multiples, axis=0))
    if inner:
        flat_shape = ops.concat([[-1], expected.inner_dim_sizes], axis=0)
        value = value.with_flat_values(ops.reshape(value.flat_values, flat_shape))
    for axis in range(partitioned_count):
        if not actual.is_ragged(axis) and expected.is_ragged(axis):
            value = _repeat_along(value, axis, expected.dimension_size(axis), dtype)
    return value


def _expand_to_rank(value: Any, expected: RaggedTensorDynamicShape) -> Any:
    """Expands a tensor to the requested rank by adding outermost dimensions."""
    assert expected.rank is not None and expected.num_inner_dimensions is not None
    if expected.rank > value.shape.ndims:
        if value.shape.ndims < expected.num_inner_dimensions + 1:
            value = ops.reshape(value, ops.concat([[-1], expected.inner_dim_sizes], axis=0))
        for _ in range(expected.rank - value.shape.ndims):
            if is_ragged(value):
                rows = value.nrows()
            else:
                rows = ops.shape(value, out_type=expected.dim_size_dtype)[0]
            value = RaggedTensor.from_row_lengths(value, [rows], validate=False)
    return value


def _to_partitioned(value: Any, expected: RaggedTensorDynamicShape) -> Any:
    """Converts a tensor to the requested number of ragged dimensions."""
    assert expected.num_inner_dimensions is not None
    dtype = expected.dim_size_dtype
    if not is_ragged(value):
        rank = expected.num_partitioned_dimensions - 1
        return RaggedTensor.from_tensor(value, ragged_rank=rank, row_splits_dtype=dtype)
    missing_rank = value.flat_values.shape.ndims - 1 - expected.num_inner_dimensions
    if missing_rank <= 0:
        return value
    return value.with_flat_values(
        RaggedTensor.from_tensor(
            value.flat_values, ragged_rank=missing_rank, row_splits_dtype=dtype
        )
    )


def _repeat_along(value: Any, axis: int, repeats: Tensor, dtype: Any) -> Any:
    """Repeats a uniform dimension of size 1 to the lengths of a ragged dimension."""
    if not is_ragged(value):
        value = RaggedTensor.from_tensor(value, ragged_rank=1, row_splits_dtype=dtype)
    if axis > 1:
        return value.with_values(_repeat_along(value.values, axis - 1, repeats, dtype))
    nested, own_lengths = value.nested_row_splits, value.nested_row_lengths()
    splits = nested[0]
    lengths = [repeats]
    for row_splits, sizes in zip(nested[1:], own_lengths[1:]):
        lengths.append(repeat_ranges(sizes, splits, repeats))
        splits = ops.gather(row_splits, splits)
    values = repeat_ranges(value.flat_values, splits, repeats)
    return RaggedTensor.from_nested_row_lengths(values, lengths, validate=False)
