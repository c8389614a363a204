"""Argument errors of sample statistics and rare distributions."""

import pytest

import tfmini as tf
from tests.support.sessions import run

c = tf.contrib.distributions


def test_invalid_arguments():
    c = tf.contrib.distributions
    normal = c.Normal([0.0, 1.0], 1.0)
    with pytest.raises(ValueError, match=r"reinterpreted_batch_ndims\(2\) cannot exceed"):
        c.Independent(normal, 2)
    with pytest.raises(ValueError, match="must be scalar; distribution.is_scalar_batch=False"):
        c.SinhArcsinh(0.0, 1.0, distribution=normal)
    with pytest.raises(TypeError, match="dtype mismatch"):
        c.SinhArcsinh(tf.constant(0.0, tf.float64), 1.0, distribution=c.Normal(0.0, 1.0))
    with pytest.raises(ValueError, match="must be at least 1"):
        c.Autoregressive(lambda x=None: normal, num_steps=0)
    with pytest.raises(ValueError, match="does not correspond to a triangular matrix"):
        c.fill_triangular([1.0, 2.0])
    with pytest.raises(ValueError, match="at least one of"):
        c.tridiag()
    with pytest.raises(ValueError, match="dim 1 not in the interval"):
        c.percentile([1.0, 2.0], 50.0, axis=1)
    with pytest.raises(ValueError, match="Argument 'interpolation' must be in"):
        c.percentile([1.0, 2.0], 50.0, interpolation="linear")
    with pytest.raises(ValueError, match="Event shapes do not match"):
        c.kl_divergence(c.Independent(normal, 1), c.Independent(c.Normal(tf.zeros([3]), 1.0), 1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Mode undefined for concentration1"):
        run(c.Kumaraswamy(1.0, 2.0, allow_nan_stats=False).mode())
    with pytest.raises(NotImplementedError, match="inverse_fn is not a callable"):
        c.bijectors.Inline(forward_min_event_ndims=0).inverse(1.0)
