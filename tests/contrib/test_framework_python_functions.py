"""`tf.contrib.framework.py_func`: TensorFlow 1.15.5's results for the same calls."""

import numpy as np

import tfmini as tf

py_func = tf.contrib.framework.py_func


def test_nested_arguments_and_results():
    def both(x, by, more):
        return {"low": x / by, "pair": (x + more["a"], np.int64(3))}

    x, two, one = tf.constant([1.0, 2.0]), tf.constant(2.0), tf.constant(1.0)
    types = {"low": tf.float32, "pair": (tf.float32, tf.int64)}
    shapes = {"low": [2], "pair": (tf.TensorShape([None]), [])}
    result = py_func(both, [x], {"by": two, "more": {"a": one}}, types, shapes)
    assert result["low"].name == "PyFunc:0"
    assert result["low"].shape.as_list() == [2]
    assert [t.shape.as_list() for t in result["pair"]] == [[None], []]
    with tf.Session() as session:
        actual = session.run(result)
    np.testing.assert_array_equal(actual["low"], [0.5, 1.0])
    np.testing.assert_array_equal(actual["pair"][0], [2.0, 3.0])
    assert actual["pair"][1] == 3


def test_types_and_shapes_from_functions():
    def same(x):
        return 2 * x

    x = tf.constant([1.0, 2.0])
    twice = py_func(same, [x], None, lambda x: x.dtype, lambda x: x.shape, stateful=False, name="n")
    assert (twice.op.type, twice.name, twice.shape) == ("PyFuncStateless", "n:0", [2])
    with tf.Session() as session:
        assert session.run(twice).tolist() == [2.0, 4.0]
