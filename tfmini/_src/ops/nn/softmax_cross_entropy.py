"""Softmax cross entropy between logits and labels.

The softmax ops compute the loss and its gradient with respect to the logits together; the gradient
rules multiply this gradient by the incoming gradient.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.base.names.deprecation import (
    deprecated,
    deprecated_args,
    deprecated_argument_lookup,
)
from tfmini._src.devices.cuda import softmax as on_gpus
from tfmini._src.devices.cuda.launch import supports
from tfmini._src.devices.host.native import softmax as native
from tfmini._src.devices.numpy.row_blocks import row_blocks
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import InferenceError, broadcast, merge, merge_dim, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.softmax import row_sums, subtract_row_maxima
from tfmini._src.ops.operands import INDEX64, shape_text
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE


@op(
    "SoftmaxCrossEntropyWithLogits",
    "features: T, labels: T -> loss: T, backprop: T",
    T=HALF_TO_DOUBLE,
)
def softmax_cross_entropy_op(xp, features, labels):
    if features.shape != labels.shape or features.ndim != 2:
        _rows_and_classes(features, labels)
        features, labels = xp.broadcast_arrays(features, labels)
    result = native.cross_entropy(features, labels) if xp is np else None
    if result is not None:
        return result
    loss, backprop = xp.zeros(len(features), features.dtype), xp.empty_like(features)
    for part in row_blocks(xp, features) if features.size else ():
        exponentials, expected = backprop[part], labels[part]
        shifted = subtract_row_maxima(xp, features[part])
        xp.exp(shifted, out=exponentials)
        totals = row_sums(xp, exponentials)
        xp.subtract(xp.log(totals), shifted, out=shifted)
        loss[part] = _product_sums(xp, expected, shifted)
        exponentials /= totals
        exponentials -= expected
    return loss, backprop


def _product_sums(xp: Any, a: Any, b: Any) -> Any:
    """Returns row-wise dot products. CuPy's einsum uses a cuBLAS wrapper that does not support graph capture."""
    return np.einsum("ij,ij->i", a, b) if xp is np and a.dtype.kind == "f" else (a * b).sum(1)


@softmax_cross_entropy_op.on_gpu
def _(gpu, features, labels):
    if not supports(features.dtype):
        return softmax_cross_entropy_op.kernel(gpu.xp, features, labels)
    _rows_and_classes(features, labels)
    matrices = (a.reshape((1,) * (2 - a.ndim) + a.shape) for a in (features, labels))
    return on_gpus.softmax_cross_entropy(gpu.xp, *matrices)


def _rows_and_classes(features: Any, labels: Any) -> tuple[int, ...]:
    """Returns the broadcast shape of logits and labels."""
    try:
        shape = np.broadcast_shapes(features.shape, labels.shape)
    except ValueError:
        raise InvalidArgumentError(
            None,
            None,
            "logits and labels must be broadcastable: "
            f"logits_size={shape_text(features.shape)} labels_size={shape_text(labels.shape)}",
        ) from None
    if len(shape) != 2:
        invalid(
            "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"
        )
    return shape


@softmax_cross_entropy_op.infer
def _(op):
    try:
        dims = merge(with_rank(op.inputs[0]._dims, 2), op.inputs[1]._dims)
    except InferenceError:
        dims = broadcast(op)
    if dims is None:
        text = "Shape must be broadcasted with rank 2, but is rank is unknown."
        raise InferenceError(text) from None
    if len(dims) != 2:
        raise InferenceError(f"Shape must be broadcasted with rank 2, but is rank {len(dims)}")
    return [dims[:1], dims]


@softmax_cross_entropy_op.gradient
def _(op, grad_loss, grad_backprop):
    logits, backprop = op.inputs[0], op.outputs[1]
    grad = _times_rows(grad_loss, backprop)
    if grad_backprop is not None and not _is_zero(grad_backprop):
        softmax = ops.softmax(logits)
        product = ops.matmul(ops.expand_dims(grad_backprop, 1), ops.expand_dims(softmax, 2))
        grad += (grad_backprop - ops.squeeze(product, axis=1)) * softmax
    return grad, _times_rows(grad_loss, -ops.log_softmax(logits))


def _times_rows(vector: Tensor, matrix: Tensor) -> Tensor:
    """Multiplies each row of a matrix by its factor."""
    return ops.expand_dims(vector, -1) * matrix


def _is_zero(grad: Tensor) -> bool:
    """Whether a gradient is statically zero."""
    if isinstance(grad, EagerTensor):
        return False
    if grad.op.type in ("ZerosLike", "Zeros"):
        return True
    value = ops.get_static_value(grad)
    return value is not None and bool((value == 0).all())


