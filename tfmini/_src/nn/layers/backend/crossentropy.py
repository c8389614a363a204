"""Cross entropies of probabilities; computed from logits if a softmax or sigmoid op produced the probabilities."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.config import epsilon
from tfmini._src.nn.layers.backend.keras_graph import get_graph, is_symbolic
from tfmini._src.ops import ops
from tfmini._src.ops.nn.sigmoid_cross_entropy import sigmoid_cross_entropy_with_logits
from tfmini._src.ops.nn.softmax_cross_entropy import (
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from tfmini._src.variables.variable import Variable


def _logits(output: Any, from_logits: bool, activation: str) -> Any:
    """Returns the operand of the activation op that produced `output`, or None for other ops."""
    if from_logits:
        return output
    if not isinstance(output, Variable | EagerTensor) and output.op.type == activation:
        return output.op.inputs[0]
    return None


def _as_tensor(output: Any) -> Any:
    return output if isinstance(output, Variable) else ops.convert_to_tensor(output)


def _clip_probabilities(output: Any) -> Any:
    epsilon_value = ops.constant(epsilon(), dtype=output.dtype.base_dtype)
    return ops.clip_by_value(output, epsilon_value, 1 - epsilon_value)


def categorical_crossentropy(
    target: TensorLike, output: Tensor, from_logits: bool = False, axis: int = -1
) -> Any:
    """Returns the cross entropy of two distributions along `axis`.

    Args:
      target, output: floats of the same shape; `output` contains probabilities, or logits if `from_logits`.
      axis: the class axis.

    Returns:
      A tensor with one axis less.
    """
    output = _as_tensor(output)
    logits = _logits(output, from_logits, "Softmax")
    if logits is None:
        output = _clipped_float(output / ops.reduce_sum(output, axis, True))
        return -ops.reduce_sum(target * ops.log(output), axis)
    return softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)


def _clipped_float(output: Any) -> Any:
    epsilon_value = ops.constant(epsilon(), dtype=output.dtype.base_dtype)
    return ops.clip_by_value(output, epsilon_value, 1.0 - epsilon_value)


def sparse_categorical_crossentropy(
    target: TensorLike, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Returns the cross entropy of predicted distributions along `axis` for target class indices.

    Args:
      target: class indices, of any dtype.
      output: probabilities, or logits with `from_logits`.
      axis: the class axis.

    Raises:
      ValueError: if the rank is unknown, unless `axis` is the last.
    """
    if not from_logits:
        output = _as_tensor(output)
    logits = _logits(output, from_logits, "Softmax")
    if logits is None:
        logits = ops.log(_clip_probabilities(output))
    # Arrays are converted too, because each op would convert them into a separate constant.
    rank = TensorShape(logits.shape).ndims
    if rank is not None:
        axis %= rank
        if axis != rank - 1:
            order = [i for i in range(rank) if i != axis]
            logits = ops.transpose(logits, perm=[*order, axis])
    elif axis != -1:
        raise ValueError(
            f"Cannot compute sparse categorical crossentropy with `axis={axis}` on an output tensor "
            "with unknown rank"
        )
    target = ops.cast(target, "int64")
    shape = ops.shape(logits)
    target_rank = target.shape.ndims
    reshaped = target_rank is not None and rank is not None and target_rank != rank - 1
    if reshaped:
        target = ops.reshape(target, [-1])
        logits = ops.reshape(logits, [-1, shape[-1]])
    with get_graph().as_default() if is_symbolic(target) or is_symbolic(logits) else nullcontext():
        losses = sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)
    return ops.reshape(losses, shape[:-1]) if reshaped and (rank or 0) >= 3 else losses


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Returns the binary cross entropy of each element.

    Args:
      target, output: floats of the same shape; `output` contains probabilities, or logits if `from_logits`.
    """
    output = _as_tensor(output)
    logits = _logits(output, from_logits, "Sigmoid")
    if logits is None:
        output, epsilon_value = _clipped_float(output), epsilon()
        positive_term = target * ops.log(output + epsilon_value)
        positive_term += (1 - target) * ops.log(1 - output + epsilon_value)
        return -positive_term
    return sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
