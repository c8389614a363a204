"""`Device`: the interface of a device with its own memory, as used by the compiler, the executor and sessions.

The host is a `DeviceKind` without a `Device`: numpy computes in host memory without copies.
`registry.py` lists the device kinds; each has a directory here.
"""

from __future__ import annotations

import abc
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.capture import Capture

if TYPE_CHECKING:
    from tfmini._src.graph.attributes import Attrs
    from tfmini._src.graph.opdef import OpDef

# Name of host memory, in place of a device name.
HOST = ""

# The devices of a session or program with their own memory, by full name.
Devices: TypeAlias = Mapping[str, "Device"]


class TypedOp(Protocol):
    """An operation of a graph or a node of a program."""

    @property
    def opdef(self) -> OpDef: ...

    @property
    def attrs(self) -> Attrs: ...


class DeviceKernel(NamedTuple):
    """An op's kernel on a device.

    attrs: names of the attrs it accepts.
    first: its first argument, the device or its array module.
    """

    function: Callable[..., Any]
    attrs: tuple[str, ...]
    first: Any


class Device(abc.ABC):
    """A device with its own memory.

    kind: the type in device names, such as "GPU".
    name: type and number, such as "GPU:0".
    xp: the array module of its kernels.
    limit_bytes: the memory limit for arrays.
    lost: the error that made the device unusable; "" while it is usable.
    """

    kind: ClassVar[str]
    name: str
    xp: Any
    limit_bytes: int
    lost: str

    # Kernels and passes ---------------------------------------------------------------------------

    def kernel(self, opdef: OpDef) -> DeviceKernel:
        """Returns an op's kernel: by default the generic one, called with the device's array module."""
        return DeviceKernel(opdef.kernel, opdef.kernel_attrs, self.xp)

    @abc.abstractmethod
    def host_arguments(self, node: TypedOp) -> frozenset[str]:
        """Returns the signature names of a node's inputs and outputs that reside in host memory."""

    def formula(self, node: Any) -> Any:
        """Returns the steps of an elementwise node that can be fused on this device; () if it cannot."""
        return ()

    def grouped_update(self, name: str) -> Callable[..., None] | None:
        """Returns a kernel that updates many variables, `update(xp, name, rows, scalars, flags)`; None without one."""
        return None

    def all_reduce(self, devices: Sequence[Device], reduction: str) -> Callable[..., Any]:
        """Returns a function from one array per device in `devices` to one result per device."""
        raise NotImplementedError(f"{self.kind} devices do not support all-reduce")

    @classmethod
    def passes(cls) -> Sequence[Any]:
        """Returns the compiler passes for this device kind, each of which is inserted after the pass it names."""
        return ()

    @classmethod
    def prepare(cls, program: Any, captures: bool) -> None:
        """Prepares resources for a new plan, for example by compiling kernels.

        captures: whether segments of the plan are captured.
        """
        return None

    @classmethod
    def capture(cls, program: Any) -> Capture | None:
        """Returns the capture for a plan on devices of this kind; None if nothing is captured."""
        return None

    # Work -----------------------------------------------------------------------------------------

    @classmethod
    @abc.abstractmethod
    def working_on(
        cls, devices: Sequence[Device], streams: Mapping[str, Any] | None = None
    ) -> AbstractContextManager[None]:
        """Context manager for work of the calling thread on devices of this kind; activates the first one.

        Args:
          streams: maps devices to the result of `callers_stream`, if arrays are exchanged with the caller.

        Raises:
          UnavailableError: if a device is lost.
        """

    @staticmethod
    @abc.abstractmethod
    def leave() -> None:
        """Ends device work in the innermost `working_on` block, which then only waits for copies to the host."""

    @abc.abstractmethod
    def use(self) -> None:
        """Activates this device for the thread's allocations and kernels, within a `working_on` block."""

    def callers_stream(self) -> Any:
        """Returns the calling thread's current stream on the device, with which a run must synchronize."""
        return None

    def timed_mark(self) -> Any:
        """Records a mark after the work submitted so far, for `since`; defaults to the host clock."""
        return time.perf_counter_ns()

    def since(self, begin: Any) -> int:
        """Waits for the work submitted so far; returns the nanoseconds since a mark."""
        return time.perf_counter_ns() - int(begin)

    # Memory ---------------------------------------------------------------------------------------

    @abc.abstractmethod
    def upload(self, value: Any) -> Array:
        """Copies a host array to this device, which must be active."""

    @abc.abstractmethod
    def send(self, array: Array) -> Any:
        """Starts an asynchronous copy of an array to host memory, completed by `receive`; the device must be active."""

    @abc.abstractmethod
    def receive(self, ticket: Any) -> Any:
        """Waits for a copy started by `send`; returns the host array."""

    @abc.abstractmethod
    def copy_from(self, other: Any, array: Array) -> Array:
        """Copies an array from another device of the same kind; this device must be active and stays active."""

    @abc.abstractmethod
    def host_copy(self, array: Array) -> Array:
        """Copies an array to host memory outside a step, after pending writes to it."""

    def holds(self, value: object) -> bool:
        """Whether a value is an array of a device of this kind."""
        return isinstance(value, self.xp.ndarray)

    def other_processes(self) -> Sequence[tuple[int, int]]:
        """Lists (process ID, bytes) of other processes known to use the device's memory, largest first."""
        return ()

    # Errors ---------------------------------------------------------------------------------------

    @classmethod
    def is_lost(cls, error: BaseException) -> bool:
        """Whether an error means that a device of this kind is no longer usable."""
        return False

    @classmethod
    def is_out_of_memory(cls, error: BaseException) -> bool:
        """Whether an error other than MemoryError means that a device of this kind is out of memory."""
        return False

    def fault_behind(self, error: BaseException) -> BaseException:
        """Returns the original fault of the device if `error` is a consequence of it, else `error`."""
        return error
