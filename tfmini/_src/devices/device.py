"""Device: what the compiler, the executor and a session may ask of a device with memory of its own.

The host is no such device: numpy computes there, and nothing is copied. A name that a program's or a session's devices
do not have is the host's. `registry.py` lists the kinds of device; each has its folder here.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, NamedTuple, TypeAlias

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.capture import Capture

# The devices of a session, or those that a program uses, by their full names.
Devices: TypeAlias = Mapping[str, "Device"]


class DeviceKernel(NamedTuple):
    """A kernel of an op on a device.

    attrs: the attrs that it names.
    first: its first argument, the device or its array module.
    """

    function: Callable[..., Any]
    attrs: tuple[str, ...]
    first: Any


class Device(abc.ABC):
    """A device with memory of its own.

    kind: its type in device names, "GPU".
    name: its number among those of its kind, "GPU:0".
    xp: the array module of its kernels.
    limit_bytes: what its arrays may take.
    lost: the error after which it could no longer be used; "" as long as it can.
    """

    kind: ClassVar[str]
    name: str
    xp: Any
    limit_bytes: int
    lost: str

    # Kernels and passes ---------------------------------------------------------------------------

    def kernel(self, opdef: Any) -> DeviceKernel:
        """The kernel of an op: the op's, with the device's array module, unless it has another."""
        return DeviceKernel(opdef.kernel, opdef.kernel_attrs, self.xp)

    @abc.abstractmethod
    def host_arguments(self, node: Any) -> frozenset[str]:
        """The inputs and outputs of a node on this device that lie in host memory, by their names in its signature."""

    def formula(self, node: Any) -> Any:
        """The steps of an elementwise node that fuses here; () if it does not."""
        return ()

    def grouped_update(self, name: str) -> Callable[..., None] | None:
        """The kernel that does an optimizer's update of many variables at once:
        `update(xp, name, rows, scalars, flags)`; None if there is none."""
        return None

    def all_reduce(self, devices: Sequence[Device], reduction: str) -> Callable[..., Any]:
        """A function from an array of each of `devices` to as many results."""
        raise NotImplementedError(f"{self.kind} devices have no all-reduce")

    @classmethod
    def passes(cls) -> Sequence[Any]:
        """The passes that devices of this kind add to the compiler's pipeline, each behind the one that it names."""
        return ()

    @classmethod
    def prepare(cls, program: Any, captures: bool) -> None:
        """Gets ready what a new plan for a program is going to need, kernels to compile for one.

        captures: whether segments of it are captured.
        """
        return None

    @classmethod
    def capture(cls, program: Any) -> Capture | None:
        """The capture of a plan for a program that uses such devices; None if nothing is captured there."""
        return None

    # Work -----------------------------------------------------------------------------------------

    @classmethod
    @abc.abstractmethod
    def working_on(
        cls, devices: Sequence[Any], streams: Mapping[str, Any] | None = None
    ) -> AbstractContextManager[None]:
        """A block in which the calling thread works on devices of this kind, the first of which is in use.

        Args:
          streams: by device the result of `callers_stream`, where arrays come from the caller or go there.

        Raises:
          UnavailableError: if one of them is lost.
        """

    @staticmethod
    @abc.abstractmethod
    def leave() -> None:
        """Ends the work of the calling thread's innermost block: the rest of it only waits for copies to the host."""

    @abc.abstractmethod
    def use(self) -> None:
        """Makes it the device on which this thread allocates and computes, among those of its block."""

    def callers_stream(self) -> Any:
        """The stream of the calling thread's own work on the device, which a run has to be in order with."""
        return None

    def timed_mark(self) -> Any:
        """A mark behind the work submitted so far, for `since`; by default the host's clock."""
        return time.perf_counter_ns()

    def since(self, begin: Any) -> int:
        """The nanoseconds from a mark to the end of the work submitted so far, which is waited for."""
        return time.perf_counter_ns() - int(begin)

    # Memory ---------------------------------------------------------------------------------------

    @abc.abstractmethod
    def upload(self, value: Any) -> Array:
        """A copy of an array in host memory; the device is in use."""

    @abc.abstractmethod
    def send(self, array: Array) -> Any:
        """Starts a copy to host memory of an array of this device, which is in use; `receive` ends it."""

    @abc.abstractmethod
    def receive(self, ticket: Any) -> Any:
        """The array in host memory that `send` has started to fill."""

    @abc.abstractmethod
    def copy_from(self, other: Any, array: Array) -> Array:
        """A copy of an array of another device of its kind; this one is in use, and afterwards too."""

    @abc.abstractmethod
    def host_copy(self, array: Array) -> Array:
        """A copy in host memory, outside of a step, of an array of the device that other work may still be writing."""

    def holds(self, value: Any) -> bool:
        """Whether a value is an array of a device of this kind."""
        return isinstance(value, self.xp.ndarray)

    def other_processes(self) -> Sequence[tuple[int, int]]:
        """The other processes with memory of the device, as far as is known: (process id, bytes), most first."""
        return ()

    # Errors ---------------------------------------------------------------------------------------

    @classmethod
    def is_lost(cls, error: BaseException) -> bool:
        """Whether an error says that a device of this kind is no longer usable."""
        return False

    @classmethod
    def is_out_of_memory(cls, error: BaseException) -> bool:
        """Whether an error other than a MemoryError says that a device of this kind has no memory left."""
        return False

    def fault_behind(self, error: BaseException) -> BaseException:
        """The error that has broken the device, where `error` only follows from it; else the error itself."""
        return error
