"""Feature crosses compared with NumPy."""

import numpy as np

from tfmini._src.devices.host.native import sparse_cross as native
from tfmini._src.ops.sparse import sparse_cross


def test_crosses_match_numpy(build, use_build):
    results, attrs = [], {"hashed_output": True, "hash_key": -5}
    for name in (build, "0"):
        use_build(name)
        rng = np.random.default_rng(0)
        for count, columns, buckets in ((1, 1, 0), (5, 2, 100), (40, 3, 2**40), (0, 1, 7)):
            shapes = [np.array([count, 9])] * columns
            mask = [np.argwhere(rng.random((count, 9)) < 0.4) for _ in shapes]
            words = np.array([b"a", b"bc", b""], object)[rng.integers(0, 3, len(mask[0]))]
            values = [words, *(rng.integers(-9, 9, len(each)) for each in mask[1:])]
            if columns == 2:
                mask[1] = mask[1][::-1].copy()
            inputs = tuple(mask), tuple(values), tuple(shapes), (rng.integers(0, 9, (count, 2)),)
            results.append(
                sparse_cross.sparse_cross_op.kernel(np, *inputs, num_buckets=buckets, **attrs)
            )
    for actual, expected in zip(results[:4], results[4:]):
        for one, other in zip(actual, expected):
            np.testing.assert_array_equal(one, other)
            assert (one.dtype, one.shape) == (other.dtype, other.shape)


def test_out_of_range_row_starts_fall_back_to_numpy(build):
    features = [np.arange(3, dtype=np.uint64)] * 2
    for wrong in ([0, 2, 1, 3], [-1, 1, 2, 3], [0, 1, 2, 4]):
        assert (
            native.cross_features(features, [np.array([0, 1, 2, 3]), np.array(wrong)], 1, 5) is None
        )
    assert native.cross_features(features * 9, [np.array([0, 1, 2, 3])] * 18, 1, 5) is None
