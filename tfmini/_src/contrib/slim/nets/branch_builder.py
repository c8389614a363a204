"""Branching networks built from a table: each line is a layer, or a name with a line per branch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.contrib.layers.conv2d_and_transpose import convolution2d as conv2d
from tfmini._src.contrib.layers.pool_flatten_dropout import avg_pool2d, max_pool2d
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import TruncatedNormal
from tfmini._src.variables.variable_scope import variable_scope

_LAYER = re.compile(
    r"(?P<name>\w+?_(?P<size>\d+x\d+))(\((?P<real>\d+x\d+)\))?( (?P<depth>\d+))?( /(?P<stride>\d))?"
    r"( (?P<padding>valid|same))?( ~(?P<deviation>[0-9.]+))?"
)


def trunc_normal(stddev: float) -> TruncatedNormal:
    """Truncated normal initializer with mean 0, cut off at two standard deviations."""
    return TruncatedNormal(0.0, stddev)


def blocks_of(table: str) -> Iterator[tuple[str, list[str]]]:
    """Blocks of a table: (a layer, []), or (a name, its branches).

    A layer is "Conv2d_0a_3x3 64 /2 valid ~0.1": its name, which ends with the size of its windows (another one stands
    behind it in brackets), how many channels it has, its stride, its padding, and the deviation of its first
    weights. Layers of a branch are divided by commas; those divided by + have the same inputs, and their outputs are
    joined.
    """
    name, branches = "", []
    for line in table.strip().splitlines():
        if line.startswith(" "):
            branches.append(line.strip())
            continue
        if name:
            yield name, branches
        name, branches = line.removesuffix(":"), []
    yield name, branches


def built(net: Any, block: str, branches: list[str], depth: Callable[[int], int]) -> Any:
    """Outputs of a block for the inputs `net`; `depth` maps numbers of channels."""
    if not branches:
        return _layer(net, block, depth)
    with variable_scope(block):
        outputs = []
        for number, branch in enumerate(branches):
            with variable_scope(f"Branch_{number}"):
                outputs.append(_branch(net, branch, depth))
        return ops.concat(outputs, 3)


def _branch(net: Any, branch: str, depth: Callable[[int], int]) -> Any:
    for part in branch.split(", "):
        beside = [_layer(net, layer, depth) for layer in part.split(" + ")]
        net = beside[0] if len(beside) == 1 else ops.concat(beside, 3)
    return net


def _layer(net: Any, layer: str, depth: Callable[[int], int]) -> Any:
    found = _LAYER.fullmatch(layer)
    assert found, layer
    size = [int(number) for number in (found["real"] or found["size"]).split("x")]
    how: dict[str, Any] = {"scope": found["name"]}
    if found["stride"]:
        how["stride"] = int(found["stride"])
    if found["padding"]:
        how["padding"] = found["padding"].upper()
    if found["deviation"]:
        how["weights_initializer"] = trunc_normal(float(found["deviation"]))
    if found["depth"]:
        return conv2d(net, depth(int(found["depth"])), size, **how)
    return (max_pool2d if layer.startswith("Max") else avg_pool2d)(net, size, **how)


def reduced_kernel_size(net: Any, size: list[int]) -> list[int]:
    """The kernel size, clipped to the image size where that is static."""
    rows, columns = net.shape.as_list()[1:3]
    return size if None in (rows, columns) else [min(rows, size[0]), min(columns, size[1])]