@op(
    "SparseSoftmaxCrossEntropyWithLogits",
    "features: T, labels: Tlabels -> loss: T, backprop: T",
    host_or_cuda=True,
    T=HALF_TO_DOUBLE,
    Tlabels=INDEX64,
)
def sparse_softmax_cross_entropy_op(xp, features, labels):
    _check_sparse(features, labels)
    result = native.cross_entropy(features, labels) if xp is np else None
    if result is not None:
        return result
    loss, backprop = xp.zeros(len(features), features.dtype), xp.empty_like(features)
    one = features.dtype.type(1)
    for part in row_blocks(xp, features) if features.size else ():
        exponentials, expected = backprop[part], labels[part]
        rows = xp.arange(len(expected))
        subtract_row_maxima(xp, features[part], exponentials)
        target_scores = exponentials[rows, expected]
        xp.exp(exponentials, out=exponentials)
        totals = row_sums(xp, exponentials)
        loss[part] = xp.log(totals)[:, 0] - target_scores
        exponentials /= totals
        exponentials[rows, expected] -= one
    return loss, backprop


@sparse_softmax_cross_entropy_op.on_gpu
def _(gpu, features, labels):
    """Returns NaN for rows with an invalid label, as TensorFlow does on GPUs; a check would require synchronizing."""
    _check_shapes(features, labels)
    if supports(features.dtype):
        return on_gpus.sparse_softmax_cross_entropy(gpu.xp, features, labels)
    wide_results = on_gpus.sparse_softmax_cross_entropy(gpu.xp, features.astype("f"), labels)
    return tuple(part.astype(features.dtype) for part in wide_results)


def _check_sparse(features: Any, labels: Any) -> None:
    _check_shapes(features, labels)
    classes = features.shape[1]
    if labels.size and (labels.min() < 0 or labels.max() >= classes):
        wrong = labels.min() if labels.min() < 0 else labels.max()
        invalid(
            f"Received a label value of {int(wrong)} which is outside the valid range of "
            f"[0, {classes}).  Label values: {' '.join(str(int(label)) for label in labels)}"
        )


def _check_shapes(features: Any, labels: Any) -> None:
    if features.ndim != 2:
        invalid(f"logits must be 2-D, but got shape {shape_text(features.shape)}")
    if labels.ndim != 1:
        invalid(f"labels must be 1-D, but got shape {shape_text(labels.shape)}")
    if len(features) != len(labels):
        invalid(
            "logits and labels must have the same first dimension, got logits shape "
            f"{shape_text(features.shape)} and labels shape {shape_text(labels.shape)}"
        )
    if not features.shape[1]:
        invalid(f"Must have at least one class, but got logits shape {shape_text(features.shape)}")


@sparse_softmax_cross_entropy_op.infer
def _(op):
    features = with_rank(op.inputs[0]._dims, 2)
    (labels,) = with_rank(op.inputs[1]._dims, 1)
    batch = merge_dim(features[0], labels)
    return [(batch,), (batch, features[1])]


@sparse_softmax_cross_entropy_op.gradient
def _(op, grad_loss, _grad_backprop):
    backprop = ops.prevent_gradient(
        op.outputs[1],
        message="Currently there is no way to take the second derivative of "
        "sparse_softmax_cross_entropy_with_logits due to the fused implementation's interaction "
        "with tf.gradients()",
    )
    return _times_rows(grad_loss, backprop), None


