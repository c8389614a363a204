"""Windows along an axis: element positions, parts, and clipping."""

import numpy as np
import pytest

from tests.devices.numpy.windows.loops import axis_of
from tfmini._src.devices.numpy.windows.axes import Axis

AXES = [axis_of(np.random.default_rng(seed)) for seed in range(25)]


def elements(axis):
    """Element positions in the input by window, including those outside."""
    return [
        [n * axis.stride + k * axis.dilation - axis.before for k in range(axis.kernel)]
        for n in range(axis.count)
    ]


@pytest.mark.parametrize("axis", AXES, ids=str)
def test_window_elements(axis):
    assert axis.padded_size == axis.before + axis.size + axis.after
    assert range(axis.padded_size)[axis.input_slice] == range(axis.before, axis.before + axis.size)
    assert axis.is_unpadded == (axis.before == 0 == axis.after)
    rows = elements(axis)
    for offset in range(axis.kernel):
        of_padded = list(range(axis.padded_size)[axis.positions(offset)])
        assert of_padded == [row[offset] + axis.before for row in rows]
        windows, inside = axis.overlap(offset)
        pairs = list(zip(range(axis.count)[windows], range(axis.size)[inside], strict=True))
        assert pairs == [
            (n, row[offset]) for n, row in enumerate(rows) if 0 <= row[offset] < axis.size
        ]


@pytest.mark.parametrize("axis", AXES, ids=str)
def test_window_ranges(axis):
    for start in range(axis.count):
        for stop in range(start + 1, axis.count + 1):
            reached, part = axis.part(slice(start, stop))
            assert part.count == stop - start and part.size == reached.stop - reached.start
            assert (part.kernel, part.stride, part.dilation) == (
                *(axis.kernel, axis.stride, axis.dilation),
            )
            expected = [
                [at for at in row if 0 <= at < axis.size] for row in elements(axis)[start:stop]
            ]
            actual = [
                [at + reached.start for at in row if 0 <= at < part.size] for row in elements(part)
            ]
            assert actual == expected
            last = (part.count - 1) * part.stride + (part.kernel - 1) * part.dilation
            assert part.padded_size >= last + 1


@pytest.mark.parametrize(
    "axis, expected",
    [
        (Axis(5, 3, 2, 1, 1, 1, 3), Axis(5, 3, 2, 1, 1, 1, 3)),
        (Axis(2, 5, 1, 1, 2, 2, 2), Axis(2, 3, 1, 1, 1, 1, 2)),
        (Axis(1, 4, 1, 1, 0, 3, 1), Axis(1, 1, 1, 1, 0, 0, 1)),
        (Axis(2, 9, 3, 1, 4, 3, 1), Axis(2, 2, 3, 1, 0, 0, 1)),
        (Axis(2, 3, 1, 1, 0, 0, 0), Axis(2, 1, 1, 1, 0, 0, 0)),
    ],
)
def test_oversized_windows_are_clipped(axis, expected):
    clipped = axis.clip()
    assert clipped == expected

    def inside(axis):
        return [[at for at in row if 0 <= at < axis.size] for row in elements(axis)]

    assert inside(clipped) == inside(axis)


@pytest.mark.parametrize(
    "axis, expected",
    [
        (Axis(5, 3, 1, 1, 0, 0, 3), Axis(3, 3, 1, 1, 2, 2, 5)),
        (Axis(5, 3, 1, 1, 1, 1, 5), Axis(5, 3, 1, 1, 1, 1, 5)),
        (Axis(6, 3, 1, 2, 1, 4, 7), Axis(7, 3, 1, 2, 3, 0, 6)),
        (Axis(5, 3, 2, 1, 0, 0, 2), None),
        (Axis(5, 2, 1, 1, 2, 0, 6), None),
        (Axis(5, 2, 1, 1, 0, 2, 6), None),
    ],
)
def test_transposed_windows(axis, expected):
    assert axis.transpose() == expected
