"""A large variable kept as several smaller ones, and the functions that say how to cut it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class PartitionedVariable:
    """Variables that are the parts of a larger one, in order along one dimension.

    `get_variable` with a partitioner makes it. Iterating gives the parts; used as a tensor it is
    their concatenation, while `tf.nn.embedding_lookup` and optimizers work on the parts.

    Args:
      name: the name of the whole.
      shape: its shape, a TensorShape.
      dtype: its dtype.
      variable_list: the parts, each with its SaveSliceInfo.
      partitions: into how many parts each dimension is cut.

    Raises:
      TypeError, ValueError: if the parts do not make up the whole.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Any, partitions: Any
    ) -> None:
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if not all(p >= 1 for p in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        infos = [v._get_save_slice_info() for v in variable_list]
        if None in infos:
            raise ValueError(
                "All variables must have a save_slice_info available: "
                f"{[v.name for v in variable_list]}"
            )
        if len(shape) != len(partitions):
            raise ValueError(f"len(shape) != len(partitions): {shape} vs. {partitions}")
        for info in infos:
            if info.full_shape != shape:
                raise ValueError(
                    f"All variables' full shapes must match shape: {shape}; but full shapes were: "
                    f"{[info.full_shape]}"
                )
        self._variable_list = sorted(
            variable_list, key=lambda v: v._get_save_slice_info().var_offset
        )
        self._name = name
        self._shape = shape
        self._dtype = dtype
        self._partitions = partitions

    @property
    def name(self) -> str:
        return self._name

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The shape of the whole."""
        return self._shape

    def __iter__(self) -> Iterator[Any]:
        return iter(self._variable_list)

    def __len__(self) -> int:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    def _get_variable_list(self) -> list:
        return self._variable_list

    def _get_partitions(self) -> Any:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        return [axis for axis, count in enumerate(self._partitions) if count > 1] or [0]

    def as_tensor(self) -> Tensor:
        """The whole as one tensor: the parts put together."""
        with control_dependencies(None):
            if len(self._variable_list) == 1:
                with name_scope(None):
                    return ops.identity(self._variable_list[0], name=self._name)
            axes = self._partition_axes()
            if len(axes) > 1:
                raise NotImplementedError(
                    f"Cannot concatenate along more than one dimension: {axes}.  "
                    "Multi-axis partition concat is not supported"
                )
            with name_scope(f"{self._name}/ConcatPartitions/"):
                whole = ops.concat(self._variable_list, axes[0])
            with name_scope(None):
                return ops.identity(whole, name=self._name)

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list:
        """Sets the parts to those of `value`: a tensor of the whole shape, a list, or a
        PartitionedVariable.

        Returns:
          A list with what the assignment of each part gives.
        """
        return self._for_each("assign", value, use_locking, name, read_value)

    def assign_add(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list:
        """Adds the parts of `value`; as `assign`."""
        return self._for_each("assign_add", value, use_locking, name, read_value)

    def assign_sub(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list:
        """Subtracts the parts of `value`; as `assign`."""
        return self._for_each("assign_sub", value, use_locking, name, read_value)

    def _for_each(
        self, method: str, value: Any, use_locking: bool, name: str | None, read_value: bool
    ) -> list:
        return [
            getattr(variable, method)(
                part, use_locking=use_locking, name=name, read_value=read_value
            )
            for variable, part in zip(self._variable_list, self._parts_of(value))
        ]

    def _parts_of(self, value: Any) -> list:
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(
                f"Cannot do assign action along more than one dimension: {axes}.  "
                "Multi-axis partition assign action is not supported "
            )
        if isinstance(value, PartitionedVariable):
            return list(value)
        if isinstance(value, list):
            assert len(value) == len(self._variable_list)
            return value
        sizes = [variable.shape.as_list()[axes[0]] for variable in self._variable_list]
        return ops.split(value, sizes, axis=axes[0])


def _convert(
    v: PartitionedVariable, dtype: Any = None, name: Any = None, as_ref: bool = False
) -> Tensor:
    if dtype is not None and not dtype.is_compatible_with(v.dtype):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type "
            f"'{v.dtype.name}'"
        )
    if as_ref:
        raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
    return v.as_tensor()


register_tensor_conversion_function(PartitionedVariable, _convert)


# Partitioners ----------------------------------------------------------------------------------


def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Callable:
    """A partitioner that cuts dimension `axis` into `num_shards` parts, or fewer if it is
    shorter.
    """

    def partitioner(shape: TensorShape, **unused: Any) -> list[int]:
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape.as_list()[axis])
        return parts

    return partitioner


def variable_axis_size_partitioner(
    max_shard_bytes: int,
    axis: int = 0,
    bytes_per_string_element: int = 16,
    max_shards: int | None = None,
) -> Callable:
    """A partitioner that cuts dimension `axis` so that no part is larger than `max_shard_bytes`.

    Args:
      max_shard_bytes: the limit for a part.
      axis: the dimension to cut.
      bytes_per_string_element: how much a string counts.
      max_shards: the limit for the number of parts, which comes first.

    Raises:
      ValueError: if one of the limits is not positive.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if not isinstance(shape, TensorShape):
            raise ValueError(f"shape is not a TensorShape: {shape}")
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        if not isinstance(dtype, dtypes.DType):
            raise ValueError(f"dtype is not a DType: {dtype}")
        sizes = shape.as_list()
        length = sizes[axis]
        slice_bytes = math.prod(sizes) / length * _bytes_of(dtype, bytes_per_string_element)
        count = math.ceil(length / max(1, math.floor(max_shard_bytes / slice_bytes)))
        parts = [1] * len(sizes)
        parts[axis] = min(max_shards, count) if max_shards else count
        return parts

    return partitioner


def min_max_variable_partitioner(
    max_partitions: int = 1,
    axis: int = 0,
    min_slice_size: int = 256 << 10,
    bytes_per_string_element: int = 16,
) -> Callable:
    """A partitioner that cuts dimension `axis` into parts of at least `min_slice_size` bytes.

    Args:
      max_partitions: the limit for the number of parts.
      axis: the dimension to cut.
      min_slice_size: about how large a part is at least.
      bytes_per_string_element: how much a string counts.
    """

    def partitioner(shape: TensorShape, dtype: dtypes.DType) -> list[int]:
        if axis >= len(shape):
            raise ValueError(
                f"Can not partition variable along axis {axis} when shape is only {shape}"
            )
        sizes = shape.as_list()
        total = math.prod(sizes) * _bytes_of(dtype, bytes_per_string_element)
        wanted = math.ceil(total / min_slice_size)
        parts = [1] * len(sizes)
        parts[axis] = max(1, min(sizes[axis], max_partitions, wanted))
        return parts

    return partitioner


def _bytes_of(dtype: dtypes.DType, string: int) -> int:
    return string if dtype.base_dtype == dtypes.string else dtype.size
