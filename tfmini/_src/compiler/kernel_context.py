"""`KernelContext`: a node, its device's array module and the session's resources, for kernels that need them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from tfmini._src.devices.device import Device
    from tfmini._src.graph.operation import Operation


def _unshared_count() -> int:
    """Returns `sys.getrefcount` of an array referenced by a single local variable."""
    array = np.zeros(1)
    return sys.getrefcount(array)


UNSHARED_REFCOUNT = _unshared_count()
_NO_CONSTANTS: Mapping[str, object] = {}


class Cell(Protocol):
    """A variable's value cell, as used by plans."""

    array: Any
    xp: ModuleType
    unshared: int

    def read(self) -> Any: ...


class PlanResources(Protocol):
    """Session state, as used by plans; kernels also use its `named` and `node_state`."""

    closed: list[bool]

    def variable(self, op: Operation) -> Cell: ...


class KernelContext:
    """The context of one node in one compiled plan.

    op: the graph operation; attrs: its attrs; xp: numpy or cupy; resources: the session's `PlanResources`;
    owned_names: the inputs whose arrays the kernel may keep or overwrite; device: the device name;
    dims: static input shapes, which the step's feeds can make less specific than the graph's;
    constants: constant inputs by name;
    of_constants: whether all inputs are constants; state: kernel state that persists across runs of the plan;
    array_device: device of the arrays of a blocking node that accepts device arrays; None on the host.
    """

    __slots__ = (
        "op",
        "attrs",
        "xp",
        "resources",
        "owned",
        "device",
        "array_device",
        "dims",
        "constants",
        "of_constants",
        "state",
    )

    def __init__(
        self,
        op: Operation,
        resources: PlanResources,
        owned_names: frozenset[str],
        device: str,
        xp: ModuleType = np,
        array_device: Device | None = None,
        dims: Sequence[tuple[int | None, ...] | None] = (),
        of_constants: bool = False,
        constants: Mapping[str, object] = _NO_CONSTANTS,
    ):
        self.op = op
        self.attrs = op.attrs
        self.xp = xp
        self.resources = resources
        self.owned = owned_names
        self.device = device
        self.array_device = array_device
        self.dims = dims
        self.constants = constants
        self.of_constants = of_constants
        self.state: Any = None

    def has_static_shapes(self) -> bool:
        """Whether the shapes of all inputs are known."""
        return all(dims is not None and None not in dims for dims in self.dims)
