"""The expressions of a plan's lines: sums of scalars."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.codegen import call_expressions


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int8", "int64"])
@pytest.mark.parametrize("most", [0, 256])
def test_scalars_are_added_in_their_order(monkeypatch, dtype, most):
    monkeypatch.setattr(call_expressions, "_MOST_TERMS", most)
    x = tf.placeholder(dtype, [])
    for count in (1, 2, 5, 300):
        total = tf.add_n([x * tf.constant(i % 100, dtype) for i in range(count)])
        with tf.Session() as session:
            found = session.run(total, {x: 3})
        wanted = np.zeros((), total.dtype.as_numpy_dtype)[()]
        with np.errstate(over="ignore"):
            for i in range(count):
                wanted = wanted + wanted.dtype.type(3) * wanted.dtype.type(i % 100)
        assert found == wanted and found.dtype == wanted.dtype, count


def test_what_is_no_number_stays_so():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        for a, b in ((np.inf, -np.inf), (np.nan, 1), (np.inf, 1), (3e38, 3e38)):
            with np.errstate(all="ignore"):
                wanted = np.float32(a) + np.float32(b) + np.float32(a)
            np.testing.assert_equal(session.run(tf.add_n([x, y, x]), {x: a, y: b}), wanted)


def test_lists_of_tensors_are_no_numbers():
    x = tf.constant([[1.0, 2.0]])
    first, second = (
        tf.raw_ops.TensorListFromTensor(tensor=x * n, element_shape=[2]) for n in (1.0, 2.0)
    )
    total = tf.raw_ops.TensorListStack(
        input_handle=tf.raw_ops.AddN(inputs=[first, second]),
        element_shape=[2],
        element_dtype=tf.float32,
    )
    with tf.Session() as session:
        assert session.run(total).tolist() == [[3.0, 6.0]]
