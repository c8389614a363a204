"""Filters transposed to cuDNN's layouts and back, many per launch."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tfmini._src.devices.cuda.cudnn.filters import to_cudnn_filters, to_tensorflow_order

SHAPES = [(3, 3, 5, 40), (1, 1, 70, 33), (1, 1, 1, 1), (7, 7, 3, 64), (2, 3, 2, 33, 5)]


def drawn(shape, dtype):
    return xp.asarray(np.random.RandomState(sum(shape)).randn(*shape).astype(dtype))


@pytest.mark.parametrize("dtype", ["e", "f", "d"])
@pytest.mark.parametrize("first", [False, True])
def test_layout_round_trips(order, dtype, first):
    filters = [drawn(shape, dtype) for shape in SHAPES]
    result = to_cudnn_filters(xp, filters, [first] * len(filters))
    for value, original in zip(result, filters):
        axes = [-1, -2, *range(original.ndim - 2)] if first else [-1, *range(original.ndim - 1)]
        assert value.transpose(axes).flags.c_contiguous
        np.testing.assert_array_equal(value, original)
        assert not np.shares_memory(value, original)
    for value, original in zip(to_tensorflow_order(xp, result), filters):
        assert value.flags.c_contiguous
        np.testing.assert_array_equal(value, original)


def test_layout_is_chosen_per_filter():
    filters = [drawn(shape, "f") for shape in SHAPES]
    orders = [i % 2 == 0 for i in range(len(filters))]
    for value, original in zip(to_cudnn_filters(xp, filters, orders), filters):
        np.testing.assert_array_equal(value, original)


def test_any_filter_count():
    filters = [xp.asarray(np.arange(n, 12 + n).reshape(1, 2, 2, 3), "f") for n in range(150)]
    for value, original in zip(to_cudnn_filters(xp, filters, [False] * 150), filters):
        np.testing.assert_array_equal(value, original)
    assert to_cudnn_filters(xp, [], []) == to_tensorflow_order(xp, []) == []


def test_views_are_copied_and_ordered_arrays_kept():
    whole, other = drawn((2, 3, 4, 5), "f"), drawn((3, 2, 4, 5), "f").transpose(1, 0, 2, 3)
    same, copied = to_tensorflow_order(xp, [whole, other])
    assert same is whole
    assert copied.flags.c_contiguous
    np.testing.assert_array_equal(copied, other)
