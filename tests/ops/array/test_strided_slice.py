"""strided_slice: TensorFlow's errors for invalid calls."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.slice(t.cube, [4, 0, 0], [-1, 1, 1]),
        ValueError,
        (
            "Negative dimension size caused by subtracting 4 from 3 for 'Slice' (op: "
            "'Slice') with input shapes: [3,4,5], [3], [3] and with input tensors computed "
            "as partial shapes: input[1] = [4,0,0],input[2] = [?,1,1]."
        ),
    ),
    (
        lambda t: tf.slice(t.cube, 0, 1),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'Slice' (op: 'Slice') with input "
            "shapes: [3,4,5], [], []."
        ),
    ),
    (
        lambda t: tf.slice(t.cube, [0.5, 0, 0], [1, 1, 1]),
        TypeError,
        (
            "Value passed to parameter 'begin' has DataType float32 not in list of allowed "
            "values: int32, int64"
        ),
    ),
    (
        lambda t: tf.strided_slice(t.cube, 0, 3, 2),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'StridedSlice' (op: 'StridedSlice') "
            "with input shapes: [3,4,5], [], [], []."
        ),
    ),
    (
        lambda t: tf.strided_slice(t.cube, tf.constant([1]), tf.constant([2], tf.int64), [1]),
        TypeError,
        (
            "Input 'end' of 'StridedSlice' Op has type int64 that does not match type "
            "int32 of argument 'begin'."
        ),
    ),
    (
        lambda t: tf.strided_slice(t.cube, [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], ellipsis_mask=2),
        ValueError,
        (
            "Index out of range using input dim 3; input has only 3 dims for "
            "'StridedSlice' (op: 'StridedSlice') with input shapes: [3,4,5], [5], [5], [5] "
            "and with computed input tensors: input[3] = <1 1 1 1 1>."
        ),
    ),
]

FAILING = [
    (
        lambda t: tf.slice(t.q, t.k, t.k),
        {"k": 1},
        (
            "Expected begin and size arguments to be 1-D tensors of size 2, but got shapes "
            "[] and [] instead."
        ),
    ),
    (
        lambda t: tf.strided_slice(t.q, t.k, t.k, t.k),
        {"k": 1},
        (
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            "[], [], and [] instead."
        ),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)


def test_fed_bounds_are_reread_each_run():
    """A node caches only constant bounds."""
    begin = np.array([0, 1], np.int32)
    x = tf.constant([[1, 2, 3], [4, 5, 6]])
    fed = tf.placeholder(tf.int32, [2])
    part = tf.strided_slice(x, fed, [2, 3], shrink_axis_mask=1)
    with tf.Session() as session:
        for first in (0, 1, 0):
            begin[0] = first
            expected = x.eval(session=session)[first, 1:]
            np.testing.assert_array_equal(session.run(part, {fed: begin}), expected)


def test_slice_gradients_of_varying_shapes_in_one_plan():
    x = tf.placeholder(tf.float32, [None, None])
    (grad,) = tf.gradients(x[1:, ::2] * 2.0, x)
    with tf.Session() as session:
        for rows in (3, 2, 3):
            expected = np.zeros([rows, 4], "f")
            expected[1:, ::2] = 2
            np.testing.assert_array_equal(session.run(grad, {x: np.ones([rows, 4])}), expected)
