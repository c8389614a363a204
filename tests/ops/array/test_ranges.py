"""Ranges, one-hot codes, masks: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf

TINY, ENDLESS = 1e-40, float("inf")


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize(
    "start, limit, delta, problem",
    [
        (
            0.0,
            ENDLESS,
            1.0,
            "Requires fewer than 2**63 steps of delta from start to limit: 0/inf/1",
        ),
        (0.0, 1e30, 1.0, "Requires fewer than 2**63 steps of delta from start to limit: 0/1e+30/1"),
        (0.0, float("nan"), 1.0, "Requires start <= limit when delta > 0: 0/nan"),
        (0.0, 1.0, float("nan"), "Requires start >= limit when delta < 0: 0/1"),
        (0.0, 1.0, TINY, "Requires fewer than 2**63 steps of delta from start to limit: 0/1/"),
    ],
)
def test_endless_range_is_refused(dtype, start, limit, delta, problem):
    """TensorFlow crashes for the first two; for the others, its error class and text."""
    with pytest.raises(ValueError) as caught:
        tf.range(*(tf.constant(v, dtype) for v in (start, limit, delta)))
    assert str(caught.value).startswith(problem)
    fed = tf.placeholder(dtype, [])
    counted = tf.range(tf.constant(start, dtype), fed, tf.constant(delta, dtype))
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(counted, {fed: limit})
    # During a step, subnormal numbers are 0 if the processor supports flushing, as in TensorFlow.
    flushed = "Requires delta != 0: 0" if delta == TINY else problem
    assert caught.value.message.startswith((problem, flushed))


def test_oversized_range_is_resource_exhausted():
    limit = tf.placeholder(tf.int64, [])
    counted = tf.range(limit)
    with tf.Session() as session:
        for size in (2**62, 2**63 - 1):
            with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
                session.run(counted, {limit: size})
            assert f"OOM when allocating tensor with shape[{size}] and type int64" in str(
                caught.value
            )
