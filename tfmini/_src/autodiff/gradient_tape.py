"""`tf.GradientTape`: records the operations in its block and computes their gradients."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from tfmini._src.autodiff.gradients import UnconnectedGradients
from tfmini._src.autodiff.tape import Tape, gradients_by_tape
from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph import raw
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor_or_indexed_slices
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.replica_modes import current_replica
from tfmini._src.graph.tensor import Tensor, TensorLike


class GradientTape:
    """Records operations in its block that depend on watched tensors, for automatic differentiation.

    Trainable variables read in the block are watched; `watch` adds tensors. Works in eager mode, graphs and
    functions. Tapes may be nested for higher-order derivatives.

    Args:
      persistent: whether `gradient` may be called more than once; the recording is then kept until the tape is
        deleted.
      watch_accessed_variables: whether to watch trainable variables automatically.

    Example:

      x = tf.constant(3.0)
      with tf.GradientTape() as tape:
          tape.watch(x)
          y = x * x
      tape.gradient(y, x)  # 6.0
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._tape: Tape | None = None
        self._watched_variables: tuple[Any, ...] = ()
        self._recording = False
        self._created_eagerly = executing_eagerly()

    def __enter__(self) -> GradientTape:
        self._push_tape()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._recording:
            self._pop_tape()

    def _push_tape(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        if self._tape is None:
            self._tape = Tape(self._persistent, self._watch_accessed_variables)
        tapes.push(self._tape)
        self._recording = True

    def _pop_tape(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        assert self._tape is not None
        tapes.pop(self._tape)
        self._recording = False

    def watch(self, tensor: TensorLike) -> None:
        """Starts recording operations on `tensor`: a tensor, a variable or a structure of them.

        Raises:
          RuntimeError: outside of the tape's block; ValueError: for other values.
        """
        for item in flatten(tensor):
            if not (isinstance(item, Tensor) or hasattr(item, "handle")):
                raise ValueError(f"Passed in object of type {type(item)}, not tf.Tensor")
            if not item.dtype.is_floating:
                logs.log_first_n(
                    logs.WARN,
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    5,
                    item.dtype,
                )
            if self._tape is None:
                raise RuntimeError("Tape is not recording.")
            if hasattr(item, "handle"):
                self._tape.watch_variable(item)
            else:
                self._tape.watch(item)

    def stop_recording(self) -> _StopRecording:
        """Context manager that pauses recording.

        Raises:
          RuntimeError: if the tape is not recording.
        """
        if self._tape is None:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        return _StopRecording(self)

    def reset(self) -> None:
        """Clears everything recorded so far."""
        self._pop_tape()
        self._tape = None
        self._push_tape()

    def watched_variables(self) -> tuple[Any, ...]:
        """Returns the watched variables in creation order; in a replica, distributed variables, not their copies."""
        if self._tape is not None:
            self._watched_variables = _current_replica_variables(
                self._tape.variables_in_creation_order()
            )
        return self._watched_variables

    def gradient(
        self,
        target: TensorLike,
        sources: object,
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients = UnconnectedGradients.NONE,
    ) -> Any:
        """Computes the gradients of `target` with respect to `sources` from the recorded operations.

        Args:
          target: a tensor or variable, or a list of them, whose sum is differentiated.
          sources: a structure of tensors and variables.
          output_gradients: one gradient per target; ones by default.
          unconnected_gradients: `tf.UnconnectedGradients.NONE` returns None, and `ZERO` zeros, for sources on which the
            target does not depend.

        Returns:
          A tensor, IndexedSlices or None per source, in the structure of `sources`.

        Raises:
          RuntimeError: if called again on a non-persistent tape.
          ValueError: for a variable that is computed in the block, or an unknown `unconnected_gradients`.
        """
        if self._tape is None:
            raise RuntimeError(
                "GradientTape.gradient can only be called once on non-persistent tapes."
            )
        if self._recording:
            if not self._persistent:
                self._pop_tape()
            else:
                logs.log_first_n(
                    logs.WARN,
                    "Calling GradientTape.gradient on a persistent tape inside its context is significantly less "
                    "efficient than calling it outside the context (it causes the gradient ops to be recorded on "
                    "the tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside "
                    "the context if you actually want to trace the gradient in order to compute higher order "
                    "derivatives.",
                    1,
                )
        try:
            unconnected = UnconnectedGradients(unconnected_gradients)
        except ValueError:
            raise ValueError(
                f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
            ) from None
        targets = [self._differentiable_target(item) for item in flatten(target)]
        actual = flatten(sources)
        for source in actual:
            _warn_unless_floating("source", source)
        expected = [_handle_or_self(source) for source in actual]
        grads = None
        if output_gradients is not None:
            grads = [
                None if g is None else internal_convert_to_tensor_or_indexed_slices(g)
                for g in flatten(output_gradients)
            ]
        gradients = gradients_by_tape(self._tape, targets, expected, grads)
        if unconnected is UnconnectedGradients.ZERO:
            gradients = [
                ops.zeros(raw.Shape(source), source.dtype) if grad is None else grad
                for grad, source in zip(gradients, actual)
            ]
        if not self._persistent:
            self._watched_variables = _current_replica_variables(
                self._tape.variables_in_creation_order()
            )
            self._tape = None
        return pack_sequence_as(sources, gradients)

    def jacobian(
        self,
        target: Tensor,
        sources: object,
        unconnected_gradients: UnconnectedGradients = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Computes the derivatives of each element of `target` with respect to each source.

        Args:
          target: a tensor.
          sources: a structure of tensors and variables.
          unconnected_gradients: as for `gradient`.
          parallel_iterations: None or at least 2; has no effect, because elements are processed one by one.
          experimental_use_pfor: False requires a persistent tape, as in TensorFlow; otherwise has no effect.

        Returns:
          For each source, a tensor with the shape of the target followed by the shape of the source, or None.

        Raises:
          RuntimeError: in eager mode with `experimental_use_pfor=False`, unless the tape is persistent.
        """
        dims = target.shape.as_list()
        self._check_options(
            "jacobian with eager execution enabled and with ",
            parallel_iterations,
            experimental_use_pfor,
        )
        flat = flatten(sources)
        rows: list[list[Any]] = [[] for _ in flat]
        with _ReuseTape(self):
            self._push_tape()
            elements = ops.reshape(target, [-1])
            count = elements.shape.as_list()[0]
            if count is None:
                raise ValueError("jacobian requires a target with a known shape")
            parts = [elements[index] for index in range(count)]
            self._pop_tape()
            for part in parts:
                grads = self.gradient(part, flat, None, unconnected_gradients)
                for row, grad in zip(rows, grads):
                    row.append(grad)
        derivatives: list[Any] = []
        for row, source in zip(rows, flat):
            if any(grad is None for grad in row):
                derivatives.append(None)
                continue
            shape = [*dims, *source.shape.as_list()]
            derivatives.append(_as_array(row, 0, shape, target.dtype))
        return pack_sequence_as(sources, derivatives)

    def batch_jacobian(
        self,
        target: Tensor,
        source: Tensor,
        unconnected_gradients: UnconnectedGradients = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Computes the derivatives of each row of `target` with respect to the same row of `source`.

        Args:
          target: [batch, ...]; row i depends only on row i of `source`.
          source: [batch, ...].
          unconnected_gradients: as for `gradient`.
          parallel_iterations: as for `jacobian`.
          experimental_use_pfor: as for `jacobian`.

        Returns:
            [batch, rest of the target's shape, rest of the source's shape]; zeros if the target does not depend on
          the source.

        Raises:
          ValueError: if the first dimensions are unknown or differ, or either has a rank below 2.
          IndexError: for a scalar target.
          RuntimeError: in eager mode with `experimental_use_pfor=False`, unless the tape is persistent.
        """
        if target.shape.ndims == 0:
            raise IndexError("list index out of range")
        batch, dims = target.shape.with_rank_at_least(2), source.shape.with_rank_at_least(2)
        if batch.ndims is None or not dims.is_compatible_with(batch[:1].concatenate(dims[1:])):
            raise ValueError(
                "Need first dimension of target shape "
                f"({batch}) and source shape ({dims}) to match."
            )
        self._check_options(
            "batch_jacobian with eager execution enabled and  with",
            parallel_iterations,
            experimental_use_pfor,
        )
        if not batch.is_fully_defined():
            raise ValueError("batch_jacobian requires a target with a known shape")
        size = batch.as_list()[0]
        width = 1
        for dim in batch.as_list()[1:]:
            width *= dim
        with _ReuseTape(self):
            self._push_tape()
            rows = ops.reshape(target, [size, width])
            columns = [rows[:, index] for index in range(width)]
            self._pop_tape()
            grads = [self.gradient(c, source, None, unconnected_gradients) for c in columns]
        shape = [*batch.as_list(), *dims.as_list()[1:]]
        if any(grad is None for grad in grads):
            return ops.zeros(shape)
        return _as_array(grads, 1, shape, target.dtype)

    def _check_options(self, expected: str, parallel: int | None, vectorized: bool) -> None:
        if executing_eagerly() and not vectorized and not self._persistent:
            raise RuntimeError(
                f"GradientTape must be created with persistent=True to compute the {expected} "
                "experimental_use_pfor set to False."
            )
        if vectorized and parallel is not None and parallel < 2:
            raise ValueError(
                "Found parallel_iterations == 1. Use for_loop instead."
                if parallel == 1
                else "parallel_iterations must be None or a positive integer"
            )

    def _differentiable_target(self, target: Any) -> Any:
        _warn_unless_floating("target", target)
        if hasattr(target, "handle"):
            assert self._tape is not None
            if self._recording:
                return ops.convert_to_tensor(target)
            tapes.push(self._tape)
            try:
                return ops.convert_to_tensor(target)
            finally:
                tapes.pop(self._tape)
        return target


class _StopRecording:
    """Context manager that pauses a tape."""

    def __init__(self, tape: GradientTape) -> None:
        self._tape = tape

    def __enter__(self) -> None:
        self._tape._pop_tape()

    def __exit__(self, *unused: object) -> None:
        self._tape._push_tape()


class _ReuseTape:
    """Context manager in which a stopped tape may compute several gradients; uses up a non-persistent tape."""

    def __init__(self, tape: GradientTape) -> None:
        self._tape = tape

    def __enter__(self) -> None:
        if self._tape._tape is None:
            raise RuntimeError(
                "GradientTape.gradient can only be called once on non-persistent tapes."
            )
        if self._tape._recording:
            raise ValueError("Tape is already recording.")
        self._was_persistent, self._tape._persistent = self._tape._persistent, True

    def __exit__(self, *unused: object) -> None:
        self._tape._persistent = self._was_persistent
        if not self._was_persistent:
            self._tape._tape = None


def _as_array(grads: list[Any], axis: int, shape: list[Any], dtype: Any) -> Any:
    """Stacks the gradients of elements into a tensor of the specified shape."""
    if not grads:
        return ops.zeros(shape, dtype)
    stacked = ops.stack([ops.convert_to_tensor(grad) for grad in grads], axis=axis)
    return ops.reshape(stacked, shape)


def _handle_or_self(source: Any) -> Any:
    handle = getattr(source, "handle", None)
    return source if handle is None or isinstance(source, Tensor) else handle


def _warn_unless_floating(side: str, tensor: Any) -> None:
    if not tensor.dtype.is_floating:
        logs.warning(
            f"The dtype of the {side} tensor must be floating (e.g. tf.float32) when calling "
            "GradientTape.gradient, got %r",
            tensor.dtype,
        )


def _current_replica_variables(variables: list[Any]) -> tuple[Any, ...]:
    """Returns variables as the caller sees them: in a replica, distributed variables instead of their copies."""
    if current_replica() is None:
        return tuple(variables)
    containers = [getattr(variable, "_distributed_container", None) for variable in variables]
    seen = [
        v if container_ref is None else container_ref()
        for v, container_ref in zip(variables, containers)
    ]
    return tuple(dict.fromkeys(seen))
