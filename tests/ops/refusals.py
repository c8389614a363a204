"""Invalid calls and TensorFlow's errors: helpers of the array op tests.

The texts are those of TensorFlow 1.15.5 for the same calls.
"""

from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf

FED = {"p": [[1, 2, 3], [4, 5, 6]], "q": [[1, 2, 3, 4]], "n": 2, "m": 1}


def tensors():
    """Constants and placeholders of known and unknown shapes, as call arguments."""
    return SimpleNamespace(
        x=tf.constant(np.arange(24).reshape(2, 3, 4), tf.float32, name="x"),
        cube=tf.constant(np.arange(60).reshape(3, 4, 5), tf.float32, name="cube"),
        i=tf.constant([[1, 2, 3], [4, 5, 6]], name="i"),
        s=tf.constant(["a", "b"]),
        p=tf.placeholder(tf.float32, [None, 3], name="p"),
        q=tf.placeholder(tf.float32, name="q"),
        r=tf.placeholder(tf.float32, name="r"),
        k=tf.placeholder(tf.int32, name="k"),
        n=tf.placeholder(tf.int32, [], name="n"),
        m=tf.placeholder(tf.int64, [], name="m"),
        b=tf.placeholder(tf.bool, name="b"),
        bv=tf.placeholder(tf.bool, [None], name="bv"),
    )


def refused(make, error, text):
    """Checks that `make(tensors)` raises `error` during graph construction."""
    with pytest.raises(error) as caught:
        make(tensors())
    assert str(caught.value) == text


def fails(make, feed, text):
    """Checks that running the ops of `make(tensors)` raises InvalidArgumentError."""
    inputs = tensors()
    created = make(inputs)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(created, {getattr(inputs, name): v for name, v in {**FED, **feed}.items()})
    assert caught.value.message.split("\n\t [[")[0] == text
