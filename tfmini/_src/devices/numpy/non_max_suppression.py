"""Non-maximum suppression, which keeps the boxes with the best scores among overlapping boxes.

Equal scores are ordered as by a heap of the GNU C++ library, since programs can observe which of two equal boxes is
kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import non_max_suppression as native
from tfmini._src.devices.numpy.introsort import descending_order


@dataclass(frozen=True)
class Similarity:
    """The pairwise overlap of boxes, from 0 to 1.

    overlap: (candidates, chosen boxes) -> their overlap; both are arrays of indices, or one is a single index.
    corners: [5, boxes], their smaller y and x, larger y and x, and areas, if they define the overlap.
    """

    overlap: Callable[[Any, Any], np.ndarray]
    corners: np.ndarray | None = None


class _Heap:
    """Candidates (score, box, number of selected boxes already compared), best first."""

    def __init__(self, scores: list[float], boxes: list[int]) -> None:
        self.items: list[tuple[float, int, int]] = []
        for score, box in zip(scores, boxes):
            self.push((score, box, 0))

    def push(self, item: tuple[float, int, int]) -> None:
        self.items.append(item)
        self._sift_up(len(self.items) - 1, item)

    def _sift_up(self, child: int, item: tuple[float, int, int]) -> None:
        items = self.items
        while child > 0:
            parent = (child - 1) // 2
            if not items[parent][0] < item[0]:
                break
            items[child] = items[parent]
            child = parent
        items[child] = item

    def pop(self) -> tuple[float, int, int]:
        items = self.items
        last = items.pop()
        if not items:
            return last
        best, size, parent, child = items[0], len(items), 0, 0
        while child < (size - 1) // 2:
            child = 2 * (child + 1)
            if items[child][0] < items[child - 1][0]:
                child -= 1
            items[parent] = items[child]
            parent = child
        if size % 2 == 0 and child == (size - 2) // 2:
            child = 2 * child + 1
            items[parent] = items[child]
            parent = child
        self._sift_up(parent, last)
        return best


def suppress_boxes(
    similarity: Similarity,
    scores: np.ndarray,
    max_count: int,
    threshold: Any,
    score_threshold: Any,
    sigma: Any,
) -> tuple[list[int], np.ndarray]:
    """Returns the indices of the selected boxes, best first, and their scores.

    As in TensorFlow, a selected box is also compared with itself: a box without area, which does not overlap itself by
    the threshold, is selected repeatedly.

    Args:
      similarity: the overlap of boxes.
      scores: one per box; boxes that do not exceed `score_threshold` are ignored.
      max_count: maximum number of selected boxes; negative for no limit.
      threshold: overlap with a better box from which a box is suppressed.
      sigma: if positive, each better box scales scores by exp(-overlap^2 / (2 sigma)): Bodla et al., Soft-NMS (2017).
    """
    candidates = np.flatnonzero(scores > score_threshold)
    if not sigma > 0:
        limit = max_count if max_count >= 0 else len(scores)
        selected = native.select_boxes(
            similarity.corners, candidates, scores[candidates], limit, threshold
        )
        if selected is not None:
            return selected, scores[selected]
    if sigma > 0 or not _is_plain(similarity, scores[candidates], candidates, threshold):
        return _soft_suppression(
            similarity, scores, candidates, max_count, threshold, score_threshold, sigma
        )
    order = candidates[np.argsort(-scores[candidates], kind="stable")]
    selected_boxes = _select_boxes(similarity, order, max_count, threshold, np.greater_equal)
    return selected_boxes, scores[selected_boxes]


def suppress_above(
    similarity: Similarity,
    scores: np.ndarray,
    max_count: int,
    threshold: float,
    score_threshold: float,
) -> list[int]:
    """Returns the indices of the selected boxes, best first; boxes that overlap a better one by the threshold are kept.

    Equal scores are in the order of the sort in GNU's C++ library.
    """
    boxes = np.flatnonzero(scores > score_threshold)
    order = boxes[descending_order(scores[boxes])]
    limit = max_count if max_count >= 0 else len(order)
    selected = native.suppress_by_overlap(similarity.corners, order, limit, threshold)
    if selected is not None:
        return selected
    return _select_boxes(similarity, order, max_count, threshold, np.greater)


def _is_plain(
    similarity: Similarity, scores: np.ndarray, boxes: np.ndarray, threshold: float
) -> bool:
    """Whether all scores differ, and each box overlaps itself by at least the threshold."""
    if len(np.unique(scores)) < len(scores):
        return False
    return bool((similarity.overlap(boxes, boxes) >= threshold).all())


def _select_boxes(
    similarity: Similarity,
    boxes: np.ndarray,
    max_count: int,
    threshold: float,
    exceeds: Callable[..., Array],
) -> list[int]:
    """Returns the boxes, best first, that do not overlap a better box."""
    selected: list[int] = []
    if max_count == 0:
        return selected
    is_alive = np.zeros(int(boxes.max(initial=-1)) + 1, bool)
    is_alive[boxes] = True
    for box in boxes.tolist():
        if not is_alive[box]:
            continue
        selected.append(box)
        if len(selected) == max_count:
            break
        is_alive[box] = False
        remaining = np.flatnonzero(is_alive)
        is_alive[remaining[exceeds(similarity.overlap(remaining, box), threshold)]] = False
    return selected


def _soft_suppression(
    similarity: Similarity,
    scores: np.ndarray,
    boxes: np.ndarray,
    max_count: int,
    threshold: Any,
    score_threshold: Any,
    sigma: Any,
) -> tuple[list[int], np.ndarray]:
    scalar_type = scores.dtype.type
    scale = scalar_type(-0.5) / scalar_type(sigma) if sigma > 0 else scalar_type(0)
    heap = _Heap(list(scores[boxes]), boxes.tolist())
    selected: list[int] = []
    kept_scores: list[float] = []
    # Without a limit, boxes without area would be chosen forever; in TensorFlow, until memory is exhausted.
    limit = max_count if max_count >= 0 else len(scores)
    while heap.items and len(selected) < limit:
        previous_score, box, compared = heap.pop()
        score, is_suppressed = previous_score, False
        overlaps = similarity.overlap(box, np.array(selected[compared:], np.intp))[::-1]
        for overlap in overlaps:
            is_suppressed = bool(overlap >= threshold)
            if sigma > 0:
                score = score * np.exp(scale * overlap * overlap)
            if is_suppressed or score <= score_threshold:
                break
        if is_suppressed:
            continue
        compared = len(selected)
        if score == previous_score:
            selected.append(box)
            kept_scores.append(score)
        if score > score_threshold:
            heap.push((score, box, compared))
    return selected, np.array(kept_scores, scores.dtype)


def box_overlap(boxes: np.ndarray) -> Similarity:
    """Returns the intersection over union of boxes [y1, x1, y2, x2], corners in any order; 0 for boxes without area."""
    y1, x1 = np.minimum(boxes[:, 0], boxes[:, 2]), np.minimum(boxes[:, 1], boxes[:, 3])
    y2, x2 = np.maximum(boxes[:, 0], boxes[:, 2]), np.maximum(boxes[:, 1], boxes[:, 3])
    areas = (y2 - y1) * (x2 - x1)
    corners = np.stack([y1, x1, y2, x2, areas])

    def similarity(box: Any, candidates: Any) -> np.ndarray:
        height = np.minimum(y2[candidates], y2[box]) - np.maximum(y1[candidates], y1[box])
        width = np.minimum(x2[candidates], x2[box]) - np.maximum(x1[candidates], x1[box])
        zero = boxes.dtype.type(0)
        common = np.maximum(height, zero) * np.maximum(width, zero)
        union = areas[candidates] + areas[box] - common
        is_empty = (areas[candidates] <= 0) | (areas[box] <= 0)
        return np.where(is_empty, zero, common / np.where(is_empty, boxes.dtype.type(1), union))

    return Similarity(similarity, corners)
