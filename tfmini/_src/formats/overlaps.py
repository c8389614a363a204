"""Detection of overlapping tensor slices: each element may be in only one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfmini._src.base.errors import InternalError
from tfmini._src.formats.ordered_code import Extent
from tfmini._src.formats.slice_specs import slice_text

# A half-open interval of an axis: (start, end).
Span = tuple[int, int]


def check_no_overlap(
    slices: Sequence[Sequence[Extent]], boxes: Sequence[Sequence[Span]], owner: str
) -> None:
    """Raises InternalError if two of these slices, located at `boxes`, overlap; `owner` describes the tensor."""
    pair = overlapping(boxes)
    if pair is not None:
        existing, new = (slice_text(slices[i]) for i in pair)
        text = f"Overlapping slices: existing slice = {existing}, new slice = {new}\n{owner}"
        raise InternalError(None, None, text)


def overlapping(boxes: Sequence[Sequence[Span]]) -> tuple[int, int] | None:
    """Returns the indices of two boxes that share an element; None if all are disjoint."""
    if len(boxes) < 2:
        return None
    if not boxes[0]:  # scalars
        return 0, 1
    spans = np.array(boxes, np.int64)  # [boxes, axes, 2]
    axes = spans.shape[1]
    waiting = [(np.flatnonzero((spans[:, :, 0] < spans[:, :, 1]).all(1)), 0, 0)]
    while waiting:
        indices, axis, failed = waiting.pop()
        if failed == axes:  # no axis separates them
            pair = _overlapping_pair(spans, indices)
            if pair is not None:
                return pair
            continue
        groups = _disjoint_groups(spans, indices, axis)
        failed = failed + 1 if len(groups) == 1 else 0
        waiting += [(group, (axis + 1) % axes, failed) for group in groups if len(group) > 1]
    return None


def _disjoint_groups(spans: np.ndarray, indices: np.ndarray, axis: int) -> list[np.ndarray]:
    """Splits the boxes into groups that are disjoint along an axis."""
    indices = indices[np.argsort(spans[indices, axis, 0], kind="stable")]
    ends = np.maximum.accumulate(spans[indices, axis, 1])
    return np.split(indices, np.flatnonzero(spans[indices[1:], axis, 0] >= ends[:-1]) + 1)


def _overlapping_pair(spans: np.ndarray, indices: np.ndarray) -> tuple[int, int] | None:
    """Returns two overlapping boxes, or None; compares each box with those starting before it ends on the best axis."""
    distinct = [len(np.unique(spans[indices, axis, 0])) for axis in range(spans.shape[1])]
    axis = int(np.argmax(distinct))
    indices = indices[np.argsort(spans[indices, axis, 0], kind="stable")]
    firsts, ends = spans[indices, :, 0], spans[indices, :, 1]
    reach = np.searchsorted(firsts[:, axis], ends[:, axis])
    for i, limit in enumerate(reach.tolist()):
        candidates = slice(i + 1, limit)
        common = ((firsts[candidates] < ends[i]) & (firsts[i] < ends[candidates])).all(1)
        if common.any():
            first_index, other = sorted(
                (int(indices[i]), int(indices[i + 1 + int(common.argmax())]))
            )
            return first_index, other
    return None
