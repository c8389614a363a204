"""Special functions where scipy and TensorFlow differ: outside the domain, at poles, in half precision."""

import math

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.sessions import run
from tfmini._src.devices.host.native.library import library

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    "function, arguments, expected",
    [
        (tf.igamma, ([0, 1, -1, 1, INF], [1, 0, 1, -1, 1]), [NAN, 0, NAN, NAN, NAN]),
        (tf.igammac, ([0, 1, -1, 1], [1, 0, 1, -1]), [NAN, 1, NAN, NAN]),
        (tf.zeta, ([1, 2, 0.5, 3], [1, 1, 1, -1]), [INF, 1.644934, NAN, INF]),
        (tf.polygamma, ([0, 1, 2, -1, 1.5], [1, 1, 1, 1, 1]), [-0.5772157, 1.644934, -2.404114, NAN, NAN]),
        (tf.betainc, ([1, 0], [1, 1], [0.5, 0.3]), [0.5, NAN]),
        (tf.digamma, ([-2, 0, INF],), [INF, INF, INF]),
        (tf.lgamma, ([-2, 0, -INF],), [INF, INF, INF]),
    ],
)  # fmt: skip
def test_values_outside_the_domain(function, arguments, expected):
    actual = run(function(*(np.array(a, np.float32) for a in arguments)))
    np.testing.assert_allclose(actual, np.array(expected, np.float32), rtol=1e-5)


def test_half_precision_is_preserved():
    assert run(tf.erf(np.array([0.5], np.float16))).dtype == np.float16


def test_igamma_derivative_by_order():
    a, x = np.meshgrid(np.array([0.1, 0.7, 1, 3.5, 20]), np.array([0.05, 0.5, 2, 10, 40]))
    step = 1e-4
    up, down = scipy.special.gammainc(a + step, x), scipy.special.gammainc(a - step, x)
    actual = run(tf.raw_ops.IgammaGradA(a=a, x=x))
    np.testing.assert_allclose(actual, (up - down) / (2 * step), rtol=1e-6, atol=1e-9)


def test_erf_matches_c_library():
    """Within 2 ulp with the native library, even for few numbers; scipy's error is 2.2 ulp."""
    x = np.linspace(-6, 6, 400)
    expected = np.array([math.erf(value) for value in x.tolist()])
    ulps = 2.0 if library() is not None else 3.0
    for few in (slice(0, 400), slice(0, 400, 50)):
        actual = run(tf.erf(x[few]))
        assert (np.abs(actual - expected[few]) <= ulps * np.spacing(np.abs(expected[few]))).all()
    assert abs(run(tf.erf(np.float64(0.3))) - math.erf(0.3)) < 1e-15
