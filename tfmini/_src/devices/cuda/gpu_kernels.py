"""gpu_kernels: the dtypes for which an op runs on a GPU, and which of its inputs and outputs are in host memory.

`gpu_kernels.txt` (in this directory) lists TensorFlow 1.15.5's registrations (`ci/generate gpu_kernels` writes it), so
that nodes are placed on the same devices as in TensorFlow. It is read on the first query; a session without a GPU never
reads it.
"""

from __future__ import annotations

import functools
import os
from typing import Any, NamedTuple

from tfmini._src.base.dtypes import int32, resource, string
from tfmini._src.devices.device_kind import KernelInfo
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.opdef import OpDef, registry

_ALWAYS_ON_HOST = frozenset({string, resource})
# Ops that TensorFlow 1.15.5 lacks: their dtypes on GPUs; other dtypes are in host memory.
_FLOATS = ("T", frozenset({"float16", "float32", "float64", "int64"}))


class GpuKernel(NamedTuple):
    """A row of the table of GPU kernels.

    constraints: for each relevant attr, the names of the allowed dtypes.
    host: the inputs and outputs that reside in host memory, by their names in the op's signature.
    cpu_first: whether a CPU is preferred if both are possible.
    """

    constraints: tuple[tuple[str, frozenset[str]], ...]
    host: frozenset[str]
    cpu_first: bool

    def supports(self, attrs: Attrs) -> bool:
        """Whether the kernel supports a node with these attrs."""
        for name, allowed in self.constraints:
            value = attrs[name]
            for dtype in value if isinstance(value, tuple | list) else (value,):
                if dtype.name not in allowed:
                    return False
        return True

    def __str__(self) -> str:
        return "; ".join(f"{name} in [{', '.join(sorted(v))}]" for name, v in self.constraints)


# Ops that TensorFlow expands before placement, with the op that computes.
_SAME_KERNELS = {"AccumulateNV2": "AssignAdd"}


@functools.cache
def _lines_by_op() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    with open(os.path.splitext(__file__)[0] + ".txt", encoding="ascii") as file:
        text = file.read()
    for line in text.splitlines():
        if not line.startswith("#"):
            op, _, rest = line.partition(" ")
            table.setdefault(op, []).append(rest)
    return table


@functools.cache
def op_kernels(op_type: str) -> tuple[GpuKernel, ...]:
    """Returns the GPU kernels of an op type, in the order of preference; none if it runs on CPUs only."""
    kernels = []
    for line in _lines_by_op().get(_SAME_KERNELS.get(op_type, op_type), ()):
        attrs, host, order = [*line.split("|"), "", ""][:3]
        pairs = [part.split("=") for part in attrs.split()]
        constraints = tuple((name, frozenset(dtypes.split(","))) for name, dtypes in pairs)
        kernels.append(GpuKernel(constraints, frozenset(host.split()), "CPU first" in order))
    if not kernels and op_type in registry and registry[op_type].device_arrays is not None:
        names = (arg.name for arg in (*registry[op_type].inputs, *registry[op_type].outputs))
        return GpuKernel((_FLOATS,), frozenset(), False), GpuKernel((), frozenset(names), True)
    return tuple(kernels)


@functools.cache
def _constrained_attrs(op_type: str) -> tuple[str, ...]:
    return tuple(sorted({name for k in op_kernels(op_type) for name, _ in k.constraints}))


_kernel_infos: dict[tuple[Any, ...], KernelInfo | None] = {}


def gpu_kernel_info(op: Any) -> KernelInfo | None:
    """Returns the table row for a node (anything with `opdef` and `attrs`); None if no kernel fits its attrs."""
    opdef, attrs = op.opdef, op.attrs
    types = [attrs[name] for name in _constrained_attrs(opdef.name)]
    types += [attrs.get(name) for name in opdef.inferred_attrs]
    key = (opdef.name, *[tuple(t) if isinstance(t, list) else t for t in types])
    if "dtype" in attrs:
        key += (attrs["dtype"],)
    try:
        return _kernel_infos[key]
    except KeyError:
        pass
    kernel = next((k for k in op_kernels(opdef.name) if k.supports(attrs)), None)
    info = None
    if kernel is not None:
        host = kernel.host | _int32_arguments(opdef, attrs, kernel) | _always_on_host(opdef, attrs)
        info = KernelInfo(host, kernel.cpu_first)
    _kernel_infos[key] = info
    return info


def _int32_arguments(opdef: OpDef, attrs: Attrs, kernel: GpuKernel) -> set[str]:
    """Returns all arguments of type T if one of them is on the host for int32.

    Some of TensorFlow's registrations omit the value or the output (e.g. of TensorStridedSliceUpdate), which the wrong
    processor would then read. An op restricted to int32 (GatherTree) does run on the GPU.
    """
    if attrs.get("T") is not int32 or opdef.attrs["T"].allowed == (int32,):
        return set()
    names = {arg.name for arg in (*opdef.inputs, *opdef.outputs) if arg.type_attr == "T"}
    return names if names & kernel.host else set()


def _always_on_host(opdef: OpDef, attrs: Attrs) -> set[str]:
    """Returns the arguments that contain only strings or handles."""
    names = set()
    for arg in (*opdef.inputs, *opdef.outputs):
        if arg.type_list_attr:
            types = set(attrs[arg.type_list_attr])
        else:
            types = {arg.dtype or attrs[arg.type_attr]}
        if types and types <= _ALWAYS_ON_HOST:
            names.add(arg.name)
    return names


def host_arguments(op: Any) -> frozenset[str] | None:
    """Returns the inputs and outputs of a node that reside in host memory when it runs on a GPU.

    Args:
      op: an operation, a node of a program, or any other object with `opdef` and `attrs`.

    Returns:
      The names in the op's signature, or None if there is no GPU kernel for the node's attrs. Tensors of strings and
      handles are always in host memory, even in a list with other dtypes.

    Example: for `tf.shape(x)`, {"output"}.
    """
    info = gpu_kernel_info(op)
    return None if info is None else info.host
