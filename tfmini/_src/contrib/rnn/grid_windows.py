"""Blocks of column windows for a GridLSTMCell."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.ops import ops


def grid_windows(
    inputs: Any,
    size: Any,
    skip: Any,
    counts: Any,
    starts: Any,
    ends: Any,
    offset: int = 0,
) -> list[list]:
    """Splits inputs [batch, depth] into blocks of windows [batch, size].

    Args:
      size, skip: window size and stride.
      counts: number of windows per block.
      starts, ends: starts and ends of the blocks, or None for one block over all columns.
      offset: column offset of the windows; zero-pads the end, or the start for a negative offset.
    """
    depth: Any = inputs.shape.with_rank(2).dims[-1].value
    if depth is None:
        raise ValueError("Cannot infer input_size from static shape inference.")
    if offset:
        column_ends = [0, offset] if offset > 0 else [-offset, 0]
        padding = ops.constant([0, 0, *column_ends], shape=[2, 2], dtype=dtypes.int32)
        inputs = ops.pad(inputs, padding, "CONSTANT")
        offset = max(offset, 0)
    if not starts:
        if len(counts) != 1:
            raise ValueError(
                f"Length of num_frequency_blocks is not 1, but instead is {len(counts)}"
            )
        starts, ends = [0], [depth]
    else:
        if len(starts) != len(ends):
            raise ValueError(
                "Length of start and end freqindex_list does not match %d %d",
                len(starts),
                len(ends),
            )
        if len(counts) != len(starts):
            raise ValueError(
                "Length of num_frequency_blocks is not equal to start_freqindex_list %d %d",
                len(counts),
                len(starts),
            )
    blocks = []
    for start, end, expected in zip(starts, ends, counts):
        count = int((end - start - size) / skip) + 1
        if count != expected:
            raise ValueError(
                f"Invalid num_frequency_blocks, requires {expected} but gets {count}, please check the "
                "input size and filter config are correct."
            )
        positions = [start + offset + index * skip for index in range(count)]
        blocks.append([ops.slice(inputs, [0, position], [-1, size]) for position in positions])
    return blocks
