"""Converted functions return the same as the Python originals."""

import inspect

import numpy as np
import pytest

import tfmini as tf
from tests.autograph import functions
from tests.support import cases
from tfmini._src.session.eager.enable import eager_mode

FUNCTIONS = [
    function
    for name, function in vars(functions).items()
    if inspect.isfunction(function) and not name.startswith("_")
]
VALUES = (-3, 0, 2, 4, 7, 11)


def as_ints(results):
    return [int(value) for value in np.atleast_1d(results)]


@cases.in_one_test
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_results_match_python(function):
    converted = tf.autograph.to_graph(function)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        results = converted(x)
        for value in VALUES:
            assert as_ints(session.run(results, {x: value})) == as_ints(function(value))
    assert as_ints(converted(7)) == as_ints(function(7))  # on Python values it behaves like Python


@pytest.mark.parametrize("function", FUNCTIONS[::4], ids=lambda function: function.__name__)
def test_results_in_function_body_match_python(function):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        results = tf.function(function)(x)
        for value in (-3, 4, 11):
            assert as_ints(session.run(results, {x: value})) == as_ints(function(value))


def test_dataset_functions():
    def chosen(x):
        while x > 5:
            x -= 2
        return x if x % 2 < 1 else -x

    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.data.Dataset.range(9).map(chosen).filter(lambda x: not x < -1).batch(9)
        result = session.run(tf.data.make_one_shot_iterator(dataset).get_next())
    assert result.tolist() == [x for x in map(chosen, range(9)) if not x < -1]


def test_iteration_over_dataset():
    @tf.function
    def total(limit):
        s = tf.constant(0, tf.int64)
        for x in tf.data.Dataset.range(10):
            if s > limit:
                break
            s += x
        for _ in tf.data.Dataset.range(3):
            s += 1
        return s

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(total(tf.constant(8, tf.int64))) == 13


def test_iteration_over_iterator():
    @tf.function
    def total(limit):
        s, iterator = tf.constant(0, tf.int64), iter(tf.data.Dataset.range(10))
        for x in iterator:
            s += x
            if s > limit:
                break
        return s, next(iterator)

    @tf.function
    def counted(v):
        for x in iter(tf.data.Dataset.range(5)):
            v.assign(v * 10 + x)

    with eager_mode():
        result = total(tf.constant(4, tf.int64))
        assert [int(value) for value in result] == [6, 4]
        v = tf.Variable(0, dtype=tf.int64)
        counted(v)
        assert v.numpy() == 1234


def test_iteration_over_tensor_rows():
    def largest(rows):
        best = rows[0]
        for row in rows:
            if tf.reduce_sum(row) > tf.reduce_sum(best):
                best = row
        return best, len(rows)

    rows = np.array([[1, 2], [5, 6], [3, 1]])
    with tf.Graph().as_default(), tf.Session() as session:
        best, count = tf.autograph.to_graph(largest)(tf.constant(rows))
        assert session.run(best).tolist() == [5, 6]
        assert count == 3


def test_builtin_functions():
    def numbers(x, text):
        return abs(x), float(x), int(text), len(tf.boolean_mask([1, 2, 3], [x > 0, x < 0, x < 5]))

    with tf.Graph().as_default(), tf.Session() as session:
        result = tf.autograph.to_graph(numbers)(tf.constant(-4), tf.constant("12"))
        assert session.run(result) == (4, -4.0, 12, 2)


def test_methods_of_base_classes():
    class Base(tf.keras.layers.Layer):
        def call(self, x):
            while tf.reduce_sum(x) > 4.0:
                x = x - 1.0
            return x

    class Derived(Base):
        def call(self, x, training=None):
            if tf.reduce_sum(x) > 0.0:
                x = super().call(x) * 2.0
            return x

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run(Derived()(tf.constant([3.0, 4.0]))).tolist() == [2.0, 4.0]


def test_unconverted_caller_of_converted_function():
    """As in TensorFlow 1.15.5, each function's own option applies."""

    @tf.function
    def magnitude(x):
        if x > 0:
            return x * 2.0
        return -x

    @tf.function(autograph=False)
    def outer(x):
        return magnitude(x)

    with tf.Session() as session:
        assert session.run([outer(tf.constant(3.0)), outer(tf.constant(-4.0))]) == [6.0, 4.0]
