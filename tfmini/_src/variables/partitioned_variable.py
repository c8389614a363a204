"""A large variable that is stored as several smaller variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class PartitionedVariable:
    """The partitions of a larger variable, in order along one dimension.

    It is created by `get_variable` with a partitioner. Iteration yields the partitions. As a tensor, it is the
    concatenation of the partitions; `tf.nn.embedding_lookup` and optimizers use the partitions directly.

    Args:
      name: name of the full variable.
      shape: its shape, a TensorShape.
      dtype: its dtype.
      variable_list: the partitions, each with its SaveSliceInfo.
      partitions: number of partitions per dimension.

    Raises:
      TypeError, ValueError: if the partitions do not form the full variable.
    """

    shape: TensorShape = read_only("Shape of the whole variable.")
    name: str = read_only()
    dtype: Any = read_only()

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

    def get_shape(self) -> TensorShape:
        """Returns the shape of the full variable."""
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

    def _concat(self) -> Tensor:
        """Returns the full variable as a tensor, with the control dependencies of the current scope."""
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
            concatenated = ops.concat(self._variable_list, axes[0])
        with name_scope(None):
            return ops.identity(concatenated, name=self._name)

    def as_tensor(self) -> Tensor:
        """Returns the full variable as a tensor, the concatenation of its partitions."""
        with control_dependencies(None):
            return self._concat()

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> list:
        """Assigns a full tensor, list or PartitionedVariable part by part; returns a list of assignment results."""
        return self._for_each("assign", value, use_locking, name, read_value)

    @arguments_of(assign)
    def assign_add(self, *update: Any) -> list:
        """Adds the corresponding parts of `value`; see `assign`."""
        return self._for_each("assign_add", *update)

    @arguments_of(assign)
    def assign_sub(self, *update: Any) -> list:
        """Subtracts the corresponding parts of `value`; see `assign`."""
        return self._for_each("assign_sub", *update)

    def _for_each(
        self, method: str, value: Any, use_locking: bool, name: str | None, read_value: bool
    ) -> list:
        return [
            getattr(variable, method)(
                part, use_locking=use_locking, name=name, read_value=read_value
            )
            for variable, part in zip(self._variable_list, self._split_value(value))
        ]

    def _split_value(self, value: Any) -> list:
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
