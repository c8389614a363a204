"""All code paths of a sum, by shape, axes and layout, return the same value."""

import itertools

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.math.reduction_kernels import sum_along_axes

RANDOM = np.random.RandomState(3)
SHAPES = [
    (5,),
    (6000,),
    (3, 4),
    (64, 100),
    (2, 3, 4),
    (50, 30, 4),
    (5, 8, 8, 3),
    (1, 7, 1),
    (3, 0, 2),
    (0,),
]


def all_axes(rank):
    return [a for n in range(1, rank + 1) for a in itertools.combinations(range(rank), n)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("kind", ["f", "d"])
def test_sum_over_every_axis_choice(shape, kind):
    values = RANDOM.uniform(-1, 1, shape).astype(kind)
    tolerance = 1e-4 if kind == "f" else 1e-11
    for axes in all_axes(len(shape)):
        for keep_dims in (False, True):
            want = values.astype("d").sum(axes, keepdims=keep_dims)
            for array in (values, np.asfortranarray(values)):
                got = sum_along_axes(np, array, axes, keep_dims)
                assert got.shape == want.shape and got.dtype == kind
                np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("axes", [(1, 2), (1,), (0, 1, 2)], ids=str)
def test_size_one_axes_keep_precision(axes):
    values = (RANDOM.uniform(0, 0.1, (1, 10000, 1, 1)) + 100).astype("f")
    np.testing.assert_allclose(
        sum_along_axes(np, values, axes, True) / 10000,
        values.mean(axes, "d", keepdims=True),
        rtol=5e-7,
    )


def test_infinity_and_nan_propagate():
    values = np.ones((40, 30), "f")
    values[3, 4], values[5, 6] = np.inf, np.nan
    np.testing.assert_array_equal(sum_along_axes(np, values, (0,), False)[[4, 6]], [np.inf, np.nan])
    assert np.isnan(sum_along_axes(np, values, (0, 1), False))


def test_half_precision_rounds_each_step():
    """TensorFlow 1.15.5's values."""
    x = tf.constant([1.001, 2.5, -3.3, 1000.7, 60000.0, 1e-5], tf.float16)
    several = [0, 0, 0, 1, 1, 1]
    found = [
        tf.reduce_prod(tf.reshape(x, [2, 3]), 1),
        tf.segment_sum(x, several),
        tf.segment_mean(x, several),
        tf.unsorted_segment_prod(x, several, 2),
    ]
    want = [[-8.2578125, np.inf], [0.19921875, 60992], [0.06640625, 20336], [-8.2578125, np.inf]]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(found), np.array(want, np.float16))


def test_duplicate_and_negative_axes():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.Session() as session:
        assert session.run(tf.reduce_sum(x, [1, -1, 1])).tolist() == [3, 7]


def test_axes_may_change_between_runs():
    axis = tf.placeholder(tf.int32, None)
    total = tf.reduce_sum(tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis)
    with tf.Session() as session:
        assert session.run(total, {axis: 0}).tolist() == [4, 6]
        assert session.run(total, {axis: [1]}).tolist() == [3, 7]
        assert session.run(total, {axis: [0, 1]}) == 10
        assert session.run(total, {axis: []}).tolist() == [[1, 2], [3, 4]]


def test_reduced_shapes_are_computed_once_per_graph(graph):
    for _ in range(3):
        x = tf.ones([2, 3])
        tf.gradients(tf.reduce_sum(x, 1), x)
    assert sum(op.type == "DynamicStitch" for op in graph.get_operations()) == 1


def test_result_does_not_alias_input():
    x = np.ones((1, 3), "f")
    for function in (np.sum, np.max):
        op = {np.sum: tf.reduce_sum, np.max: tf.reduce_max}[function]
        fed = tf.placeholder(tf.float32, [1, 3])
        with tf.Session() as session:
            result = session.run(op(fed, 0), {fed: x})
        result[:] = 5
        assert x.tolist() == [[1, 1, 1]]


def test_names_and_old_arguments():
    x = tf.constant([[1.0, 2.0]])
    assert tf.reduce_mean(x, reduction_indices=[1], keep_dims=True).shape == [1, 1]
    assert tf.reduce_sum(x, name="total").name == "total:0"
    assert tf.reduce_max(tf.placeholder(tf.float32)).shape == []


def test_integer_means_overflow_as_in_tensorflow():
    numbers = np.arange(300).astype("i1")[
        :, None
    ]  # their sum is 44,850: 50 in eight bits; 300 are 44
    with tf.Graph().as_default(), tf.Session() as session:
        ids = np.zeros(300, "i4")
        means = session.run([tf.reduce_mean(numbers, 0), tf.segment_mean(numbers, ids)[0]])
        assert [mean.tolist() for mean in means] == [[1], [1]]
        assert (
            session.run(tf.reduce_mean(np.full([256], 3, "u1"))) == 0
        )  # no count remains in eight bits


@pytest.mark.parametrize("columns", [3, 8, 16, 20, 128])
@pytest.mark.parametrize("keep_dims", [False, True])
def test_reductions_of_rows(columns, keep_dims):
    x = RANDOM.rand(600, 2, columns) < 1 / columns
    x[3] = True
    fed = tf.placeholder(tf.bool)
    outputs = [
        function(value, axis, keep_dims)
        for function in (tf.reduce_any, tf.reduce_all)
        for value in (fed, tf.logical_not(fed))
        for axis in (2, 1)
    ]
    numbers = np.cumsum(x, 1, "i1") + 2
    outputs += [tf.reduce_sum(numbers, [1, 2], keep_dims), tf.reduce_prod(numbers, 2, keep_dims)]
    with tf.Session() as session:
        found = session.run(outputs, {fed: x})
    expected = [
        function(value, axis, keepdims=keep_dims)
        for function in (np.any, np.all)
        for value in (x, ~x)
        for axis in (2, 1)
    ]
    expected.append(numbers.sum((1, 2), "i1", keepdims=keep_dims))
    expected.append(numbers.prod(2, "i1", keepdims=keep_dims))
    for got, want in zip(found, expected):
        np.testing.assert_array_equal(got, want)
