"""Public non-maximum suppression functions: `tf.image.non_max_suppression` and its variants."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

_LOWEST = float("-inf")


def _named_tensor(value: Any, name: str) -> Tensor:
    return ops.convert_to_tensor(value, name=name)


@public
def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _LOWEST,
    name: str | None = None,
) -> Tensor:
    """Selects the boxes with the best scores, dropping boxes that overlap a better one.

    Args:
      boxes: [boxes, 4] float16 or float32: two opposite corners y1, x1, y2, x2 of each box.
      scores: [boxes] of the same dtype.
      max_output_size: the maximum number of boxes to select, a scalar int32.
      iou_threshold: a scalar from 0 to 1; drops boxes whose intersection over union with a better box reaches it.
      score_threshold: a scalar; drops boxes whose score does not exceed it.

    Returns:
      [selected] int32: indices of the selected boxes, highest score first.

    Raises:
      InvalidArgumentError (when run): if the threshold is outside [0, 1], or the numbers of scores and boxes differ.
    """
    with name_scope(name, "non_max_suppression"):
        iou_threshold = _named_tensor(iou_threshold, "iou_threshold")
        score_threshold = _named_tensor(score_threshold, "score_threshold")
        return raw.NonMaxSuppressionV3(
            boxes, scores, max_output_size, iou_threshold, score_threshold
        )


@public
def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _LOWEST,
    soft_nms_sigma: TensorLike = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Same as `tf.image.non_max_suppression`, but also returns the scores.

    Args:
      soft_nms_sigma: a scalar; if positive, each overlap with a better box scales the score of a box by
        exp(-overlap^2 / (2 sigma)) (Bodla et al., Soft-NMS, 2017).

    Returns:
      ([selected] int32 box indices, [selected] scores).
    """
    with name_scope(name, "non_max_suppression_with_scores"):
        iou_threshold = _named_tensor(iou_threshold, "iou_threshold")
        score_threshold = _named_tensor(score_threshold, "score_threshold")
        sigma = _named_tensor(soft_nms_sigma, "soft_nms_sigma")
        indices, selected, _ = raw.NonMaxSuppressionV5(
            boxes,
            scores,
            max_output_size,
            iou_threshold,
            score_threshold,
            sigma,
            pad_to_max_output_size=False,
        )
        return indices, selected


@public
def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _LOWEST,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> Any:
    """Same as `tf.image.non_max_suppression`, but also returns the number of selected boxes.

    Args:
      pad_to_max_output_size: whether to pad the result with zeros to `max_output_size`.

    Returns:
      A named tuple: `selected_indices`, int32, and `valid_outputs`, a scalar int32.
    """
    with name_scope(name, "non_max_suppression_padded"):
        iou_threshold = _named_tensor(iou_threshold, "iou_threshold")
        score_threshold = _named_tensor(score_threshold, "score_threshold")
        return raw.NonMaxSuppressionV4(
            boxes,
            scores,
            max_output_size,
            iou_threshold,
            score_threshold,
            pad_to_max_output_size=pad_to_max_output_size,
        )


@public
def non_max_suppression_overlaps(
    overlaps: TensorLike,
    scores: TensorLike,
    max_output_size: TensorLike,
    overlap_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _LOWEST,
    name: str | None = None,
) -> Tensor:
    """`tf.image.non_max_suppression` for a precomputed matrix of overlaps.

    Args:
      overlaps: [boxes, boxes] float32.
      scores: [boxes] float32.
      overlap_threshold: a scalar; suppresses boxes whose overlap with a better box reaches it.

    Returns:
      [selected] int32: indices of the selected boxes, highest score first.
    """
    with name_scope(name, "non_max_suppression_overlaps"):
        overlap_threshold = _named_tensor(overlap_threshold, "overlap_threshold")
        return raw.NonMaxSuppressionWithOverlaps(
            overlaps, scores, max_output_size, overlap_threshold, score_threshold
        )


@public
def combined_non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size_per_class: TensorLike,
    max_total_size: TensorLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = _LOWEST,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Selects the best boxes of each class in an image, then the best boxes of all classes.

    Args:
      boxes: [batch, boxes, q, 4] float32; q is 1, or the number of classes if each class has separate boxes.
      scores: [batch, boxes, classes] float32.
      max_output_size_per_class, max_total_size: the maximum numbers of boxes to select, scalar int32.
      iou_threshold: a scalar from 0 to 1; suppresses boxes whose overlap with a better box exceeds it.
      score_threshold: a scalar; drops boxes whose score does not exceed it.
      pad_per_class: whether to limit the results to `max_output_size_per_class` times the number of classes.
      clip_boxes: whether to clip the resulting boxes to [0, 1].

    Returns:
      A named tuple: `nmsed_boxes` [batch, selected, 4], `nmsed_scores` and `nmsed_classes` [batch, selected], float32
      with zero padding, and `valid_detections` [batch] int32, the number of selected boxes.
    """
    with name_scope(name, "combined_non_max_suppression"):
        single = dtypes.float32
        iou_threshold = ops.convert_to_tensor(iou_threshold, dtype=single, name="iou_threshold")
        score_threshold = ops.convert_to_tensor(
            score_threshold, dtype=single, name="score_threshold"
        )
        return raw.CombinedNonMaxSuppression(
            boxes,
            scores,
            max_output_size_per_class,
            max_total_size,
            iou_threshold,
            score_threshold,
            pad_per_class=pad_per_class,
            clip_boxes=clip_boxes,
        )
