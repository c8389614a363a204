"""Const and placeholders."""

import numpy as np

from tests.conformance.samples import Sample


def fed(tf):
    x = tf.placeholder(tf.float32, [None])
    return [lambda session: session.run(x, {x: [1.5, 2.5]})]


def default_and_fed(tf):
    x = tf.placeholder_with_default([1.0, 2.0], [None])
    doubled = x * 2.0
    return [lambda session: [session.run(doubled), session.run(doubled, {x: [5.0]})]]


SAMPLES = [
    Sample("Const", build=lambda tf: [tf.constant([1, 2])], expect=np.array([1, 2], "i4")),
    Sample("Const", build=lambda tf: [tf.constant(1.5, shape=[2])], expect=np.array([1.5, 1.5], "f")),
    Sample("Placeholder", build=fed, expect=np.array([1.5, 2.5], "f")),
    Sample("PlaceholderWithDefault", build=default_and_fed,
           expect=(np.array([2, 4], "f"), np.array([10], "f"))),
]  # fmt: skip
