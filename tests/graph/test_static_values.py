"""get_static_value: statically known values, whose tensors can no longer be fed."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.functions.control_flow_v2 import with_control_flow_v2
from tfmini._src.graph.static_values import static_shape
from tfmini._src.session.eager.enable import eager_mode
from tfmini.compat.python.ops import random_ops


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.constant([1, 2]), [1, 2]),
        (lambda: tf.shape(tf.placeholder(tf.float32, [2, 3])), [2, 3]),
        (lambda: tf.shape(tf.placeholder(tf.float32, [2, None])), None),
        (lambda: tf.size(tf.placeholder(tf.float32, [2, 3])), 6),
        (lambda: tf.rank(tf.placeholder(tf.float32, [2, None])), 2),
        (lambda: tf.rank(tf.placeholder(tf.float32)), None),
        (lambda: tf.range(1, 7, 2), [1, 3, 5]),
        (lambda: tf.cast(tf.constant([1.7]), tf.int32), [1]),
        (lambda: tf.concat([tf.constant([1]), tf.constant([2])], 0), [1, 2]),
        (lambda: tf.stack([tf.constant(1), tf.size(tf.ones([4]))]), [1, 4]),
        (lambda: tf.stack([tf.constant(1), tf.placeholder(tf.int32, [])]), None),
        (lambda: tf.fill([2], 7), [7, 7]),
        (lambda: tf.equal(tf.constant([1, 2]), 2), [False, True]),
        (lambda: tf.not_equal(tf.constant([1, 2]), 2), [True, False]),
        (lambda: tf.constant(1) + 1, None),
        (lambda: tf.placeholder(tf.float32), None),
    ],
)
def test_constant_value_folding(make, expected, graph):
    tensor = make()
    value = tf.get_static_value(tensor)
    if expected is None:
        assert value is None
    else:
        np.testing.assert_array_equal(value, expected)
        assert value.dtype == tensor.dtype.as_numpy_dtype
        assert value.flags.writeable or not isinstance(value, np.ndarray)
    assert graph.is_feedable(tensor) is (expected is None)


def test_partially_static_pack():
    packed = tf.stack([tf.constant(1), tf.placeholder(tf.int32, [])])
    assert tf.get_static_value(packed, partial=True).tolist() == [1, None]


def test_other_values():
    assert tf.get_static_value(5) == 5
    assert tf.get_static_value(tf.SparseTensor([[0]], [1.0], [2])) is None


def test_shapes_of_several_tensors():
    shapes = tf.shape_n([tf.ones([2, 3]), tf.ones([3, 2])])
    assert tf.reshape(tf.placeholder(tf.float32), shapes[1]).shape == [3, 2]


def test_strided_shape_slices():
    shape = tf.shape(tf.placeholder(tf.float32, [2, None, 4, 5]))
    dynamic = (
        tf.contrib.util.constant_value(shape),
        static_shape(shape[::2]),
        static_shape(shape[3:0:-2]),
    )
    assert dynamic[0] is None
    assert [each.as_list() for each in dynamic[1:]] == [[2, 4], [5, None]]


# Static shapes derived by a body from captured shapes: TensorFlow 1.15.5's.
MAKERS = {
    "zeros": (tf.zeros, [5, 3]),
    "ones": (tf.ones, [5, 3]),
    "fill": (lambda shape: tf.fill(shape, 2.0), [5, 3]),
    "reshape": (lambda shape: tf.reshape(tf.ones([15]), shape), [5, 3]),
    "uniform": (tf.random_uniform, [5, 3]),
    "integers": (lambda shape: tf.random_uniform(shape, maxval=9, dtype=tf.int32), [5, 3]),
    "normal": (tf.random_normal, [5, 3]),
    "truncated": (random_ops.parameterized_truncated_normal, [5, 3]),
    "gamma": (lambda shape: tf.random_gamma(shape, [1.0, 2.0]), [5, 3, 2]),
    "poisson": (lambda shape: tf.random_poisson([1.0, 2.0], shape), [5, 3, 2]),
    "stateless": (lambda shape: tf.random.stateless_normal(shape, [1, 2]), [5, 3]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_captured_shape_in_loop(name):
    make, expected = MAKERS[name]
    dynamic = []

    def body(i):
        dynamic.append(make(tf.concat([[5], inner], axis=0)).shape.as_list())
        return i + 1

    with tf.Graph().as_default(), with_control_flow_v2():
        inner = tf.constant([3])
        tf.while_loop(lambda i: i < 2, body, [0])
    assert dynamic == [expected]


def test_unknown_captured_shape():
    dynamic = []

    def body(i):
        dynamic.extend([tf.zeros(shape).shape.as_list(), tf.reshape(1.0, row).shape.as_list()])
        return i + 1

    with tf.Graph().as_default(), with_control_flow_v2():
        shape = tf.concat([tf.placeholder(tf.int32, [1]), [4]], 0)
        row = tf.placeholder(tf.int32, [2])
        tf.while_loop(lambda i: i < 2, body, [0])
    assert dynamic == [[None, 4], [None, None]]


def test_captured_eager_shape():
    with eager_mode():
        shape = tf.constant([2, 3])
        result = tf.function(lambda: tf.zeros(shape)).get_concrete_function()
    assert result.outputs[0].shape.as_list() == [2, 3]


raw = tf.raw_ops


def known():
    return tf.placeholder(tf.float32, [2, 3])


def part():
    return tf.placeholder(tf.float32, [None, 3])


def dynamic():
    """Two elements whose values are known only at run time."""
    return tf.unique([1, 2, 1])[0]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (lambda: dynamic(), [1, 2]),
        (lambda: tf.reshape(tf.where([True, False, True]), [-1]), [0, 2]),
        (lambda: tf.expand_dims(raw.Size(input=known()), 0), [6]),
        (lambda: tf.stack([raw.Size(input=known())]), [None]),
        (lambda: raw.Shape(input=known()) + 1, [3, 4]),
        (lambda: raw.Shape(input=part()) + 1, [None, None]),
        (lambda: raw.ShapeN(input=[known(), known()])[0], [2, 3]),
        (lambda: raw.ShapeN(input=[known(), known()])[0] + 1, [None, None]),
        (lambda: tf.shape(dynamic()), [None]),
        (lambda: tf.shape(dynamic()) + 1, [3]),
        (lambda: tf.concat([tf.shape(dynamic()), [1]], 0), [None, 1]),
        (lambda: tf.concat([tf.shape(dynamic()), [1]], 0) + 0, [2, 1]),
        (lambda: tf.shape(tf.boolean_mask([4, 5], [True, False])) * 2, [2]),
    ],
)
def test_folded_reshape(shape, expected):
    with tf.Graph().as_default():
        result = tf.reshape(tf.placeholder(tf.float32), shape())
    assert result.shape.as_list() == expected


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tf.range(raw.Size(input=known())), [None]),
        (lambda: tf.range(raw.Rank(input=part())), [None]),
        (lambda: tf.range(raw.Rank(input=part()) + 1), [3]),
        (lambda: tf.range(raw.Size(input=tf.constant([1, 2]))), [2]),
        (lambda: tf.range(raw.Size(input=dynamic())), [2]),
        (lambda: tf.range(tf.shape(known())[0]), [2]),
        (lambda: tf.tile([1, 2], tf.shape(dynamic())[:1]), [None]),
        (lambda: tf.fill(raw.Shape(input=known()), 1.0), [2, 3]),
        (lambda: tf.one_hot([1], raw.Size(input=known())), [1, None]),
    ],
)
def test_folded_shapes(make, expected):
    with tf.Graph().as_default():
        assert make().shape.as_list() == expected


def test_evaluated_shape_is_not_refolded():
    with tf.Graph().as_default():
        shape = tf.shape(dynamic())
        tf.reshape(tf.placeholder(tf.float32), shape + 1)
        assert tf.reshape(tf.placeholder(tf.float32), shape).shape.as_list() == [None]
