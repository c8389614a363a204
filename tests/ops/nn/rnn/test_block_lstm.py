"""BlockLSTM: cases beyond the samples."""

import re

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import cells
from tfmini._src.graph.opdef import raw


def run(build):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(build())


def test_second_version_shares_gradient():
    """As in TensorFlow, although the gate order differs."""

    def build():
        inputs = [tf.constant(value) for value in cells.SEQUENCE]
        outputs = raw.BlockLSTMV2(*inputs)
        result = tf.gradients(outputs.h, inputs[1:3])
        assert {gradient.op.type for gradient in result} == {"BlockLSTMGrad"}
        zeros, ones = tf.zeros_like(outputs.cs), tf.ones_like(outputs.h)
        grads = raw.BlockLSTMGrad(*inputs, *outputs, zeros, ones, use_peephole=False)
        return result, grads[:2]

    actual, expected = run(build)
    for left, right in zip(actual, expected):
        np.testing.assert_allclose(left, right, rtol=1e-6)


def test_steps_past_the_end_are_zero_without_gradient():
    def build():
        inputs = [tf.constant(value) for value in cells.SEQUENCE]
        outputs = raw.BlockLSTM(*inputs)
        return outputs, tf.gradients(outputs.h, inputs[1])[0]

    outputs, gradient = run(build)
    assert all(np.all(output[:3] != 0) and np.all(output[3:] == 0) for output in outputs)
    assert np.all(gradient[:3] != 0) and np.all(gradient[3:] == 0)


@pytest.mark.parametrize("steps", [-1, 6])
def test_step_count_out_of_range(steps):
    """TensorFlow crashes."""
    inputs = [np.int64(steps), *cells.SEQUENCE[1:]]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"the number of steps of x \(5\), but"
    ):
        run(lambda: raw.BlockLSTM(*inputs))


WRONG = {
    "b": [((1,), "b.dim_size(0) != cell_size * 4: 1 vs. 8"), ((1, 8), "b must be 1D")],
    "w": [
        ((6, 7), "w.dim_size(1) != cell_size * 4: 7 vs. 8"),
        ((5, 8), "w.dim_size(0) != input_size + cell_size: 5 vs. 6"),
    ],
    "cs_prev": [((3, 2), "cs_prev.dims(0) != batch_size: 3 vs. 2")],
    "h_prev": [((2, 3), "h_prev.dims(1) != cell_size: 3 vs. 2")],
    "wci": [((3,), "wci.dim_size(0) != cell_size: 3 vs. 2")],
    "wco": [((1,), "wco.dim_size(0) != cell_size: 1 vs. 2")],
}


@pytest.mark.parametrize(
    "name, shape, text", [(name, *case) for name, cases in WRONG.items() for case in cases]
)
def test_invalid_sizes(name, shape, text):
    """With TensorFlow 1.15.5's texts; numpy would broadcast a single number."""
    shapes = {"x": (3, 2, 4), "cs_prev": (2, 2), "h_prev": (2, 2), "w": (6, 8), "b": (8,)}
    shapes |= {"wci": (2,), "wcf": (2,), "wco": (2,), name: shape}

    def build():
        inputs = {n: tf.placeholder_with_default(np.zeros(s, "f"), None) for n, s in shapes.items()}
        return raw.BlockLSTM(tf.constant(2, tf.int64), **inputs, use_peephole=True).h

    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(text)):
        run(build)
