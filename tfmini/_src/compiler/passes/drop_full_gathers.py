"""drop_full_gathers: removes gathers of all rows in order.

Sparse lookups filter out negative ids by gathering the rows `Where(ids >= 0)`. The value ranges of hashes and buckets
prove that the filter passes all ids.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import remove_dead_nodes
from tfmini._src.compiler.program.program import Dim, Node, Program

Range = tuple[int, int]  # minimum and maximum
_MAX_INT64 = 2**63 - 1


def drop_full_gathers(program: Program) -> Program:
    """Removes gathers of all rows, and their dead producers; returns the program."""
    symbols, ranges = Symbols(program), _Ranges()
    producer = Uses(program.nodes).producer
    alias: dict[int, int] = {}
    true_masks: set[int] = set()
    counts: dict[int, Dim] = {}  # for slots that hold all row numbers, the number of rows
    nodes: list[Node] = []
    for node in program.nodes:
        node.inputs = tuple([alias.get(slot, slot) for slot in node.inputs])
        name = node.opdef.name if node.kind == "op" else ""
        if name in ("Gather", "GatherV2") and _gathers_all_rows(node, symbols, counts):
            params = producer.get(node.inputs[0])
            if (() if params is None else params.guard) == node.guard:
                alias[node.outputs[0]] = node.inputs[0]
                continue
        symbols.add(node)
        ranges.add(node)
        if name == "GreaterEqual" and ranges.is_greater_equal(*node.inputs):
            true_masks.add(node.outputs[0])
        elif name == "Where" and node.inputs[0] in true_masks:
            dims = symbols.dims(node.inputs[0])
            if dims is not None and len(dims) == 1:
                counts[node.outputs[0]] = dims[0]
        elif name == "Reshape" and node.inputs[0] in counts:
            if symbols.vector(node.inputs[1]) == (-1,):
                counts[node.outputs[0]] = counts[node.inputs[0]]
        nodes.append(node)
    if not alias:
        return program
    program.nodes = remove_dead_nodes(nodes, program, alias)
    program.fetches = tuple(alias.get(slot, slot) for slot in program.fetches)
    return program


def _gathers_all_rows(node: Node, symbols: Symbols, counts: dict[int, Dim]) -> bool:
    """Whether a gather takes all rows of its first input in order."""
    dims, rows = symbols.dims(node.inputs[0]), symbols.dims(node.inputs[1])
    count = counts.get(node.inputs[1])
    if count is None or not dims or rows is None or len(rows) != 1 or dims[0] != count:
        return False
    if node.opdef.name == "Gather":
        return True
    return not node.attrs["batch_dims"] and symbols.axis(node.inputs[2], len(dims)) == 0


class _Ranges:
    """Ranges of the integers that slots hold."""

    def __init__(self) -> None:
        self._ranges: dict[int, Range] = {}

    def add(self, node: Node) -> None:
        """Adds a node; the producers of its inputs must already have been added."""
        if node.kind == "const":
            value = np.asarray(node.constant)
            if value.dtype.kind == "i" and value.size:
                self._ranges[node.outputs[0]] = int(value.min()), int(value.max())
            return
        if node.kind != "op":
            return
        name = node.opdef.name
        if name in _ELEMENT_PRESERVING_OPS:
            value_range = self._ranges.get(node.inputs[0])
        elif name in ("Add", "AddV2"):
            value_range = self._sum_range(node)
        elif name in _RANGES:
            value_range = _RANGES[name](node)
        else:
            return
        if value_range is not None:
            self._ranges[node.outputs[_OUTPUTS.get(name, 0)]] = value_range

    def is_greater_equal(self, values: int, limits: int) -> bool:
        """Whether all values in a slot are at least those in another."""
        lower_range, upper_range = self._ranges.get(values), self._ranges.get(limits)
        return (
            lower_range is not None and upper_range is not None and lower_range[0] >= upper_range[1]
        )

    def _sum_range(self, node: Node) -> Range | None:
        """Returns the range of a sum; None if it may overflow."""
        a, b = (self._ranges.get(slot) for slot in node.inputs)
        dtype: dtypes.DType = node.attrs["T"]
        if a is None or b is None or not dtype.is_integer:
            return None
        total = a[0] + b[0], a[1] + b[1]
        return total if dtype.min <= total[0] and total[1] <= dtype.max else None


# Ops whose results are elements of their first input.
_ELEMENT_PRESERVING_OPS = frozenset(
    {"ExpandDims", "Gather", "GatherNd", "GatherV2", "Reshape", "Squeeze"}
)


def _bucket_range(node: Node) -> Range:
    return 0, node.attrs["num_buckets"] - 1


def _cross_range(node: Node) -> Range | None:
    return (0, node.attrs["num_buckets"] or _MAX_INT64) if node.attrs["hashed_output"] else None


_RANGES: dict[str, Callable[[Node], Range | None]] = {
    "Bucketize": lambda node: (0, len(node.attrs["boundaries"])),
    "SparseCross": _cross_range,
    "StringToHashBucket": _bucket_range,
    "StringToHashBucketFast": _bucket_range,
    "StringToHashBucketStrong": _bucket_range,
}
_OUTPUTS = {"SparseCross": 1}
