"""BlockLSTM: what the samples cannot say."""

import numpy as np
import pytest

import tfmini as tf
from tests.samples import cells
from tfmini._src.graph.opdef import raw


def run(build):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build())


def test_the_second_version_has_the_gradient_of_the_first():
    """As in TensorFlow, although the gates stand in another order."""

    def build():
        inputs = [tf.constant(value) for value in cells.SEQUENCE]
        outputs = raw.BlockLSTMV2(*inputs)
        found = tf.gradients(outputs.h, inputs[1:3])
        assert {gradient.op.type for gradient in found} == {"BlockLSTMGrad"}
        zeros, ones = tf.zeros_like(outputs.cs), tf.ones_like(outputs.h)
        grads = raw.BlockLSTMGrad(*inputs, *outputs, zeros, ones, use_peephole=False)
        return found, grads[:2]

    got, want = run(build)
    for left, right in zip(got, want):
        np.testing.assert_allclose(left, right, rtol=1e-6)


def test_steps_after_the_last_are_zeros_and_get_no_gradient():
    def build():
        inputs = [tf.constant(value) for value in cells.SEQUENCE]
        outputs = raw.BlockLSTM(*inputs)
        return outputs, tf.gradients(outputs.h, inputs[1])[0]

    outputs, slope = run(build)
    assert all(np.all(output[:3] != 0) and np.all(output[3:] == 0) for output in outputs)
    assert np.all(slope[:3] != 0) and np.all(slope[3:] == 0)


@pytest.mark.parametrize("steps", [-1, 6])
def test_steps_outside_of_the_sequence_are_refused(steps):
    """TensorFlow ends the process."""
    inputs = [np.int64(steps), *cells.SEQUENCE[1:]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be between 0 and the 5 steps"):
        run(lambda: raw.BlockLSTM(*inputs))


def test_there_is_no_second_gradient():
    with tf.Graph().as_default():
        inputs = [tf.constant(value) for value in cells.SEQUENCE]
        (first,) = tf.gradients(raw.BlockLSTM(*inputs).h, inputs[1])
        with pytest.raises(LookupError, match="No gradient defined for operation"):
            tf.gradients(first, inputs[1])
