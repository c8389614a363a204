"""Overlapping slices, found among few and many."""

import random

import numpy as np
import pytest

from tfmini._src.formats.overlaps import overlapping


def counted(shape, boxes):
    """The number of boxes that contain each element, by brute force."""
    counts = np.zeros(shape, int)
    for box in boxes:
        counts[tuple(slice(a, b) for a, b in box)] += 1
    return counts


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_random_boxes_match_brute_force(axes):
    chosen = random.Random(axes)
    seen = set()
    for _ in range(600):
        shape = [chosen.randint(1, 7) for _ in range(axes)]
        boxes = []
        for _ in range(chosen.randint(1, 5)):
            ends = [sorted(chosen.choices(range(n + 1), k=2)) for n in shape]
            boxes.append([(a, b) for a, b in ends])
        expected = counted(shape, boxes).max() > 1
        result = overlapping(boxes)
        assert (result is not None) == expected
        if result is not None:
            assert counted(shape, [boxes[i] for i in result]).max() == 2
            assert result[0] < result[1]
        seen.add(expected)
    assert seen == {False, True}


def test_boxes_without_separating_plane():
    """Four around a fifth: every cut through the square cuts one of them."""
    around = [[(0, 2), (0, 1)], [(0, 1), (1, 3)], [(1, 3), (2, 3)], [(2, 3), (0, 2)]]
    assert overlapping(around) is None
    assert overlapping([*around, [(1, 2), (1, 2)]]) is None
    assert overlapping([*around, [(1, 3), (1, 2)]]) == (3, 4)


def test_scalars_and_empty_boxes():
    assert overlapping([]) is None and overlapping([[]]) is None
    assert overlapping([[], []]) == (0, 1)
    assert overlapping([[(1, 1)], [(0, 3)], [(2, 2)]]) is None


@pytest.mark.parametrize("last", [None, (777, 778)])
def test_large_grid(last):
    """A grid of 100,000 boxes, too large for pairwise checks."""
    side = 320
    boxes = [[(i, i + 1), (j, j + 1)] for i in range(side) for j in range(side)]
    random.Random(0).shuffle(boxes)
    if last is not None:
        boxes.append(boxes[last[0]])
    assert overlapping(boxes) == (None if last is None else (last[0], side * side))
