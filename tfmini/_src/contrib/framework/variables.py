"""Model variables created by functions that support `arg_scope`, and their placement."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import device as device_block
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.variable import Variable


def local_variable(
    initial_value: TensorLike,
    validate_shape: bool = True,
    name: str | None = None,
    use_resource: bool | None = None,
) -> Any:
    """Returns a non-trainable variable in the collection LOCAL_VARIABLES; takes the arguments of `tf.Variable`."""
    return _create_in_collection(
        GraphKeys.LOCAL_VARIABLES, initial_value, validate_shape, name, use_resource
    )


@arguments_of(local_variable)
def global_variable(*args: Any) -> Any:
    """Returns a non-trainable variable in the collection GLOBAL_VARIABLES; takes the arguments of `tf.Variable`."""
    return _create_in_collection(GraphKeys.GLOBAL_VARIABLES, *args)


def _create_in_collection(
    key: str, initial_value: Any, validate_shape: bool, name: Any, resource: Any
) -> Any:
    return Variable(
        initial_value,
        trainable=False,
        collections=[key],
        validate_shape=validate_shape,
        use_resource=resource,
        name=name,
    )


@add_arg_scope
def variable(
    name: str,
    shape: TensorLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: str | Callable[..., Any] | None = None,
    regularizer: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    caching_device: str | Callable[..., Any] | None = None,
    device: str | Callable[..., Any] | None = None,
    partitioner: Callable[..., Any] | None = None,
    custom_getter: Callable[..., Any] | None = None,
    use_resource: bool | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """Creates or reuses a variable in the current scope, like `tf.get_variable`.

    Args:
      name, shape, dtype, initializer, regularizer, trainable, caching_device, partitioner, use_resource,
        synchronization, aggregation: as in `tf.get_variable`.
      collections: keys of collections; by default GLOBAL_VARIABLES.
      device: a device, or a function such as a `VariableDeviceChooser`.
      custom_getter: function called instead of `tf.get_variable`, also with `reuse`.

    Raises:
      ValueError: as in `tf.get_variable`.
    """
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    getter: Any = get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=get_variable_scope().reuse)
    with device_block(device or ""):
        return getter(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            regularizer=regularizer,
            trainable=trainable,
            collections=list(dict.fromkeys(collections)),
            caching_device=caching_device,
            partitioner=partitioner,
            use_resource=use_resource,
            synchronization=synchronization,
            aggregation=aggregation,
        )


@add_arg_scope
@arguments_of(variable, dtype=dtypes.float32)
def model_variable(collections: Sequence[str], **kwargs: Any) -> Any:
    """Returns a `variable` that is also in the collections GLOBAL_VARIABLES and MODEL_VARIABLES."""
    keys = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES]
    return variable(collections=[*(collections or []), *keys], **kwargs)


class VariableDeviceChooser:
    """Device function that assigns nodes to parameter servers in rotation.

    Args:
      num_tasks: number of servers; 0 for none.
      job_name: the job of the servers.
      device_type: "CPU" or "GPU".
      device_index: device index on its machine.
      replica: replica index, or None.

    Example:
      with slim.arg_scope([slim.variable], device=slim.VariableDeviceChooser(2)):
          w = slim.variable("w", [3])  # on /job:ps/task:0/device:CPU:0
    """

    def __init__(
        self,
        num_tasks: int = 0,
        job_name: str = "ps",
        device_type: str = "CPU",
        device_index: int = 0,
        replica: int | None = None,
    ):
        self._num_tasks = num_tasks
        self._job_name = job_name
        self._device = {"device_type": device_type, "device_index": device_index}
        self._replica = replica
        self._next_task = 0

    def __call__(self, op: Operation) -> str:
        fields: dict[str, Any] = {"replica": self._replica, **self._device}
        if self._num_tasks > 0:
            fields |= {"job": self._job_name, "task": self._next_task}
            self._next_task = (self._next_task + 1) % self._num_tasks
        return DeviceSpec(**fields).to_string()


def add_model_variable(var: Variable) -> None:
    """Adds a variable to the collection MODEL_VARIABLES, unless it is already in it."""
    if var not in get_collection(GraphKeys.MODEL_VARIABLES):
        add_to_collection(GraphKeys.MODEL_VARIABLES, var)


def get_variable_full_name(var: Variable) -> str:
    """Returns the name of a variable in a checkpoint; for a partition, the name of the whole variable."""
    if var._save_slice_info:
        return var._save_slice_info.full_name
    return var.op.name
