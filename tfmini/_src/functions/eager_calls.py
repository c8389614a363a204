"""Eager function calls: one op runs the whole body; tapes record it with its backward function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.functions.library_functions import LibraryFunction
from tfmini._src.graph.eager import execution_mode, tapes
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.functions.call_gradients import CallGradient


def call_eagerly(
    function: LibraryFunction, gradient: CallGradient, inputs: Sequence[Tensor]
) -> list[Tensor]:
    """Runs a function; returns its results as eager tensors.

    For each tape that records its inputs, the call also returns the values needed by gradients of one order more.
    """
    order = tapes.count_watching_tapes(inputs)
    if not order:
        return _run_function(function, inputs)
    if tapes.is_watched_by_persistent_tape(inputs):
        order += _PERSISTENT_TAPE_ORDERS
    levels = [gradient]
    while len(levels) < order and levels[-1].forward_count > levels[-1].count:
        levels.append(levels[-1].for_forward_function)
    with tapes.stop_recording():
        outputs = _run_function(levels[-1].forward, inputs)
    starts = [0, *(level.count for level in levels[:-1])]
    for start, level in reversed(list(zip(starts, levels))):  # inputs of gradients first
        if level.count > start:
            rule = _Rule(level, inputs, outputs, start)
            result = outputs[start : level.count]
            tapes.record(tapes.EagerOp(registry[_PURE_CALL_OP], {}, inputs, result, rule))
    return outputs[: gradient.count]


# Maximum order of the derivatives that a persistent tape may still compute; each order needs further intermediate
# values.
_PERSISTENT_TAPE_ORDERS = 3
_PURE_CALL_OP = "PartitionedCall"


def _run_function(function: LibraryFunction, inputs: Sequence[Tensor]) -> list[Tensor]:
    assert execution_mode.call is not None
    return execution_mode.call(function, *function.call_kind, inputs)


class _Rule:
    """The gradient rule for some outputs of an executed call.

    Args:
      level: the gradient of these outputs and all previous ones.
      inputs, outputs: all inputs and outputs of the call.
      start: index of the first of these outputs.
    """

    def __init__(
        self,
        level: CallGradient,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        start: int,
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self._level = level
        self._start = start

    def __call__(self, op: Any, *grads: Any) -> list[Any]:
        leading_grads = [ops.zeros_like(tensor) for tensor in self.outputs[: self._start]]
        return self._level.call_gradient(self, [*leading_grads, *grads])
