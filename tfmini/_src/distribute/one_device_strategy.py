"""`OneDeviceStrategy`: one replica, with all variables and computation on one device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.distribute.device_maps import SingleDeviceMap
from tfmini._src.distribute.devices import canonicalize
from tfmini._src.distribute.distributed_dataset import InputWorkers
from tfmini._src.distribute.multi_steps import run_steps
from tfmini._src.distribute.numpy_inputs import SingleDevice
from tfmini._src.distribute.one_replica import OneReplicaExtended
from tfmini._src.distribute.replica_context import ReplicaContext
from tfmini._src.distribute.strategy import Strategy
from tfmini._src.distribute.worker_inputs import WorkerInputExtended
from tfmini._src.graph.scopes import colocate_with, device as on_device
from tfmini._src.ops import ops


class OneDeviceStrategy(Strategy):
    """Puts variables and computation on one device, for testing a program before using several.

    Args:
      device: the device, e.g. "/gpu:0".

    Example:
      strategy = tf.distribute.OneDeviceStrategy("/gpu:0")
      with strategy.scope():
          v = tf.Variable(1.0)  # on the first GPU
      def double(x):
          return 2 * x
      strategy.experimental_run_v2(double, args=(v,))
    """

    def __init__(self, device: str):
        super().__init__(OneDeviceExtended(self, device))


class OneDeviceExtended(WorkerInputExtended, OneReplicaExtended):
    """Implementation of `OneDeviceStrategy`."""

    _divides_batches = False

    def __init__(self, container_strategy: Any, device: str):
        super().__init__(container_strategy)
        self._device = canonicalize(device)
        host = self._device[: self._device.rfind("/")] + "/device:CPU:0"
        self._input_workers = InputWorkers(SingleDeviceMap(device), [(host, [self._device])])
        self._host = SingleDevice(host)

    def _create_variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        colocation = kwargs.pop("colocate_with", None)
        if colocation is None:
            block = on_device(self._device)
        elif isinstance(colocation, SingleDevice):
            block = on_device(colocation.device)
        else:
            block = colocate_with(colocation)
        with block:
            return next_creator(**kwargs)

    def _experimental_run_steps_on_iterator(
        self, fn: Callable, iterator: Any, iterations: Any, initial_loop_values: Any
    ) -> Any:
        return run_steps(fn, iterator, iterations, initial_loop_values)

    def _call_for_each_replica(self, fn: Callable, args: Any, kwargs: Any) -> Any:
        with on_device(self._device), _Replica(self._container_strategy()):
            return fn(*args, **kwargs)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        return tensor

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable, args: Any, kwargs: Any, group: bool
    ) -> Any:
        with on_device(self._device):
            return self._update_on(self._device, fn, args, kwargs, group)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        return (self._device,)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        return (self._device,)

    def non_slot_devices(self, var_list: Any) -> Any:
        return (self._device,)

    experimental_should_init = should_checkpoint = should_save_summary = True
    experimental_between_graph = False
    _global_batch_size = True


class _Replica(ReplicaContext):
    """The context of the only replica."""

    devices: tuple[str, ...] = read_only(attribute="_strategy.extended.worker_devices")

    def __init__(self, strategy: Any):
        super().__init__(strategy, ops.constant(0, dtypes.int32))
