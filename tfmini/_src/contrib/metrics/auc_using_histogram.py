"""Area under the ROC curve from score histograms; its accuracy depends on the bin width.

R. Bouckaert, "Efficient AUC learning curve calculation", AI 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.framework.with_shape import remove_squeezable_dimensions
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


def auc_using_histogram(
    boolean_labels: Tensor,
    scores: TensorLike,
    score_range: Any,
    nbins: int = 100,
    collections: Sequence[str] | None = None,
    check_shape: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Any]:
    """Computes the area under the ROC curve over all batches so far.

    Args:
      boolean_labels: [n] bool tensor: true for positives.
      scores: [n] numeric tensor, larger where a true label is more likely.
      score_range: [2] tensor of the scores' dtype, minimum and maximum; values outside are clipped.
      nbins: number of bins.
      collections: keys of collections for the histograms, by default LOCAL_VARIABLES.
      check_shape: whether to check ranks at run time.
      name: variable scope name.

    Returns:
      The area, a float32 scalar, and the op that adds a batch.

    Raises:
      ValueError: for labels that are not bools.
      InvalidArgumentError (at run time): for tensors of any other rank.

    Example: `area, update = tf.contrib.metrics.auc_using_histogram(is_spam, scores, [0.0, 1.0])`
    """
    if collections is None:
        collections = [GraphKeys.LOCAL_VARIABLES]
    with variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = remove_squeezable_dimensions(scores, boolean_labels)
        score_range = ops.convert_to_tensor(score_range, name="score_range")
        labels, scores = _check_inputs(boolean_labels, scores, check_shape)
        true_counts, false_counts = _histograms(labels, scores, score_range, nbins)
        with variable_scope(None, "hist_accumulate", [true_counts, false_counts]):
            sums = [
                get_variable(
                    f"hist_{which}_acc",
                    shape=[nbins],
                    dtype=true_counts.dtype,
                    initializer=Zeros(),
                    collections=collections,
                    trainable=False,
                )
                for which in ("true", "false")
            ]
            update_ops = [sums[0].assign_add(true_counts), sums[1].assign_add(false_counts)]
            update = ops.group(*update_ops, name="update_op")
        return _area(sums[0], sums[1], nbins), update


def _check_inputs(labels: Any, scores: Any, check_shape: bool) -> tuple[Tensor, Tensor]:
    with name_scope(None, "_check_labels_and_scores", [labels, scores]):
        labels = ops.convert_to_tensor(labels, name="boolean_labels")
        scores = ops.convert_to_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool:
            raise ValueError(
                "Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype
            )
        if not check_shape:
            return labels, scores
        checks = []
        for name, tensor in (("boolean_labels", labels), ("scores", scores)):
            text = f"Argument {name} should have rank 1.  Found: "
            is_vector = ops.equal(1, ops.rank(tensor))
            checks.append(ops.Assert(is_vector, [text, tensor.name, ops.shape(tensor)]))
        with control_dependencies(checks):
            return labels, scores


def _histograms(labels: Tensor, scores: Tensor, score_range: Tensor, nbins: int) -> list[Tensor]:
    """Returns the score histograms of the positives and negatives in a batch."""
    with variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
        histograms = []
        for which in ("true", "false"):
            mask = labels if which == "true" else ops.logical_not(labels)
            selected_scores = ops.boolean_mask(scores, mask)
            histograms.append(
                ops.histogram_fixed_width(
                    selected_scores,
                    score_range,
                    nbins=nbins,
                    dtype=dtypes.int64,
                    name=f"hist_{which}",
                )
            )
        return histograms


def _area(true_counts: Any, false_counts: Any, nbins: int) -> Tensor:
    """Returns the area by the trapezoidal rule, from highest to lowest scores."""
    share_true = ops.truediv(true_counts, ops.reduce_sum(true_counts))
    share_false = ops.truediv(false_counts, ops.reduce_sum(false_counts))
    rise = ops.reverse(share_true, [0], name="delta_y_t")
    step = ops.reverse(share_false, [0], name="delta_x_t")
    rise, step = ops.cast(rise, dtypes.float32), ops.cast(step, dtypes.float32)
    height = _cumulative_sum(rise, nbins)
    first = step[0] * height[0] / 2.0
    areas = step[1:] * (height[1:] + height[: nbins - 1]) / 2.0
    return ops.add(first, ops.reduce_sum(areas), name="auc")


def _cumulative_sum(vector: Tensor, size: int) -> Tensor:
    """Returns the cumulative sums, by a convolution with ones."""
    with name_scope(None, "strict_1d_cumsum", [vector]):
        if size == 0:
            return ops.constant([])
        padded = ops.pad(vector, [[size - 1, 0]])
        ones = ops.ones_like(padded)
        with name_scope(None, "strict_conv1d", [padded, ones]):
            image = ops.reshape(padded, (1, -1, 1, 1))
            kernel = ops.reshape(ones, (-1, 1, 1, 1))
            convolved = ops.conv2d(image, kernel, [1, 1, 1, 1], "SAME")
            summed = ops.reshape(convolved, [-1])
        return summed[:size]
