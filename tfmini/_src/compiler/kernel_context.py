"""The context of a kernel with state: the node, its device's array module, and the resources of the session."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from tfmini._src.devices.device import Device
    from tfmini._src.graph.operation import Operation


def _count_of_unshared() -> int:
    """The `sys.getrefcount` of an array that one local variable holds."""
    array = np.zeros(1)
    return sys.getrefcount(array)


UNSHARED = _count_of_unshared()


class Cell(Protocol):
    """The cell of a variable's value, as plans know it."""

    array: Any
    xp: ModuleType
    unshared: int

    def read(self) -> Any: ...


class Resources(Protocol):
    """The state of a session, as plans know it; kernels know its `named` and `node_state` too."""

    closed: list[bool]

    def variable(self, op: Operation) -> Cell: ...


class KernelContext:
    """The context of one node in one compiled plan.

    op: the graph's operation; attrs: its attrs; xp: numpy or cupy; resources: the session's `Resources`;
    owned: the names of inputs whose arrays the kernel may keep or overwrite; device: the device's name;
    dims: the static shapes of the node's inputs, which the feeds of a step may make less known than the graph's;
    of_constants: whether all inputs are constants; kept: the kernel's state across runs of the plan;
    array_device: where the arrays lie of a node that may wait and takes them there; None on the host.
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
        "of_constants",
        "kept",
    )

    def __init__(
        self,
        op: Operation,
        resources: Resources,
        owned: frozenset[str],
        device: str,
        xp: ModuleType = np,
        array_device: Device | None = None,
        dims: Sequence[tuple[int | None, ...] | None] = (),
        of_constants: bool = False,
    ):
        self.op = op
        self.attrs = op.attrs
        self.xp = xp
        self.resources = resources
        self.owned = owned
        self.device = device
        self.array_device = array_device
        self.dims = dims
        self.of_constants = of_constants
        self.kept: Any = None