def check_named(name: str, sentinel: Any, labels: Any, logits: Any) -> None:
    """Raises ValueError for positional labels and logits, because their order has changed between releases."""
    if sentinel is not None:
        raise ValueError(f"Only call `{name}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def _flatten_outer(logits: Tensor) -> Tensor:
    """Flattens all axes but the last."""
    rank = ops.rank(logits)
    last = ops.slice(ops.shape(logits), [ops.subtract(rank, 1)], [1])
    matrix = ops.reshape(logits, ops.concat([[-1], last], 0))
    dims = logits._dims
    outer = [] if dims is None else [size for size in dims[:-1] if size is not None]
    if dims is not None and len(outer) == len(dims[:-1]):
        matrix.set_shape([math.prod(outer), list(dims)[-1]])
    return matrix


def _axis_last(tensor: Tensor, axis: Any, rank: Tensor) -> Tensor:
    order = ops.concat([ops.range(axis), ops.range(axis + 1, rank), [axis]], 0)
    return ops.transpose(tensor, order)


@public
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def softmax_cross_entropy_with_logits_v2(
    labels: TensorLike,
    logits: TensorLike,
    axis: int | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """Computes the cross entropy between labels and the softmax of logits along an axis.

    Gradients flow to both labels and logits; apply `tf.stop_gradient` to labels that are not learned.

    Args:
      labels: [..., classes], probabilities that sum to 1 along the axis.
      logits: an unscaled float tensor of the same shape.
      axis: the class axis; last by default.
      dim: the old name of `axis`.

    Returns:
      A tensor of the dtype and shape of `logits` without the class axis, one loss per example.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        axis = -1
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as name:
        logits = ops.convert_to_tensor(logits, name="logits")
        labels = ops.convert_to_tensor(labels, name="labels")
        short = logits.dtype in (dtypes.float16, dtypes.bfloat16)
        precise = ops.cast(logits, dtypes.float32) if short else logits
        labels = ops.cast(labels, precise.dtype)
        rank = ops.rank(precise)
        shape = logits.shape
        if axis != -1:
            precise = _axis_last(precise, axis, rank)
            labels = _axis_last(labels, axis, rank)
        input_shape = ops.shape(precise)
        precise = _flatten_outer(precise)
        labels = _flatten_outer(labels)
        cost, _ = raw.SoftmaxCrossEntropyWithLogits(precise, labels, name=name)
        cost = ops.reshape(cost, ops.slice(input_shape, [0], [ops.subtract(rank, 1)]))
        if shape.dims is not None:
            sizes = shape.as_list()
            del sizes[axis]
            cost.set_shape(sizes)
        return ops.cast(cost, logits.dtype) if short else cost


@public
@deprecated(
    None,
    "\nFuture major versions of TensorFlow will allow gradients to flow\n"
    "into the labels input on backprop by default.\n\n"
    "See `tf.nn.softmax_cross_entropy_with_logits_v2`.\n",
)
def softmax_cross_entropy_with_logits(
    _sentinel: None = None,
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    dim: int = -1,
    name: str | None = None,
    axis: TensorLike | None = None,
) -> Tensor:
    """Same as `softmax_cross_entropy_with_logits_v2`, without a gradient for the labels.

    Args:
      _sentinel: unused; prevents positional arguments.
      labels: [..., classes], probabilities that sum to 1.
      logits: a float tensor of the same shape.
      dim: the class axis; last by default.
      axis: the new name of `dim`.

    Returns:
      A tensor of the shape of `logits` without the class axis, one loss per example.

    Raises:
      ValueError: if labels and logits are not both passed by name.
    """
    dim = deprecated_argument_lookup("axis", axis, "dim", dim)
    check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as name:
        labels = ops.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=dim, name=name)


@public
def sparse_softmax_cross_entropy_with_logits(
    _sentinel: None = None,
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes the cross entropy between the softmax of logits and one true class per example.

    Args:
      _sentinel: unused; prevents positional arguments.
      labels: int32 or int64 class indices [...].
      logits: [..., classes], a float tensor.

    Returns:
      A tensor of the shape of `labels` and the dtype of `logits`, one loss per example.

    Raises:
      ValueError: if labels and logits are not both passed by name, or their shapes do not match.
    """
    check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels = ops.convert_to_tensor(labels)
        logits = ops.convert_to_tensor(logits)
        short = logits.dtype == dtypes.float16
        precise = ops.cast(logits, dtypes.float32) if short else logits
        labels_shape = ops.shape(labels)
        is_checked = _check_static(labels.shape, logits.shape)
        if logits.shape.ndims == 2:
            cost, _ = raw.SparseSoftmaxCrossEntropyWithLogits(precise, labels, name=name)
            return ops.cast(cost, dtypes.float16) if short else cost
        static_shape = labels.shape
        checks = []
        if not is_checked:
            checks.append(ops.assert_equal(ops.shape(labels), ops.shape(logits)[:-1]))
        with control_dependencies(checks):
            classes = ops.shape(logits)[ops.rank(logits) - 1]
            precise = ops.reshape(precise, [-1, classes])
            labels = ops.reshape(labels, [-1])
            cost, _ = raw.SparseSoftmaxCrossEntropyWithLogits(precise, labels, name=name)
            cost = ops.reshape(cost, labels_shape)
            cost.set_shape(static_shape)
            return ops.cast(cost, dtypes.float16) if short else cost


def _check_static(labels: Any, logits: Any) -> bool:
    """Raises an error for mismatched static shapes; returns True if no run-time check is needed."""
    is_checked = labels.is_fully_defined() and logits[:-1].is_fully_defined()
    if logits.ndims == 0:
        raise ValueError(f"Logits cannot be scalars - received shape {logits}.")
    if None not in (logits.ndims, labels.ndims) and labels.ndims != logits.ndims - 1:
        raise ValueError(
            f"Rank mismatch: Rank of labels (received {labels.ndims}) should equal rank of logits "
            f"minus 1 (received {logits.ndims})."
        )
    if is_checked and labels != logits[:-1]:
        raise ValueError(
            f"Shape mismatch: The shape of labels (received {labels}) should equal the shape of "
            f"logits except for the last dimension (received {logits})."
        )
    return is_checked
