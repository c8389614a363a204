"""Materialized transposed arrays, compared with NumPy's."""

import itertools

import numpy as np
import pytest

from tests.kernels.device import xp
from tfmini._src.devices.cuda.launch import as_contiguous


@pytest.mark.parametrize("dtype", ["u1", "e", "f", "d", "D"])
@pytest.mark.parametrize("shape", [(2, 33, 9, 20), (1, 40, 70), (3, 8, 8, 8)])
def test_all_axis_orders(order, shape, dtype):
    """Partial tiles, batches, single and narrow axes, and element widths without a kernel."""
    array = xp.asarray((np.random.RandomState(0).rand(*shape) * 200).astype(dtype))
    for axes in itertools.permutations(range(len(shape))):
        result = as_contiguous(xp, array.transpose(axes))
        assert result.flags.c_contiguous
        np.testing.assert_array_equal(result, array.transpose(axes))


def test_other_views(order):
    array = xp.asarray(np.arange(32 * 24).reshape(32, 24), "f")
    for view in (array[:, :12].T, array.T[::2], array[::-1].T, np.broadcast_to(array, (9, 32, 24))):
        np.testing.assert_array_equal(as_contiguous(xp, view), view)
