"""Random streams of nodes, and the shapes of samples."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from tfmini._src.base.dtypes import int32
from tfmini._src.base.errors import invalid
from tfmini._src.base.fresh_seeds import fresh_if_zero
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension
from tfmini._src.devices.numpy.philox import Stream, seeded_stream
from tfmini._src.graph.shape_inference import Dims, input_dims, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.operands import check_not_negative, shape_text

SEEDS: dict[str, Any] = {"seed": 0, "seed2": 0}


class OpStream:
    """The random stream of a node in a session; each run continues where the previous one stopped.

    recorder: while the node is being recorded, maps the current stream and the number of blocks to the stream to draw
      from.
    """

    position: Stream = read_only(
        "Stream position at which the next run starts.", "_remaining_stream"
    )
    recorder: Callable[[Stream, int], Stream] | None = None

    def __init__(self, seed: int, seed2: int) -> None:
        self._remaining_stream = seeded_stream(*fresh_if_zero(seed, seed2))
        self._lock = make_lock()

    def reserve(self, blocks: int) -> Stream:
        """Reserves blocks of the stream, starting at the current position, for the caller."""
        with self._lock:
            start, self._remaining_stream = (
                self._remaining_stream,
                self._remaining_stream.skip(blocks),
            )
        return start if self.recorder is None else self.recorder(start, blocks)

    def rewind(self, position: Stream) -> None:
        """Moves back to `position`, where the next run continues."""
        with self._lock:
            self._remaining_stream = position


def node_stream(resources: Any, op: Any) -> OpStream:
    """Returns the stream of a node in a session, which is created on first use."""
    return resources.node_state(op, lambda: OpStream(op.attrs["seed"], op.attrs["seed2"]))


def reserve(ctx: Any, blocks: int) -> Stream:
    """Reserves `blocks` of the stream of the running node."""
    return node_stream(ctx.resources, ctx.op).reserve(blocks)


def sizes(shape: Any, colon: str = "") -> tuple[tuple[int, ...], int]:
    """Converts a shape array to a tuple; also returns the number of elements."""
    if shape.ndim != 1:
        invalid(
            f"shape must be a vector of {{int32,int64}}, got shape{colon} {shape_text(shape.shape)}"
        )
    dims = tuple(shape.tolist())
    count = math.prod(dims)
    check_not_negative(dims)
    # A 0 after an overflow does not matter.
    if max(accumulate(dims, operator.mul), default=0) >= 2**63:
        invalid(f"Shape {shape_text(dims)} would have more than 2**63 - 1 elements")
    return dims, count


def drawn_shape(op: Any) -> Dims:
    """Returns the static shape of a sample whose shape is the value of input 0."""
    with_rank(op.inputs[0]._dims, 1)
    return input_dims(op, 0)


def shape_tensor(shape: Any) -> Tensor:
    """Converts a shape argument to a tensor; an empty list becomes int32."""
    if not isinstance(shape, tuple | list):
        return ops.convert_to_tensor(shape, name="shape")
    values = tuple([size.value if isinstance(size, Dimension) else size for size in shape])
    return ops.convert_to_tensor(values, dtype=None if shape else int32, name="shape")
