"""Calls of array functions with invalid arguments."""

from types import SimpleNamespace

import numpy as np


def call(tf, make, **feeds):
    """Fetches and feeds of `make(tensors)`: constants and placeholders of known and unknown shapes."""
    tensors = SimpleNamespace(
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
    )
    values = {"p": [[1, 2, 3], [4, 5, 6]], "q": [[1, 2, 3, 4]], "n": 2, "m": 1, **feeds}
    return make(tensors), {getattr(tensors, name): value for name, value in values.items()}
