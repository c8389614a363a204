"""Arrays copied to their buffers, and results to their targets, bit for bit."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tfmini._src.devices.cuda.staging import Stage, deliver

SHAPES = [(), (1,), (3,), (5, 7), (33, 65), (0, 4)]
DTYPES = ["bool", "int8", "float16", "float32", "complex128"]


def drawn(seed):
    shape, dtype = SHAPES[seed % len(SHAPES)], DTYPES[seed % len(DTYPES)]
    return xp.asarray(np.random.RandomState(seed).randint(0, 99, shape).astype(dtype))


@pytest.mark.parametrize("inputs, results", [(1, 0), (0, 1), (3, 5), (32, 33), (70, 2)])
def test_inputs_are_staged_and_results_delivered(inputs, results):
    """Twice, with the same buffers and different addresses."""
    buffers = [xp.empty_like(drawn(n)) for n in range(inputs)]
    arguments = [drawn(n + 7) for n in range(results)]
    indices = xp.asarray(np.zeros(max(1, results), np.int64))
    stage = Stage(xp, buffers, results, indices)
    for offset in (0, len(SHAPES) * len(DTYPES)):
        arrays = [drawn(n + offset) for n in range(inputs)]
        targets = [xp.empty_like(array) for array in arguments]
        stage.run(arrays, targets)
        for array, buffer in zip(arrays, buffers):
            np.testing.assert_array_equal(array, buffer)
        deliver(xp, arguments, indices)
        for array, target in zip(arguments, targets):
            np.testing.assert_array_equal(array, target)


@pytest.mark.parametrize("shift", [1, 2, 4, 8])
def test_unaligned_addresses(shift):
    base = xp.asarray(np.arange(200, dtype=np.uint8))
    target = xp.asarray(np.zeros(200, np.uint8))
    Stage(xp, [target[shift : shift + 101]], 0, None).run([base[shift + 16 : shift + 117]], [])
    want = np.zeros(200, np.uint8)
    want[shift : shift + 101] = base[shift + 16 : shift + 117]
    np.testing.assert_array_equal(target, want)
