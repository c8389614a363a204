"""Truncated normals: distribution and errors."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles import laws
from tfmini._src.devices.numpy import parameterized_truncated_normal
from tfmini._src.devices.numpy.philox import seeded_stream
from tfmini._src.graph.opdef import raw
from tfmini.compat.python.ops import random_ops

BOUNDS = [(-2, 2), (-3, -1.5), (0.5, 0.75), (1, 3), (4, np.inf), (-np.inf, -3), (-0.4, 0.4)]


@pytest.mark.parametrize(("low", "high"), BOUNDS)
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_distribution(low, high, dtype):
    mean, deviation = 10, 2
    low, high = mean + low * deviation, mean + high * deviation
    parameters = [tf.constant(p, dtype) for p in (mean, deviation, low, high)]
    with tf.Session() as session:
        drawn = session.run(raw.ParameterizedTruncatedNormal([4000], *parameters, seed=1, seed2=2))
    assert drawn.dtype == dtype.as_numpy_dtype
    assert ((drawn >= low) & (drawn <= high)).all()
    first, last = scipy.special.ndtr((np.array([low, high]) - mean) / deviation)

    def cdf(x):
        return (scipy.special.ndtr((x - mean) / deviation) - first) / (last - first)

    assert laws.kolmogorov(drawn.astype("d"), cdf) > 1e-3


def test_rows_share_one_stream():
    """A row consumes entire blocks, drawn at once or in parts."""
    kind = np.dtype("f")
    one = [np.float32(value) for value in (0, 1, -2, 2)]
    stream = seeded_stream(5, 6)
    first, rest = parameterized_truncated_normal.bounded_normals(stream, [9, 7], [one, one], kind)[
        [0, 9]
    ]
    assert first == parameterized_truncated_normal.bounded_normals(stream, [1], [one], kind)[0]
    assert rest != parameterized_truncated_normal.bounded_normals(stream, [10], [one], kind)[9]


def test_impossible_bounds_are_refused():
    nothing = [np.float32(value) for value in (np.nan, 1, -1, 1)]
    with pytest.raises(
        parameterized_truncated_normal.TooManyRejectionsError, match="exponential distribution"
    ):
        parameterized_truncated_normal.bounded_normals(
            seeded_stream(1, 2), [3], [nothing], np.dtype("f")
        )


def test_random_ops_function():
    """TensorFlow 1.15.5's numbers for the same seeds."""
    tf.set_random_seed(3)
    drawn = random_ops.parameterized_truncated_normal(
        [5], means=10.0, stddevs=2.0, minvals=9.0, maxvals=[12.0], seed=7
    )
    assert drawn.op.name == "parameterized_truncated_normal/ParameterizedTruncatedNormal"
    expected = [11.190064430, 10.429121017, 9.522570610, 11.048201561, 11.214776993]
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(drawn), expected, rtol=1e-7)
