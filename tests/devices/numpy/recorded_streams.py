"""Draws compared with TensorFlow's first ones."""

import pathlib

import numpy as np

from tests.devices import streams
from tfmini._src.devices.numpy import philox

GOLDEN = np.load(pathlib.Path(__file__).parents[2] / "golden" / "streams.npz")

STREAM = philox.seeded_stream(3, 4)


def assert_ends(name, draw, blocks, stream=STREAM, exact=True):
    """Checks that `draw(stream)` returns TensorFlow's first run, and `blocks` further on its second."""
    for run, expected in enumerate(GOLDEN[name]):
        actual = np.asarray(draw(stream.skip(run * blocks)))
        actual = streams.ends(actual[None])[0].astype(expected.dtype)
        if exact:
            np.testing.assert_array_equal(actual, expected)
        else:
            np.testing.assert_allclose(actual, expected, rtol=exact_to(name))


def exact_to(name):
    """Tolerance of a few units in the last place."""
    return 4e-7 if "float32" in name else 2e-15
