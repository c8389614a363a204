"""Adasum against its formula: common components of vectors count once."""

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod import test_mpi_reductions, test_reductions
from tfmini._src.distribute.horovod.adasum import adasum_of_two


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ([2.0, 0.0], [0.0, 3.0], [2.0, 3.0]),  # orthogonal: the sum
        ([2.0, 4.0], [2.0, 4.0], [2.0, 4.0]),  # equal: the mean
        ([1.0, 0.0], [3.0, 0.0], [2.0, 0.0]),  # (1 - 3/2) 1 + (1 - 3/18) 3
        ([1.0, 1.0], [1.0, 0.0], [1.25, 0.75]),  # (1 - 1/4) of the first, (1 - 1/2) of the second
        ([-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]),
        ([0.0, 0.0], [5.0, 6.0], [5.0, 6.0]),
    ],
)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_adasum_of_two_vectors(first, second, expected, dtype):
    actual = adasum_of_two(np.array(first, dtype), np.array(second, dtype))
    assert actual.dtype == dtype
    np.testing.assert_allclose(actual, expected, rtol=1e-3 if dtype == np.float16 else 1e-6)


def by_formula(a, b):
    common = (a * b).sum() / 2
    return (1 - common / (a * a).sum()) * a + (1 - common / (b * b).sum()) * b


@pytest.mark.parametrize(
    "in_ranks", [test_reductions.in_ranks, test_mpi_reductions.in_ranks], ids=["grpc", "mpi"]
)
@pytest.mark.parametrize("shape", [(20, 3), (400, 100)])
def test_adasum_of_four_ranks(in_ranks, shape):
    random = np.random.RandomState(0)
    inputs = [random.randn(*shape).astype(np.float32) for _ in range(4)]
    expected = by_formula(by_formula(*inputs[:2]), by_formula(*inputs[2:]))

    def work(comm):
        return [comm.adasum("a", inputs[comm.rank]) for _ in range(2)]

    results = in_ranks(4, work)
    for first, second in results:
        np.testing.assert_allclose(first, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(first, results[0][0])
        np.testing.assert_array_equal(first, second)


def test_mismatched_vectors_are_rejected():
    def work(comm):
        return comm.adasum("a", np.ones(3 + comm.rank, np.float32))

    for error in test_reductions.in_ranks(2, work):
        assert isinstance(error, tf.errors.InvalidArgumentError)
        assert "float32(3,)" in error.message and "float32(4,)" in error.message
