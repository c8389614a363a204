"""Gamma and Poisson samples against TensorFlow's first draws."""

import pathlib

import numpy as np

from tests.devices import streams
from tfmini._src.devices.numpy import (
    gamma_poisson,
    philox,
    random_distributions,
)

GOLDEN = np.load(pathlib.Path(__file__).parents[2] / "golden" / "streams.npz")

STREAM = philox.seeded_stream(3, 4)


def assert_ends(name, draw, blocks, stream=STREAM, exact=True):
    """`draw(stream)` gives what TensorFlow's first run gave, and `blocks` further on its second."""
    for run, expected in enumerate(GOLDEN[name]):
        found = np.asarray(draw(stream.skip(run * blocks)))
        found = streams.ends(found[None])[0].astype(expected.dtype)
        if exact:
            np.testing.assert_array_equal(found, expected)
        else:
            np.testing.assert_allclose(found, expected, rtol=exact_to(name))


def exact_to(name):
    """A few units in the last place."""
    return 4e-7 if "float32" in name else 2e-15


def test_gamma():
    blocks = random_distributions.RESERVED * 200 * len(streams.ALPHAS)
    assert_ends(
        "RandomGamma",
        lambda s: gamma_poisson.gamma(np, s, streams.ALPHAS, 200),
        blocks,
        exact=False,
    )


def test_poisson():
    blocks = random_distributions.RESERVED * 200 * len(streams.RATES)
    assert_ends(
        "RandomPoissonV2", lambda s: gamma_poisson.poisson(np, s, streams.RATES, 200), blocks
    )
