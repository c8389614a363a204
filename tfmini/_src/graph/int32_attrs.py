"""Attrs that TensorFlow reads as int32, though an OpDef knows no such kind: larger numbers are refused where it does.

`int32_attrs.txt` (in this folder) has what TensorFlow 1.15.5 says of each op (`ci/generate int32_attrs` writes it):
those that its shape rule reads, and after a bar those that only its kernel does.
"""

from __future__ import annotations

import os

from tfmini._src.graph.attributes import Attrs


def _table() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    by_rules, by_kernels = {}, {}
    with open(os.path.join(os.path.dirname(__file__), "int32_attrs.txt")) as file:
        for line in file:
            if line[0] == "#":
                continue
            left, _, right = line.partition("|")
            op, *names = left.split()
            if names:
                by_rules[op] = tuple(names)
            by_kernels[op] = (*names, *right.split())
    return by_rules, by_kernels


OF_RULES, OF_KERNELS = _table()


def problem(names: tuple[str, ...], attrs: Attrs) -> str:
    """The error text for the first of these attrs that is not an int32, or ""."""
    for name in names:
        value = attrs.get(name, 0)
        for number in value if isinstance(value, tuple | list) else (value,):
            if not -(2**31) <= number < 2**31:
                return f"Attr {name} has value {number} out of range for an int32"
    return ""
