"""Static shapes of call results, inferred from the arguments as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf


def _symbolic(w, x, y):
    x = tf.transpose(x, [1, 0, 2])
    parts = tf.shape(y)[0] // tf.shape(x)[0]
    return tf.reshape(y * w, [parts, tf.shape(x)[0], -1])


def _stacked(a):
    values = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        values = values.write(i, a)
    return values.stack()


_ANY = tf.TensorSpec(None, tf.float32)
_MATRIX = tf.TensorSpec([None, None], tf.float32)


@pytest.mark.parametrize(
    ("function", "signature", "inputs", "shape"),
    [
        (lambda a: tf.reshape(a, [-1, 3]), [_ANY], [[10, 10, 3]], [100, 3]),
        (_symbolic, [_ANY] * 3, [[2], [5, 4, 2], [20, 2]], [5, 4, 2]),
        (_symbolic, [_ANY] * 3, [[3], [5, 4, 3], [40, 3]], [10, 4, 3]),
        (tf.nn.relu, [_MATRIX], [[2, 3]], [2, 3]),
        (tf.function(tf.nn.relu, [_MATRIX]), [_MATRIX], [[2, 3]], [2, 3]),
        (_stacked, [_MATRIX], [[2, 3]], [None, None, None]),
    ],
)
def test_result_shapes_follow_arguments(function, signature, inputs, shape):
    concrete = tf.function(function, input_signature=signature)
    for _ in range(2):
        assert concrete(*map(tf.ones, inputs)).shape.as_list() == shape


def test_variable_shapes_are_known():
    with tf.variable_scope("", use_resource=True):
        v = tf.get_variable("v", [3, 5])
    product = tf.function(lambda a: tf.matmul(a, v), input_signature=[_MATRIX])
    assert product(tf.ones([2, 3])).shape == [2, 5]


def test_incompatible_shapes_are_refused():
    product = tf.function(lambda a: tf.matmul(a, tf.ones([3, 2])), input_signature=[_ANY])
    assert product(tf.ones([4, 3])).shape == [4, 2]
    with pytest.raises(ValueError, match="imensions must be equal, but are 5 and 3"):
        product(tf.ones([4, 5]))
