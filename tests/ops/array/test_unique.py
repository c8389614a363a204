"""unique and searchsorted: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint16, object])
@pytest.mark.parametrize("spread", [3, 200, 10**6])
def test_unique_keeps_first_occurrence_order(dtype, spread):
    info = np.iinfo(np.int64 if dtype is object else dtype)
    low = max(info.min, -spread // 2)
    values = np.random.RandomState(0).randint(low, min(info.max, low + spread), 400)
    values = values.astype("S").astype(object) if dtype is object else values.astype(dtype)
    seen = {}
    positions = [seen.setdefault(v, len(seen)) for v in values.tolist()]
    with tf.Session() as session:
        y, idx, count = session.run(tf.unique_with_counts(values))
    assert y.dtype == dtype
    assert y.tolist() == list(seen)
    assert idx.tolist() == positions
    assert count.tolist() == [positions.count(location) for location in range(len(seen))]


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_of_many_values(side):
    rng = np.random.RandomState(0)
    line, wanted = np.sort(rng.randint(0, 9000, 40_000)), rng.randint(-5, 9005, 40_000)
    with tf.Session() as session:
        result = session.run(tf.searchsorted(line, wanted, side))
    before = np.less if side == "left" else np.less_equal
    chosen = rng.randint(0, 40_000, 200)
    expected = [np.count_nonzero(before(line, value)) for value in wanted[chosen]]
    np.testing.assert_array_equal(result[chosen], expected)
