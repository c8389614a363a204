"""Concatenation compared with NumPy, bit for bit."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tfmini._src.devices.cuda.concat import join, stack


def drawn(seed, shape, dtype):
    return xp.asarray(np.random.RandomState(seed).randint(0, 99, shape).astype(dtype))


@pytest.mark.parametrize("dtype", ["bool", "float16", "float32", "complex128"])
@pytest.mark.parametrize("count", [1, 2, 9, 64, 65, 130])
def test_concatenation(dtype, count):
    """Up to 64 arrays per launch."""
    for axis in (0, 1, -1):
        shapes = [[2, 3, 2] for _ in range(count)]
        for i, shape in enumerate(shapes):
            shape[axis] = i % 4
        arrays = [drawn(n, shape, dtype) for n, shape in enumerate(shapes)]
        result = join(xp, arrays, axis)
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, np.concatenate(arrays, axis))


def test_noncontiguous_arrays(order):
    arrays = [drawn(n, (4, 6), "f")[:, ::2] for n in range(10)]
    np.testing.assert_array_equal(join(xp, arrays, 0), np.concatenate(arrays, 0))
    np.testing.assert_array_equal(stack(xp, arrays, 1), np.stack(arrays, 1))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0)])
def test_stack(shape):
    arrays = [drawn(n, shape, "f") for n in range(11)]
    for axis in range(len(shape) + 1):
        np.testing.assert_array_equal(stack(xp, arrays, axis), np.stack(arrays, axis))


@pytest.mark.parametrize("shapes, axis", [([(2, 3), (3, 3)], 1), ([(2,), (2, 1)], 0), ([(2,)], 1)])
def test_mismatched_shapes_are_rejected(shapes, axis):
    with pytest.raises(ValueError, match="axis"):
        join(xp, [drawn(0, shape, "f") for shape in shapes], axis)
