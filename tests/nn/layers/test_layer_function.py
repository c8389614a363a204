"""`tf.layers` functions: positional and keyword arguments, and wrong calls."""

import inspect
import sys

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize(
    "args, kwargs, message",
    [
        ((), {}, "dense() missing 2 required positional arguments: 'inputs' and 'units'"),
        ((1.0,), {}, "dense() missing 1 required positional argument: 'units'"),
        ((1.0, 2), {"units": 3}, "dense() got multiple values for argument 'units'"),
        ((1.0, 2), {"size": 3}, "dense() got an unexpected keyword argument 'size'"),
        ((1.0,) * 15, {}, "dense() takes from 2 to 14 positional arguments but 15 were given"),
    ],
)
def test_invalid_calls(args, kwargs, message):
    """Python's own messages, as for TensorFlow's functions."""
    with pytest.raises(TypeError) as caught:
        tf.layers.dense(*args, **kwargs)
    assert str(caught.value) == message


def test_reuse_is_refused_without_weights():
    with pytest.raises(TypeError, match=r"dropout\(\) got an unexpected keyword argument 'reuse'"):
        tf.layers.dropout(tf.ones([2]), reuse=True)


def test_positional_arguments():
    x = tf.ones([2, 3])
    dropped = tf.layers.dropout(x, 0.5, None, 7, True, "drop")
    assert dropped.op.name.startswith("drop/")
    first = tf.layers.dense(x, 4, name="layer")
    repeated = tf.layers.dense(x, 4, None, True, reuse=True, name="layer")
    assert len(tf.global_variables()) == 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(*session.run([first, repeated]))


def test_signature_and_docstring():
    assert list(inspect.signature(tf.layers.max_pooling2d).parameters) == [
        *("inputs", "pool_size", "strides", "padding", "data_format", "name")
    ]
    text = inspect.getdoc(tf.layers.conv2d)
    assert text.startswith("Convolution of images: inputs are [batch, rows, columns, channels].")
    for argument in ("inputs", "reuse", "filters", "kernel_size"):
        assert f"\n  {argument}: " in text


CLASSES = {name.lower(): name for name in tf.layers.__all__ if name[0].isupper()}
FUNCTIONS = [name for name in tf.layers.__all__ if name[0].islower() and name != "experimental"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_defaults_match_layer_class(name):
    of_class = getattr(tf.layers, CLASSES[name.replace("_", "")])
    shown = inspect.signature(of_class).parameters
    for parameter in inspect.signature(getattr(tf.layers, name)).parameters.values():
        if parameter.name in shown and (name, parameter.name) != ("flatten", "data_format"):
            assert parameter.default == shown[parameter.name].default


def test_second_layer_needs_few_python_calls():
    """At most 50 Python calls for each of the 16 nodes of a dense layer."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event == "call"

    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 8])
        tf.layers.dense(x, 4)
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            tf.layers.dense(x, 4)
        finally:
            sys.setprofile(before)
    assert calls < 840  # 781 in a fresh process, more after tapes and variable creators
