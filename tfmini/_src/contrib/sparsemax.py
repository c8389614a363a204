"""`tf.contrib.sparsemax`: sparse probabilities (Martins and Astudillo, 2016), and their loss."""

from typing import Any as _Any

from tfmini._src.base import dtypes as _dtypes
from tfmini._src.graph.scopes import name_scope as _name_scope
from tfmini._src.graph.tensor import Tensor as _Tensor
from tfmini._src.ops import ops as _ops


def sparsemax(logits: _Any, name: str | None = None) -> _Tensor:
    """Projects each row onto the probability simplex, which yields sparse probabilities.

        tf.contrib.sparsemax.sparsemax([[2.0, 1.5, 0.1]])    # [[0.75, 0.25, 0]]

    Args:
      logits: [batch, classes] tensor of half, float32 or float64.

    Returns:
      A Tensor like `logits`, with rows that sum to 1; rows with NaN or
      +infinity, or only -infinity, become NaN.
    """
    with _name_scope(name, "sparsemax", [logits]):
        logits = _ops.convert_to_tensor(logits, name="logits")
        rows = _ops.shape(logits)[0]
        classes = _ops.shape(logits)[1]
        ordered, _ = _ops.top_k(logits, k=classes)
        sums = _ops.cumsum(ordered, axis=1)
        last = _ops.cast(classes, logits.dtype) + 1
        ranks = _ops.range(1, last, dtype=logits.dtype)
        is_in_support = 1 + ranks * ordered > sums
        size = _ops.reduce_sum(_ops.cast(is_in_support, _dtypes.int32), axis=1)
        safe_size = _ops.maximum(size, 1)
        positions = _ops.stack([_ops.range(0, rows), safe_size - 1], axis=1)
        threshold = (_ops.gather_nd(sums, positions) - 1) / _ops.cast(size, logits.dtype)
        zero = _ops.cast(0, logits.dtype)
        result = _ops.maximum(zero, logits - threshold[:, None])
        without = _ops.equal(size, 0)
        is_invalid = _ops.logical_or(without, _ops.is_nan(sums[:, -1]))
        nan = _ops.fill([rows, classes], _ops.cast(float("nan"), logits.dtype))
        return _ops.where(is_invalid, nan, result)


def sparsemax_loss(logits: _Any, sparsemax: _Any, labels: _Any, name: str | None = None) -> _Tensor:
    """Returns the sparsemax loss of each row, with gradient `sparsemax - labels`, analogous to softmax cross entropy.

    Args:
      logits: [batch, classes] tensor of half, float32 or float64.
      sparsemax: `sparsemax(logits)`.
      labels: [batch, classes] probabilities of the same dtype.

    Returns:
      [batch] Tensor.
    """
    with _name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits = _ops.convert_to_tensor(logits, name="logits")
        sparsemax = _ops.convert_to_tensor(sparsemax, name="sparsemax")
        labels = _ops.convert_to_tensor(labels, name="labels")
        positive = sparsemax > 0
        counts = _ops.logical_or(positive, _ops.is_nan(sparsemax))
        part = sparsemax * (logits - 0.5 * sparsemax)
        support_terms = _ops.where(counts, part, _ops.zeros_like(sparsemax))
        label_terms = labels * (0.5 * labels - logits)
        unused = _ops.equal(labels, 0)
        unused = _ops.logical_and(unused, _ops.is_inf(logits))
        label_terms = _ops.where(unused, _ops.zeros_like(logits), label_terms)
        return _ops.reduce_sum(support_terms + label_terms, axis=1)
