"""Selected boxes compared with NumPy: ties, empty boxes, NaN, infinities, zero sizes, limits."""

import numpy as np
import pytest

from tfmini._src.devices.host.native import non_max_suppression as native
from tfmini._src.devices.numpy import non_max_suppression


def boxes_of(rng, count):
    corners = rng.random((count, 2))
    boxes = np.concatenate([corners, corners + rng.random((count, 2)) * 0.3], 1).astype("f")
    boxes[rng.random(count) < 0.3] = rng.integers(0, 3, 4)
    flat = rng.random(count) < 0.1
    boxes[flat, 2] = boxes[flat, 0]
    turned = rng.random(count) < 0.3
    boxes[turned] = boxes[turned][:, [2, 3, 0, 1]]
    boxes[rng.random(count) < 0.02] = rng.choice([np.nan, np.inf, -np.inf, 3e38])
    return boxes


def cases():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        count = int(rng.choice([0, 1, 2, 3, 17, 64, 65, 200]))
        scores = rng.choice([rng.random(count), rng.integers(0, 4, count) / 4]).astype("f")
        scores[rng.random(count) < 0.05] = rng.choice([np.nan, np.inf, -np.inf])
        threshold = np.float32(rng.choice([0, 0.3, 0.5, 1]))
        yield boxes_of(rng, count), scores, int(rng.choice([-1, 0, 1, 9, 400])), threshold


@np.errstate(all="ignore")
def test_selected_boxes_match_numpy(build, use_build):
    found = []
    for name in (build, "0"):
        use_build(name)
        results = []
        for boxes, scores, most, threshold in cases():
            similarity = non_max_suppression.box_overlap(boxes)
            inputs = similarity, scores, most, threshold, np.float32(0.1)
            kept, of_kept = non_max_suppression.suppress_boxes(*inputs, np.float32(0))
            np.testing.assert_array_equal(of_kept, scores[kept])
            results.append((kept, non_max_suppression.suppress_above(*inputs)))
        found.append(results)
    assert found[0] == found[1]
    assert sum(len(kept) for kept, _ in found[0]) > 200


def test_selection_overflow(build, monkeypatch):
    monkeypatch.setattr(native, "_MAX_REPETITIONS", 4)
    corners = non_max_suppression.box_overlap(np.zeros((1, 4), "f")).corners
    one, score = np.zeros(1, int), np.ones(1, "f")
    assert native.select_boxes(corners, one, score, 4, 0.5) == [0] * 4
    assert native.select_boxes(corners, one, score, 5, 0.5) is None
    assert native.select_boxes(corners, one[:0], score[:0], 5, 0.5) == []


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_unsupported_inputs_fall_back_to_numpy(build, use_build, dtype):
    boxes, one, score = np.ones((1, 4), "f"), np.zeros(1, int), np.ones(1, "f")
    corners = non_max_suppression.box_overlap(boxes).corners
    assert native.select_boxes(None, one, score, 1, 0.5) is None
    assert native.select_boxes(corners.astype(dtype), one, score, 1, 0.5) is None
    assert native.suppress_by_overlap(corners.astype(dtype), one, 1, 0.5) is None
    use_build("0")
    assert native.select_boxes(corners, one, score, 1, 0.5) is None
    assert native.suppress_by_overlap(corners, one, 1, 0.5) is None
