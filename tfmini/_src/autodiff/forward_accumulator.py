"""Forward-mode differentiation: computes Jacobian-vector products as gradients of gradients."""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any

from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.autodiff.tape import Tape, gradients_by_tape, input_gradients
from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import assert_same_structure, flatten, map_structure
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import Tensor


class ForwardGradientAccumulator:
    """Computes Jacobian-vector products for operations in its block, for the vectors passed to `watch`.

    Accumulators may be nested: outer ones differentiate the computations of inner ones.

    Example:

      with ForwardGradientAccumulator() as accumulator:
          accumulator.watch(x, tf.constant(2.0))
          y = tf.sin(x)
      accumulator.jvp(y)  # 2 * cos(x)
    """

    # Gradients are differentiated again, so functions must retain the intermediate values.
    persistent = True

    def __init__(self) -> None:
        self._tangents: dict[int, tuple[weakref.ref[Tensor], Tensor]] = {}
        self._was_used = False
        self._recording = False

    def __enter__(self) -> ForwardGradientAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        if self._was_used:
            raise NotImplementedError("Accumulator reuse isn't implemented yet.")
        self._was_used = self._recording = True
        tapes.push(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        tapes.pop(self)
        self._recording = False

    def watch(self, tensor: Any, tangents: Any) -> None:
        """Sets or adds to the tangent of a tensor.

        Args:
          tensor: a tensor, or a structure of tensors.
          tangents: a tensor of the same shape for each tensor.

        Raises:
          NotImplementedError: for a variable.
        """
        assert_same_structure(tensor, tangents)
        for item, tangent in zip(flatten(tensor), flatten(tangents)):
            if not item.dtype.is_floating:
                logs.log_first_n(
                    logs.WARN,
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    5,
                    item.dtype,
                )
            if hasattr(item, "handle"):
                raise NotImplementedError("Currently only Tensors may be watched.")
            actual_dtype = ops.convert_to_tensor(tangent, dtype=item.dtype)
            previous = self._tangent(item)
            self._set(item, actual_dtype if previous is None else ops.add(previous, actual_dtype))

    def jvp(self, target: Any) -> Any:
        """Returns the product for each tensor in a structure; None for tensors independent of watched tensors."""
        if not self._was_used:
            raise ValueError("Called jvp() without first tracing anything.")
        return map_structure(self._tangent, target)

    def _tangent(self, tensor: Tensor) -> Tensor | None:
        entry = self._tangents.get(id(tensor))
        return None if entry is None else entry[1]

    def _set(self, tensor: Tensor, tangent: Tensor) -> None:
        tensor_id, tangents = id(tensor), self._tangents
        reference = weakref.ref(tensor, lambda _: tangents.pop(tensor_id, None))
        tangents[tensor_id] = (reference, tangent)

    # As a tape -----------------------------------------------------------------------------------

    def is_watching(self, tensor: Tensor) -> bool:
        """Whether the tensor has a tangent."""
        return id(tensor) in self._tangents

    def variable_accessed(self, variable: Any) -> None:
        """Does nothing, because variables cannot be watched."""

    def record(self, op: Any) -> None:
        """Computes the tangents of the outputs of an operation; tapes opened earlier record these computations.

        In the process, a graph call may be extended by outputs on which the results of inner accumulators depend.
        """
        if not any(map(self.is_watching, op.inputs)):
            return
        for _ in range(tapes.count_since(self)):
            count = len(op.outputs)
            with tapes.record_on_outer_tapes(self):
                for output, tangent in self._output_tangents(op):
                    self._set(output, tangent)
            if len(op.outputs) == count:
                break

    def _output_tangents(self, op: Any) -> list[tuple[Tensor, Tensor]]:
        outputs = [output for output in op.outputs if _is_number(output)]
        transposed = Tape(persistent=False, watches_variables=False)
        tapes.push(transposed)
        try:
            cotangents = [ops.ones_like(output) for output in outputs]
            for cotangent in cotangents:
                transposed.watch(cotangent)
            cotangent_by_output = dict(zip(map(id, outputs), cotangents))
            values = [cotangent_by_output.get(id(output)) for output in op.outputs]
            gradients = [
                None if grad is None else ops.convert_to_tensor(grad)
                for grad in input_gradients(op, values)
            ]
        finally:
            tapes.pop(transposed)
        pairs = [
            (grad, tangent)
            for grad, tangent in zip(gradients, map(self._tangent, op.inputs))
            if grad is not None and tangent is not None
        ]
        grads = gradients_by_tape(
            transposed, [grad for grad, _ in pairs], cotangents, [tangent for _, tangent in pairs]
        )
        return [(output, tangent) for output, tangent in zip(outputs, grads) if tangent is not None]


def _is_number(tensor: Tensor) -> bool:
    return is_trainable(tensor) and tensor.dtype not in (dtypes.resource, dtypes.variant)
