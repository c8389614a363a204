"""The context of a kernel with state: the node, its device's array module, and the resources of the session."""

from __future__ import annotations

from typing import Any

import numpy as np


class KernelContext:
    """The context of one node in one compiled plan.

    op: the graph's operation; attrs: its attrs; xp: numpy or cupy; resources: the session's `Resources`;
    owned: the names of inputs whose arrays the kernel may keep or overwrite; device: the device's name;
    gpu: where the arrays lie of a node that may wait and takes them there; None on the host.
    """

    __slots__ = ("op", "attrs", "xp", "resources", "owned", "device", "gpu")

    def __init__(
        self,
        op: Any,
        resources: Any,
        owned: frozenset[str],
        device: str,
        xp: Any = np,
        gpu: Any = None,
    ):
        self.op = op
        self.attrs = op.attrs
        self.xp = xp
        self.resources = resources
        self.owned = owned
        self.device = device
        self.gpu = gpu
