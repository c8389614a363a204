"""Sparse times dense matrices compared with sums of rows: duplicates, out of range, NaN, infinities, zero sizes,
threads.
"""

import numpy as np
import pytest

from tfmini._src.devices.host.native import sparse_matmul


@np.errstate(all="ignore")
@pytest.mark.parametrize("threads", [1, 3])
def test_products_match_numpy(build, monkeypatch, threads):
    monkeypatch.setattr(sparse_matmul, "thread_count", lambda: threads)
    monkeypatch.setattr(sparse_matmul, "_MIN_PARALLEL_PRODUCTS", 1)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        dtype = rng.choice([np.float32, np.float64])
        count, height, inner = (int(rng.choice(n)) for n in ([0, 1, 9, 200], [1, 7, 40], [1, 5]))
        width = int(rng.choice([1, 15, 16, 17, 33, 64, 131]))
        indices = np.stack([rng.integers(0, height, count), rng.integers(0, inner, count)], 1)
        values = rng.standard_normal(count).astype(dtype)
        dense = rng.standard_normal((inner, width)).astype(dtype)
        dense[rng.random(dense.shape) < 0.03] = rng.choice([np.nan, np.inf, -0.0])
        expected = np.zeros((height, width), dtype)
        for (row, column), value in zip(indices, values):
            expected[row] += dense[column] * value
        for turned in (False, True):
            inputs = np.ascontiguousarray(indices[:, ::-1]) if turned else indices
            actual = sparse_matmul.sparse_times(inputs, values, dense, height, turned)
            np.testing.assert_array_equal(actual, expected)


def test_unsupported_inputs_fall_back_to_numpy(build, use_build):
    positions, values, dense = np.array([[0, 1], [2, 0]]), np.ones(2, "f"), np.ones((2, 4), "f")
    times = sparse_matmul.sparse_times
    assert times(positions, values, dense, 3, False).sum() == 8
    for row, column in ((3, 0), (-1, 0), (0, 2), (0, -1)):
        outside = np.array([[0, 1], [row, column]])
        assert times(outside, values, dense, 3, False) is None
    assert times(positions.astype("i"), values, dense, 3, False) is None
    assert times(positions[::-1], values, dense, 3, False) is None
    assert times(positions, values.astype("d"), dense, 3, False) is None
    assert times(positions, values, dense[:, ::2], 3, False) is None
    assert times(positions, values, dense[:, :0], 3, False) is None
    use_build("0")
    assert times(positions, values, dense, 3, False) is None
